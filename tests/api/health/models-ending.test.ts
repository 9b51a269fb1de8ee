import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useModel } from "#tests/models";

const SECRET = "a-secret-of-the-scheduler";
const model = await useModel();
const environment = { ...model.environment, MAINTENANCE_CRON_SECRET: SECRET };
const api = useApi({ environment: { ...environment, AI_TEXT_MODEL: "gpt-4o-mini" } });
const lasting = useApi({ environment });
const run = (of: typeof api) =>
  of.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } }).ok();
const warnings = () =>
  api
    .logged()
    .split("\n")
    .filter((line) => line.includes("a model will be shut down"));

it("housekeeping warns once when the text model is shut down within 60 days", async () => {
  api.at("2026-11-15T00:00:00Z");
  expect((await run(api)).results).not.toHaveProperty("models_ending");
  expect(warnings()).toEqual([]);
  api.at("2026-11-16T00:00:00Z");
  for (let again = 0; again < 2; again += 1) {
    expect((await run(api)).results).toMatchObject({ models_ending: ["gpt-4o-mini 2027-01-14"] });
  }
  expect(warnings()).toEqual([expect.stringContaining('"model":"gpt-4o-mini 2027-01-14"')]);
});

it("housekeeping does its work for a provider that has no list of models", async () => {
  model.mode("fail");
  expect((await run(lasting)).results).not.toHaveProperty("models_ending");
  expect(lasting.logged()).toContain('"failure":{"kind":"AppError","code":"provider.failed"');
});
