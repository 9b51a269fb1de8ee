import { afterAll, expect, test } from "vitest";
import { openDatabase } from "#database/database";
import { routeToGroups } from "#functions/all";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { startDatabaseProxy } from "#tests/database-proxy";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());
const proxy = beforeTests(() => startDatabaseProxy(api.apiUrl));
const overProxy = beforeTests(async () => {
  const database = openDatabase({ url: proxy.url, poolSize: 2 });
  return { ...clientOf(routeToGroups({ ...api.services, database })), database };
});

afterAll(async () => {
  await overProxy.database.close();
  await proxy.stop();
});

test("a read of one statement waits for the database once", async () => {
  const { roundTrips, statements } = await sentBy(() => overProxy.get("/api/drops/balance", ada).ok());
  expect.soft(statements).toBe(1);
  expect.soft(roundTrips).toBe(1);
});

test.each([
  "/api/journal",
  "/api/notebooks",
  "/api/user/profile",
  "/api/goals",
  "/api/notifications",
  "/api/encouragement-drops/received",
  "/api/encouragement-drops/leaderboard",
  "/api/encouragement-drops/badge",
  "/api/workout-window/my-window",
  "/api/workout-window/chain/2026-11-18",
])("what an app reads at %s waits for the database twice at most", async (path) => {
  const { roundTrips } = await sentBy(async () => {
    const { status } = await overProxy.send("GET", path, { as: ada });
    // Without a window there is none to read, which is found out in the same way.
    expect([200, 404]).toContain(status);
  });
  expect(roundTrips).toBeLessThanOrEqual(2);
});

test("a program waits once more, for the look-up of its token", async () => {
  const body = { name: "Widget", scopes: ["drops:read"] };
  const { token } = await api.post("/api/user/tokens", ada, body).created();
  const program = { token: token.secret ?? "" };
  const { roundTrips, statements } = await sentBy(() => overProxy.get("/api/drops/balance", program).ok());
  expect.soft(statements).toBe(2);
  expect.soft(roundTrips).toBe(2);
});

test("a write waits for each of its statements and for its commit, but not for the opening of its transaction", async () => {
  const entry = { title: "A walk", content: "To the lake" };
  const { roundTrips, statements } = await sentBy(() => overProxy.post("/api/journal", ada, entry).created());
  expect(statements).toBeGreaterThan(0);
  expect(roundTrips).toBeLessThanOrEqual(statements + 1);
});

/** The fewest round trips of several runs: the first one opens a connection, and a busy machine may send late. */
async function sentBy(work: () => Promise<unknown>) {
  await work();
  proxy.take();
  const runs = [];
  for (let run = 0; run < 5; run += 1) {
    await work();
    runs.push(proxy.take());
  }
  const [fewest] = runs.toSorted((one, other) => one.roundTrips - other.roundTrips);
  if (fewest === undefined) throw new Error("Nothing was sent.");
  return fewest;
}
