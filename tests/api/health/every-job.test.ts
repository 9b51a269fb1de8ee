import { expect, it } from "vitest";
import { SCHEDULES } from "#functions/schedules";
import { useApi } from "#tests/api";

const SECRET = "the-secret-of-all-jobs";
const NAMES = [...new Set(SCHEDULES.map(({ secret }) => secret))];
const api = useApi({ environment: Object.fromEntries(NAMES.map((name) => [name, SECRET])) });

it.each(SCHEDULES.map(({ name, path }) => [name, path]))(
  "the job %s succeeds where no vendor is configured",
  async (_, path) => {
    const response = await api.send("POST", path, { headers: { "x-cron-secret": SECRET } });
    expect([response.status, response.body.success], response.text).toEqual([200, true]);
  },
);

it.each(SCHEDULES.map(({ name, path }) => [name, path]))("the job %s refuses an unknown parameter", async (_, path) => {
  await api.send("POST", `${path}?unknown=1`, { headers: { "x-cron-secret": SECRET } }).invalid("unknown");
});
