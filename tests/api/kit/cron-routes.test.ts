import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { SCHEDULES, type Schedule } from "#functions/schedules";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { beforeTests } from "#tests/prepare";

const SECRETS = {
  MAINTENANCE_CRON_SECRET: "the-secret-of-maintenance",
  DROPS_CRON_SECRET: "the-secret-of-drops",
  ENCOURAGEMENT_DROPS_CRON_SECRET: "the-secret-of-encouragement",
  WORKOUT_WINDOW_CRON_SECRET: "the-secret-of-the-game",
  CHAT_CRON_SECRET: "the-secret-of-the-chat",
} as const;
type SecretName = keyof typeof SECRETS;

const guesses = (right: string) => ["", "null", "undefined", "wrong", `x${right}`, right.slice(0, -1), randomUUID()];

const api = useApi({ environment: { ...SECRETS, ...(await useFileStore()) } });
const unconfigured = useApi();
const superAdmin = beforeTests(() => api.person({ role: "super_admin" }));

const statusOf = async (of: typeof api, path: string, secret: string) =>
  (await of.send("POST", path, { headers: { "x-cron-secret": secret } })).status;

describe.each<Schedule>(SCHEDULES)("the route of the job $name", ({ name, path, secret }) => {
  const runs = () => api.query`select from private.job_runs where job = ${name}`;
  beforeEach(() => api.query`delete from private.job_runs where job = ${name}`);

  it("is 401 without the job's own secret, also for a super admin, and runs nothing", async () => {
    const others = Object.values(SECRETS).filter((other) => other !== SECRETS[secret]);
    for (const guess of [...guesses(SECRETS[secret]), ...others]) {
      expect(await statusOf(api, path, guess), guess).toBe(401);
    }
    for (const headers of [{}, { authorization: `Bearer ${SECRETS[secret]}` }]) {
      await api.send("POST", path, { headers }).refused(401, "auth.invalid_cron_secret");
    }
    await api.post(path, superAdmin).refused(401);
    expect(await runs()).toEqual([]);
  });

  it("runs that job with its secret, and records the run", async () => {
    const { status, body } = await api.send("POST", path, { headers: { "x-cron-secret": SECRETS[secret] } });
    expect([status, body]).toMatchObject([200, { success: true, message: "done" }]);
    expect(await runs()).toHaveLength(1);
  });

  it("serves a due time once", async () => {
    const run = async (dueAt: string) => {
      const headers = { "x-cron-secret": SECRETS[secret], "x-due-at": dueAt };
      return (await api.send("POST", path, { headers })).body;
    };
    expect(await run("2026-11-21T00:00:00Z")).toMatchObject({ message: "done" });
    expect(await run("2026-11-21T00:00:00Z")).toMatchObject({ message: "already done" });
    expect(await run("2026-11-21T00:00:00.000Z")).toMatchObject({ message: "already done" });
  });

  it("accepts only POST", async () => {
    const { status, headers } = await api.get(path);
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("is always 401 if no secret is configured", async () => {
    for (const guess of guesses(SECRETS[secret])) expect(await statusOf(unconfigured, path, guess), guess).toBe(401);
  });
});

const withFallbacks = SCHEDULES.flatMap((row) => ("fallbackSecrets" in row ? [row] : []));

it("two jobs of the assistant accept the secret of another job if their own is not set", () => {
  expect(withFallbacks.map(({ name, secret, fallbackSecrets }) => [name, secret, ...fallbackSecrets])).toEqual([
    ["note-analysis", "CHAT_CRON_SECRET", "WORKOUT_WINDOW_CRON_SECRET"],
    ["daily-assistant-drops", "DROPS_CRON_SECRET", "WORKOUT_WINDOW_CRON_SECRET", "CHAT_CRON_SECRET"],
  ]);
});

describe.each(withFallbacks)("the job $name", ({ path, secret, fallbackSecrets }) => {
  const inOrder: readonly SecretName[] = [secret, ...fallbackSecrets];

  describe.each(inOrder.map((name, index) => ({ name, configured: inOrder.slice(index) })))(
    "with $configured set",
    ({ name, configured }) => {
      const environment = Object.fromEntries(configured.map((variable) => [variable, SECRETS[variable]]));
      const of = useApi({ environment });

      it(`accepts only the secret of ${name}`, async () => {
        for (const [variable, value] of Object.entries(SECRETS)) {
          expect(await statusOf(of, path, value), variable).toBe(variable === name ? 200 : 401);
        }
      });
    },
  );
});
