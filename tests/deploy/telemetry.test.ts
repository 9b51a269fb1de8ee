import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "#config/config";
import { servicesFor } from "#http/services/services-for";
import { queueHandler } from "#lambda/queue-handler";
import { useCollector } from "#tests/collector";
import { useDatabase } from "#tests/database";
import { functionUrlEvent, ROUTER_SECRET } from "./function-url-event.ts";
import { type RunningFunction, startFunction } from "./lambda.ts";

const collector = await useCollector();
const database = useDatabase();
let health: RunningFunction;

beforeAll(async () => {
  health = await startFunction("health", database.apiUrl, { settings: collector.environment });
});
afterAll(() => health?.stop());

it("the bundled function has sent its spans when it responds, because Lambda then freezes it", async () => {
  // On a busy machine an export may take longer than a response waits for it.
  let requests = 0;
  const sentBeforeTheResponse = async () => {
    const id = `request-${requests++}`;
    const event = functionUrlEvent({ path: "/health/nothing", headers: { "x-request-id": id } });
    const { statusCode } = await health.invoke(event);
    expect(statusCode).toBe(404);
    return collector.spans().filter(({ attributes }) => attributes["nectar.request_id"] === id);
  };
  await expect.poll(sentBeforeTheResponse).toMatchObject([{ name: "GET /*" }]);
  expect(collector.received()).not.toContain(ROUTER_SECRET);
});

it("the subscriber of the queue has sent its spans when its work ends, also if a task failed", async () => {
  const services = servicesFor(
    readConfig({ ...collector.environment, DATABASE_URL: database.apiUrl, SUPABASE_URL: "http://127.0.0.1:9" }),
  );
  const plan = { name: "task canary", kind: "consumer", attributes: {} } as const;
  const handler = queueHandler(async (body) => {
    await services.telemetry?.inSpan(plan, async () => {
      throw new Error(body);
    });
  }, services.telemetry);
  const failed = await handler({ Records: [{ messageId: "1", body: "hush" }] });
  expect(failed).toEqual({ batchItemFailures: [{ itemIdentifier: "1" }] });
  await expect.poll(collector.spans).toMatchObject([{ name: "task canary", attributes: { "error.type": "Error" } }]);
  expect(collector.received()).not.toContain("hush");
  await services.database.close();
});

it("the bundled function loads the SDK only if spans are exported", () => {
  const names = health.bundle.weights.map(({ name }) => name);
  expect(names.filter((name) => name.includes("opentelemetry"))).toEqual([]);
});
