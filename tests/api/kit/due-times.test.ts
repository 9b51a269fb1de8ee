import { expect, it } from "vitest";
import { SCHEDULES } from "#functions/schedules";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";

const SECRET = "a-secret-of-the-scheduler";
const secrets = Object.fromEntries(SCHEDULES.map(({ secret }) => [secret, SECRET]));
const api = useApi({ environment: { ...(await useFileStore()), ...secrets } });

it.each(SCHEDULES)("$path serves a due time once", async ({ path }) => {
  const run = async (dueAt: string) => {
    const headers = { "x-cron-secret": SECRET, "x-due-at": dueAt };
    const { status, body } = await api.send("POST", path, { headers });
    return [status, body.message];
  };
  expect(await run("2026-11-21T00:00:00Z")).toEqual([200, "done"]);
  expect(await run("2026-11-21T00:00:00Z")).toEqual([200, "already done"]);
  expect(await run("2026-11-21T00:00:00.000Z")).toEqual([200, "already done"]);
});
