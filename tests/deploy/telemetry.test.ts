import { afterAll, beforeAll, expect, it } from "vitest";
import { useCollector } from "../support/collector.ts";
import { useDatabase } from "../support/database.ts";
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
  const { statusCode } = await health.invoke(functionUrlEvent({ path: "/health/ready" }));
  expect(statusCode).toBe(200);
  expect(collector.spans().map(({ name }) => name)).toContain("GET /health/ready");
  expect(collector.received()).not.toContain(ROUTER_SECRET);
});

it("the bundled function loads the SDK only if spans are exported", () => {
  const names = health.bundle.weights.map(({ name }) => name);
  expect(names.filter((name) => name.includes("opentelemetry"))).toEqual([]);
});
