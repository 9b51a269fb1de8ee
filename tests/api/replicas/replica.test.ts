import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "#database/database";
import { openReplicas } from "#database/replicas";
import { QUERIES } from "#tests/access-suite";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { ANYWHERE, useReplicatedApi } from "./replicated-api.ts";

const MAX_LAG_MS = 1_000;
/** A date of the game without players. */
const DATE = "2026-11-02";

const api = useReplicatedApi({
  DATABASE_READ_MAX_LAG_SECONDS: String(MAX_LAG_MS / 1_000),
  DATABASE_READ_SHARED: "on",
});
const ada = beforeTests(() => api.person());
const grace = beforeTests(() => api.person());

const read = <Path extends string>(path: Path, as: Person) => api.send("GET", path, { as, headers: ANYWHERE });

/** Reads until the replica serves it. What it does not find, the primary may have. */
async function readFromReplica(path: string) {
  for (;;) {
    const response = await read(path, ada);
    if (api.servers().at(-1) === "replica" || response.status === 404) return response;
  }
}

/** Waits until a server serves reads. */
async function untilServedBy(server: "primary" | "replica"): Promise<void> {
  await expect
    .poll(async () => {
      await read("/api/drops/balance", ada).ok();
      return api.servers().at(-1);
    })
    .toBe(server);
}
beforeEach(() => untilServedBy("replica"));

describe("a replica that has caught up", () => {
  it("says that it is not behind, and how far it is while it shows nothing new", async () => {
    const primary = openDatabase({ url: api.database.primary.apiUrl, poolSize: 1 });
    const replicas = openReplicas(primary, {
      urls: [api.database.replica.apiUrl, "postgres://a:b@127.0.0.1:9/c"],
      poolSize: 1,
      maxLagMs: MAX_LAG_MS,
    });
    onTestFinished(async () => {
      await api.database.replay("resumed");
      await Promise.all([primary.close(), replicas.close()]);
    });
    const lags = async () => (await replicas.states()).map(({ lagSeconds }) => lagSeconds);
    await expect.poll(lags).toEqual([0, Number.POSITIVE_INFINITY]);
    await api.database.replay("paused");
    await api.post("/api/journal", ada, { title: "Later", content: "It is not shown yet" }).created();
    await expect.poll(async () => (await lags())[0]).toBeGreaterThan(0.2);
    await api.database.replay("resumed");
    await expect.poll(lags).toEqual([0, Number.POSITIVE_INFINITY]);
  });

  it("serves every endpoint that says so, with the response of the primary", async () => {
    const { entry } = await api.post("/api/journal", ada, { title: "A walk", content: "To the lake" }).created();
    const ids: Readonly<Record<string, string>> = {
      "/api/journal/": entry.id,
      "/api/encouragement-drops/badge/": ada.id,
    };
    const routes = api.endpoints().filter(({ definition }) => definition.replica !== undefined);
    const served: string[] = [];
    await untilServedBy("replica");
    for (const { path } of routes) {
      const known = path.replaceAll(/:\w+/g, (name, at: number) =>
        name === ":date" ? DATE : (ids[path.slice(0, at)] ?? name),
      );
      if (known.includes(":")) continue;
      const address = known + (QUERIES[path] ?? "");
      const fromReplica = await readFromReplica(address);
      const fromPrimary = await api.send("GET", address, { as: ada });
      expect.soft([path, fromReplica.text]).toEqual([path, fromPrimary.text]);
      if (fromReplica.status === 200) served.push(path);
    }
    expect(served.length).toBeGreaterThan(45);
  });

  it("shows each person what the primary shows them, after every change of who sees what", async () => {
    const { entry } = await api.post("/api/journal", ada, { title: "A walk", content: "To the lake" }).created();
    const sharing = (visibility: "public" | "user") =>
      api.put(`/api/journal/${entry.id}`, ada, { metadata_visibility: visibility, content_visibility: visibility });
    const block = () => api.post("/api/blocks", grace, { user_id: ada.id });
    const unblock = () => api.delete(`/api/blocks/${ada.id}`, grace);
    const changes = [
      () => sharing("public"),
      block,
      unblock,
      () => sharing("user"),
      block,
      () => sharing("public"),
      unblock,
    ];
    for (const change of [...changes, ...changes]) {
      const position = (await change()).headers.get("x-nectar-position") ?? "";
      expect(position).not.toBe("");
      for (const as of [ada, grace]) {
        for (const path of ["/api/journal", `/api/journal/${entry.id}`, "/api/blocks"] as const) {
          const seen = await api.send("GET", path, { as, headers: { "x-nectar-position": position } });
          const expected = await api.send("GET", path, { as });
          expect([path, seen.status, seen.text]).toEqual([path, expected.status, expected.text]);
        }
      }
    }
  });
});

describe("a replica that shows nothing new", () => {
  it("is left alone as soon as it lags more than it may", async () => {
    await api.database.replay("paused");
    await untilServedBy("primary");
    await api.database.replay("resumed");
    await api.database.caughtUp();
  });

  it("never shows what was withdrawn longer ago than it may lag", async () => {
    const entry = {
      title: "A walk",
      content: "To the lake",
      metadata_visibility: "public",
      content_visibility: "public",
    };
    const { entry: shared } = await api.post("/api/journal", ada, entry).created();
    const path = `/api/journal/${shared.id}` as const;
    await api.database.caughtUp();
    await read(path, grace).ok();
    await api.database.replay("paused");
    await api.put(path, ada, { metadata_visibility: "user", content_visibility: "user" }).ok();
    const withdrawnAt = performance.now();
    const seenAt: number[] = [];
    for (;;) {
      const askedAt = performance.now();
      const { status } = await read(path, grace);
      if (status === 200) seenAt.push(askedAt - withdrawnAt);
      else break;
    }
    await api.database.replay("resumed");
    await api.database.caughtUp();
    expect(seenAt.filter((after) => after > MAX_LAG_MS)).toEqual([]);
  });
});

it("while a replica is killed and comes back, no request fails, and none shows less than was written", async () => {
  let isOver = false;
  let requests = 0;
  async function write(person: Person) {
    const nectar = api.nectarOf(person);
    while (!isOver) {
      const { goal } = await nectar.goals.create({ title: "Walk" });
      const { goals } = await nectar.goals.list({ limit: 1 });
      expect(goals[0]?.id).toBe(goal.id);
      await read("/api/journal", person).ok();
      requests += 3;
    }
  }
  const writers = Promise.all([write(ada), write(grace)]);
  const more = async (count: number) => {
    const until = requests + count;
    await expect.poll(() => requests).toBeGreaterThan(until);
  };
  await more(30);
  await api.database.kill("replica");
  await more(60);
  await api.database.restart("replica");
  await more(60);
  isOver = true;
  await writers;
});

it("a replica that was promoted serves no reads of the database that it left", async () => {
  await api.database.promote();
  await untilServedBy("primary");
  const { goal } = await api.post("/api/goals", ada, { title: "Walk" }).created();
  const { goals } = await read("/api/goals?limit=1", ada).ok();
  expect(goals).toMatchObject([{ id: goal.id }]);
  expect(new Set(api.servers())).toEqual(new Set(["primary"]));
});
