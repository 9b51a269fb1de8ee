import { spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { openSync } from "node:fs";
import { join, resolve } from "node:path";
import { createNectar } from "#client";
import { JobResponse } from "#http/jobs/jobs";
import { allowApiLogin, apiUrlOf } from "../database/api-login.ts";
import { migrateLocally } from "../database/local-migrations.ts";
import { startPush } from "../stand-ins/push.ts";
import { newVapidKeys } from "../stand-ins/vapid-keys.ts";
import { withConnection } from "../support/connection.ts";
import { freePort } from "../support/ports.ts";
import type { Cluster } from "./cluster.ts";
import type { Person } from "./requests.ts";
import { until } from "./until.ts";

const START = resolve(import.meta.dirname, "../../functions/start.ts");
/** Everyone who has an account: enough that the monthly award takes two batches. */
const PEOPLE = 10_500;
/** Those who send requests; the first ones have a device. */
const ACTIVE = 300;
const WITH_DEVICE = 30;
const PACKS = 50;

export type Service = Awaited<ReturnType<typeof startService>>;

/** Migrates the cluster, fills it, and runs `npm start` over it in a process of its own, which ends with the cluster. */
export async function startService({ adminUrl, folder }: Cluster) {
  const [apiPassword, jwtSecret, cronSecret] = [newSecret(), newSecret(), newSecret()];
  await migrateLocally(adminUrl);
  await allowApiLogin(adminUrl, apiPassword);
  const { ids, packs } = await fill(adminUrl);
  const { publicKey, privateKey } = newVapidKeys();
  const pushes = await startPush({ publicKey });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(folder, "service.log"), "a");
  // The guard of the cluster finds it by the folder among its arguments.
  spawn(process.execPath, [START, folder], {
    env: {
      DATABASE_URL: apiUrlOf(adminUrl, apiPassword),
      SUPABASE_URL: url,
      SUPABASE_JWT_SECRET: jwtSecret,
      SUPABASE_JWT_ISSUER: "none",
      PORT: String(port),
      SCHEDULER: "off",
      DROPS_CRON_SECRET: cronSecret,
      MAINTENANCE_CRON_SECRET: cronSecret,
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      PUSH_SERVICE_ORIGINS: pushes.url,
    },
    stdio: ["ignore", log, log],
  });
  await until("the service is ready", async () => {
    const response = await fetch(`${url}/health/ready`).catch(() => null);
    await response?.body?.cancel();
    return response?.ok === true;
  });
  const people = ids.map((id): Person => ({ id, token: tokenFor(id, jwtSecret) }));
  for (const { token } of people.slice(0, WITH_DEVICE)) {
    const nectar = createNectar({ baseUrl: url, token: () => token });
    await nectar.notifications.createPushSubscription(pushes.newDevice());
  }
  return {
    url,
    people,
    packs,
    /** Runs a job by its route. @returns whether it was done; false if it failed, or if the claim of another run still lasts */
    async runJob(path: string): Promise<boolean> {
      const response = await fetch(url + path, { method: "POST", headers: { "x-cron-secret": cronSecret } });
      const { data } = JobResponse.safeParse(await response.json());
      return data?.message === "done";
    },
    [Symbol.asyncDispose]: pushes.stop,
  };
}

function newSecret(): string {
  return randomBytes(32).toString("hex");
}

/** @returns the ids of the people who send requests, and of the packs that they can buy */
function fill(adminUrl: string): Promise<{ ids: string[]; packs: string[] }> {
  return withConnection(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
       select gen_random_uuid(), n || '@drill.test', now(), '{"full_name": "Ada"}' from generate_series(1, $1) n
       returning id`,
      [PEOPLE],
    );
    const [seller = "", ...ids] = rows.map(({ id }) => id);
    const packs = await client.query<{ id: string }>(
      `insert into nectar.tone_packs (owner_id, name, theme, is_public, price_drops)
       select $1, 'Pack ' || n, 'nature', true, 1 from generate_series(1, $2) n returning id`,
      [seller, PACKS],
    );
    await client.query("update nectar.encouragement_config set daily_allowance = 100, max_custom_drops_per_day = 100");
    await client.query("analyze");
    return { ids: ids.slice(0, ACTIVE), packs: packs.rows.map(({ id }) => id) };
  });
}

/** An access token as Supabase Auth signs it with a shared secret. */
function tokenFor(id: string, secret: string): string {
  const claims = { sub: id, aud: "authenticated", role: "authenticated", exp: Math.floor(Date.now() / 1_000) + 7_200 };
  const [header, payload] = [{ alg: "HS256", typ: "JWT" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signature = createHmac("sha256", secret).update(`${header}.${payload}`).digest("base64url");
  return `${header}.${payload}.${signature}`;
}
