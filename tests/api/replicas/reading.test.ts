import { describe, expect, it } from "vitest";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { ANYWHERE, useReplicatedApi } from "./replicated-api.ts";

const PAIRS = LONG ? 10_000 : 14;

// On a busy machine, a request may take longer than a replica may lag by default.
const api = useReplicatedApi({ DATABASE_PREPARED_STATEMENTS: "on", DATABASE_READ_MAX_LAG_SECONDS: "60" });
const ada = beforeTests(() => api.person());

const balance = (headers: Record<string, string>, as: Pick<Person, "token"> = ada) =>
  api.send("GET", "/api/drops/balance", { as, headers });

/** Waits until the replica serves reads: it has caught up, and the process knows the position of the primary. */
async function untilServed(): Promise<void> {
  await api.database.caughtUp();
  await expect
    .poll(async () => {
      await balance(ANYWHERE).ok();
      return api.servers().at(-1);
    })
    .toBe("replica");
}

// The first test, because the process must know no older position of the primary.
it("a replica that is behind for a moment, and not longer than it may be, is used as soon as it has caught up", async () => {
  await api.database.replay("paused");
  await api.post("/api/goals", ada, { title: "Walk" }).created();
  for (let times = 0; times < 10; times += 1) await balance(ANYWHERE).ok();
  expect(new Set(api.servers())).toEqual(new Set(["primary"]));
  await api.database.replay("resumed");
  let reads = 0;
  await expect
    .poll(async () => {
      await balance(ANYWHERE).ok();
      reads += 1;
      return api.servers().at(-1);
    })
    .toBe("replica");
  // If it were left alone for half a minute, there would be hundreds.
  expect(reads).toBeLessThan(200);
});

describe("the server of a read", () => {
  it("only a request with a position is read from the replica, and only what depends on no one else", async () => {
    await untilServed();
    await balance({}).ok();
    await api.get("/api/encouragement-drops/config", ada).ok();
    expect(api.servers()).toEqual(["primary", "primary"]);
    await api.send("GET", "/api/encouragement-drops/config", { as: ada, headers: ANYWHERE }).ok();
    await api.send("GET", "/api/journal", { as: ada, headers: ANYWHERE }).ok();
    await api.send("GET", "/api/user/profile", { as: ada, headers: ANYWHERE }).ok();
    expect(api.servers()).toEqual(["replica", "primary", "primary"]);
  });

  it.each([
    ["malformed", "0; drop table goals"],
    ["too long", "17643420001234567"],
    ["greater than any that there was", "9999999999999999"],
  ])("a position that is %s costs nothing but the replica", async (_, position) => {
    await untilServed();
    for (let times = 0; times < 5; times += 1) await balance({ "x-nectar-position": position }).ok();
    expect(api.servers()).toEqual(Array(5).fill("primary"));
    await balance(ANYWHERE).ok();
    expect(api.servers()).toEqual(["replica"]);
  });

  it("an account or a row that the replica does not have yet is looked for on the primary", async () => {
    await untilServed();
    await api.database.replay("paused");
    const grace = await api.person();
    await balance(ANYWHERE, grace).ok();
    const { goal } = await api.post("/api/goals", ada, { title: "Walk" }).created();
    await api.send("GET", `/api/goals/${goal.id}`, { as: ada, headers: ANYWHERE }).ok();
    await api.database.replay("resumed");
    expect(api.servers()).toEqual(["primary", "primary", "primary"]);
  });

  it("an admin is asked for their role on the primary", async () => {
    const root = await api.person({ role: "super_admin" });
    await untilServed();
    await api.send("GET", "/api/admin/users", { as: root, headers: ANYWHERE }).ok();
    expect(api.servers()).toEqual(["primary"]);
  });

  it("a program reads from the primary, because the replica may not have its token yet", async () => {
    const body = { name: "Widget", scopes: ["drops:read"] };
    const { token } = await api.post("/api/user/tokens", ada, body).created();
    await untilServed();
    await balance(ANYWHERE, { token: token.secret ?? "" }).ok();
    expect(api.servers()).toEqual(["primary"]);
  });
});

describe("the position of a write", () => {
  /** A moment, which does not tell how much others wrote. */
  const POSITION = /^\d{16}$/;
  const positionOf = ({ headers }: { headers: Headers }) => headers.get("x-nectar-position");

  it("comes with the response to what wrote, a replay and a refusal, and not with one to what read", async () => {
    const key = { "idempotency-key": "a-goal" };
    const written = await api.post("/api/goals", ada, { title: "Walk" }, key);
    const replayed = await api.post("/api/goals", ada, { title: "Walk" }, key);
    const refused = await api.post(`/api/goals/${ada.id}/check-ins`, ada, { status: "completed" });
    expect(refused.status).toBe(404);
    expect(positionOf(written)).toMatch(POSITION);
    expect(positionOf(replayed)).toMatch(POSITION);
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    expect(positionOf(refused)).toMatch(POSITION);
    expect(positionOf(await balance(ANYWHERE))).toBeNull();
  });
});

it(`${PAIRS} times, a client finds what it has just written, while another one sees what is two seconds old`, async () => {
  await api.database.delay(2_000);
  const grace = await api.person();
  const [writer, reader] = [api.nectarOf(ada), api.nectarOf(grace)];
  for (let n = 0; n < PAIRS; n += 1) {
    const { goal } = await writer.goals.create({ title: `Walk ${n}` });
    const { goals } = await writer.goals.list({ limit: 1 });
    expect(goals[0]?.id).toBe(goal.id);
    await reader.drops.readBalance();
  }
  await api.database.delay(0);
  expect(new Set(api.servers())).toEqual(new Set(["primary", "replica"]));
});
