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
import { recorderOf, textAt } from "../../examples/recorder.ts";
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
/**
 * What the audit log has of each operation by which an admin changes something: the kind of thing, where its id is in the
 * request or the response, and the fields that were set.
 */
const AUDITED: Readonly<Record<string, readonly [type: string, id: string | null, changed: readonly string[]]>> = {
  createConversionRate: ["conversion_rate", "response.rate.id", ["rate"]],
  updateUserRole: ["user", "params.id", ["role"]],
  adjustDrops: ["user", "body.user_id", ["user_id", "amount", "description"]],
  refundPurchase: ["drop_transaction", "body.transaction_id", ["transaction_id", "description"]],
  decideReport: ["report", "params.id", ["decision", "reason"]],
  decideAppeal: ["appeal", "params.id", ["decision", "answer"]],
  createDropTemplate: [
    "drop_template",
    "response.template.id",
    ["type", "title", "content", "media_url", "thumbnail_url", "is_approved"],
  ],
  updateDropTemplate: ["drop_template", "params.id", ["title"]],
  deleteDropTemplate: ["drop_template", "params.id", []],
  updateDropConfig: ["drop_config", null, ["daily_allowance"]],
  processEngagement: ["job", null, []],
  generateSyntheticUsers: ["synthetic_user", null, ["count", "config"]],
  toggleSyntheticUser: ["synthetic_user", "params.id", ["isActive"]],
  deleteSyntheticUser: ["synthetic_user", "params.id", []],
  reviewCheckIn: ["checkin", "params.id", ["status", "reason"]],
  executeBattle: ["battle", null, []],
  generateMosaic: ["mosaic", null, []],
};
/** The calls of these operations by their request ids, each with its response. */
const audited = new Map<string, { readonly id: string; readonly exchange: object }>();

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
    // The demo has reports that wait for an admin.
    REVIEW_ALARM_HOURS: "0",
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
  const call: typeof recorder.call = async (id, options = {}) => {
    path = pathOf(id);
    const requestId = randomUUID();
    const headers = { ...options.headers, "x-request-id": requestId };
    const response = await recorder.call(id, { ...options, headers });
    if (id in AUDITED) audited.set(requestId, { id, exchange: { ...options, response } });
    return response;
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

it("each change by an admin leaves exactly one row in the audit log, with names of fields and without values", async () => {
  // The rows of the demo data belong to no request.
  const rows = await api.query<{ row: object }>`
    select to_jsonb(e) - '{id,created_at}'::text[] as row from nectar.audit_events e
    where request_id is not null order by created_at`;
  const { id: actor_id } = await api.one<{ id: string }>`select id from auth.users where email = 'admin@nectar.local'`;
  const expected = [...audited].map(([request_id, { id: action, exchange }]) => {
    const [target_type, path, changed] = AUDITED[action] ?? [];
    const target_id = path == null ? null : textAt(exchange, path);
    return { actor_id, actor_role: "super_admin", action, target_type, target_id, changed, request_id };
  });
  expect(rows.map(({ row }) => row)).toEqual(expected);
  const audit = allApps(api.services).flatMap(({ app }) => app.endpoints.filter((one) => one.definition.audit));
  expect(expected.map(({ action }) => action).toSorted()).toEqual(audit.map((one) => one.definition.id).toSorted());
});
