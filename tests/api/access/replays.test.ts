import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { DEMO_SECRETS } from "#config/demo-secrets";
import { allApps, routeToGroups } from "#functions/all";
import { money } from "#local/demo/data";
import { playDemoGame } from "#local/demo/play";
import { seedDemoData } from "#local/demo/seed";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { freePort } from "#local/support/ports";
import { signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { MAIL_SECRET } from "#tests/mail";
import { TEST_JWT_SECRET } from "#tests/people";
import { startTestSupabase } from "#tests/supabase";
import { recorderOf } from "../../examples/recorder.ts";
import { takeTour } from "../../examples/tour.ts";
import { PAYMENT_SECRET, useVendors } from "./vendors.ts";

/** Posts that only read. */
const PREVIEWS = [
  "/api/journal/audience-preview",
  "/api/goals/audience-preview",
  "/api/notebooks/{id}/audience-preview",
];
/** Fields that are secret, so that only the first response has them. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  "/api/user/tokens": ["secret"],
  "/api/organizations/{id}/invitations": ["token", "url"],
};
const commands = signedInRoutes()
  .filter(({ method, path }) => method === "POST" && !PREVIEWS.includes(path))
  .map(({ path }) => path);

/** The response to a request. */
interface Outcome {
  readonly status: number;
  readonly replayed: string | null;
  readonly body: unknown;
}
const outcomes = new Map<
  string,
  { readonly first: Outcome; readonly replay: Outcome; readonly changes: string[]; readonly repeated: string[] }
>();

const { push, model, mail, environment } = await useVendors(
  money.subscriptions.map(({ customerId, subscriptionId }) => ({ customerId, subscriptionId, status: "active" })),
);
const port = await freePort();
const api = useApi({
  environment: {
    ...environment,
    EMAIL_UNSUBSCRIBE_SECRET: DEMO_SECRETS.EMAIL_UNSUBSCRIBE_SECRET,
    SUPABASE_URL: `http://127.0.0.1:${port}`,
    SUPABASE_SECRET_KEY: LOCAL_SUPABASE_KEYS.secretKey,
    SUPER_ADMIN_EMAILS: "admin@nectar.local",
  },
});

/** Notes each row that is written from now on. */
async function noteWrites(): Promise<void> {
  const tables = await api.query<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name
    from pg_tables where schemaname in ('nectar', 'private', 'auth', 'storage')`;
  const triggers = tables.map(
    ({ name }) =>
      `create trigger zz_note_write after insert or update or delete on ${name}
         for each row execute function public.note_write()`,
  );
  await api.query(`
    create table public.writes (name text);
    create function public.note_write() returns trigger language plpgsql security definer set search_path to '' as
      $$ begin insert into public.writes values (tg_table_schema || '.' || tg_table_name); return null; end $$;
    ${triggers.join(";")}`);
}

/** The tables of which rows were written, and how many vendors were called, since the last call. */
async function changesSince(): Promise<string[]> {
  await api.idle();
  const rows = await api.query<{ name: string }>`delete from public.writes returning name`;
  const calls = [...model.requests.splice(0), ...mail.mails.splice(0)].map(() => "a vendor");
  return [...new Set([...rows.map(({ name }) => name), ...calls])];
}

beforeAll(async () => {
  const supabase = await startTestSupabase(api.adminUrl, port);
  afterAll(() => supabase.stop());
  const target = { adminUrl: api.adminUrl, supabaseUrl: supabase.url, ...LOCAL_SUPABASE_KEYS, files: environment };
  await seedDemoData(target);
  await playDemoGame(target, new URL(api.apiUrl).password);
  await noteWrites();
  const endpoints = allApps(api.services).flatMap(({ app }) => app.endpoints);
  const pathOf = (id: string) =>
    endpoints.find(({ definition }) => definition.id === id)?.path.replaceAll(/:(\w+)/g, "{$1}") ?? "";
  const fetch = routeToGroups(api.services);
  const outcomeOf = async (response: Response): Promise<Outcome> => ({
    status: response.status,
    replayed: response.headers.get("idempotent-replayed"),
    body: await response.json(),
  });
  let path = "";
  const recorder = recorderOf(
    endpoints,
    async (request) => {
      // Jobs take no key.
      if (path.includes("/cron/")) return Response.json({});
      if (request.method !== "POST" || !commands.includes(path)) return fetch(request);
      request.headers.set("idempotency-key", randomUUID());
      const again = request.clone();
      const response = await fetch(request);
      const changes = await changesSince();
      const replay = await outcomeOf(await fetch(again));
      const first = await outcomeOf(response.clone());
      if (!outcomes.has(path)) outcomes.set(path, { first, replay, changes, repeated: await changesSince() });
      return response;
    },
    environment,
  );
  const call: typeof recorder.call = (id, options) => {
    path = pathOf(id);
    return recorder.call(id, options);
  };
  await takeTour(
    { ...recorder, call },
    {
      adminUrl: api.adminUrl,
      jwtSecret: TEST_JWT_SECRET,
      pushUrl: push.service.url,
      paymentSecret: PAYMENT_SECRET,
      mailSecret: MAIL_SECRET,
    },
  );
});

const Fields = z.record(z.string(), z.record(z.string(), z.unknown()));

/** A body without the secrets of its only field. */
function withoutSecrets(body: unknown, names: readonly string[]): unknown {
  const [[field = "", values = {}] = []] = Object.entries(Fields.parse(body));
  return { [field]: { ...values, ...Object.fromEntries(names.map((name) => [name, null])) } };
}

it.each(commands)("POST %s is replayed with the same response, stores nothing and calls no vendor", (path) => {
  const { first, replay, changes, repeated } = outcomes.get(path) ?? {};
  expect(first).toMatchObject({ status: expect.toBeOneOf([200, 201]), replayed: null });
  const secrets = SECRETS[path];
  const body = secrets === undefined ? first?.body : withoutSecrets(first?.body, secrets);
  expect(replay).toEqual({ status: first?.status, replayed: "true", body });
  expect(changes).toContain("private.idempotency_keys");
  expect(repeated).toEqual([]);
});
