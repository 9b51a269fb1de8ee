import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { type ApiResponse, useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { beforeEachTest } from "#tests/prepare";
import { rowsOf } from "../lists/stage.ts";

const api = useApi();
const ada = beforeEachTest(() => api.person());
const grace = beforeEachTest(() => api.person());
const home = beforeEachTest(() => foundTeam(api, ada));

const joinOrganization = () => api.post(`/api/organizations/${home.orgId}/members`, ada, { user_id: grace.id });

interface Creation {
  readonly what: string;
  /** Creates what is needed, and returns path, body, another body, and the list that grows. */
  readonly prepare: () => Promise<{ path: string; body: object; other: object; list: string }>;
}

const CREATIONS: readonly Creation[] = [
  {
    what: "an organization",
    prepare: async () => ({
      path: "/api/organizations",
      body: { name: "New" },
      other: { name: "Other" },
      list: "/api/organizations",
    }),
  },
  {
    what: "a team",
    prepare: async () => ({
      path: "/api/teams",
      body: { name: "New", org_id: home.orgId },
      other: { name: "Other", org_id: home.orgId },
      list: "/api/teams",
    }),
  },
  {
    what: "an organization member",
    prepare: async () => ({
      path: `/api/organizations/${home.orgId}/members`,
      body: { user_id: grace.id },
      other: { user_id: grace.id, role: "admin" },
      list: `/api/organizations/${home.orgId}/members`,
    }),
  },
  {
    what: "a team member",
    prepare: async () => {
      await joinOrganization();
      return {
        path: `/api/teams/${home.teamId}/members`,
        body: { user_id: grace.id },
        other: { user_id: grace.id, role: "admin" },
        list: `/api/teams/${home.teamId}/members`,
      };
    },
  },
];

describe.each(CREATIONS)("creating $what with an Idempotency-Key", ({ prepare }) => {
  const post = (path: string, body: object, key: string) => api.post(path, ada, body, { "idempotency-key": key });
  async function count(list: string): Promise<number> {
    const { body } = await api.get(list, ada);
    return rowsOf(body).length;
  }

  it("creates once, and a replay gets the same status and body and is marked", async () => {
    const { path, body, list } = await prepare();
    const before = await count(list);
    const key = randomUUID();
    const first = await post(path, body, key);
    const replay = await post(path, body, key);
    expect(first.status).toBe(201);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(replay.status).toBe(201);
    expect(replay.body).toEqual(first.body);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await count(list)).toBe(before + 1);
  });

  it("is 409 with another body, and creates nothing", async () => {
    const { path, body, other, list } = await prepare();
    const key = randomUUID();
    await post(path, body, key);
    const before = await count(list);
    await post(path, other, key).refused(409, "idempotency.key_reused");
    expect(await count(list)).toBe(before);
  });

  it("creates exactly one if the same request arrives many times at once", async () => {
    const { path, body, list } = await prepare();
    const before = await count(list);
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 6 }, () => post(path, body, key)));
    const [executed, ...others] = responses.filter(
      ({ status, headers }) => status === 201 && headers.get("idempotent-replayed") === null,
    );
    expect(others).toEqual([]);
    expect(responses.filter((response) => response !== executed).every(isReplayOf(executed))).toBe(true);
    expect(await count(list)).toBe(before + 1);
  });
});

function isReplayOf(executed: ApiResponse | undefined) {
  return ({ status, body, headers }: ApiResponse) =>
    status === 409
      ? body.code === "idempotency.in_progress"
      : status === 201 && headers.get("idempotent-replayed") === "true" && isDeepStrictEqual(body, executed?.body);
}

describe("an Idempotency-Key", () => {
  it("belongs to one user: others can use the same key", async () => {
    const key = { "idempotency-key": "shared" };
    const mine = await api.post("/api/organizations", ada, { name: "Mine" }, key);
    const theirs = await api.post("/api/organizations", grace, { name: "Theirs" }, key);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.headers.get("idempotent-replayed")).toBeNull();
    expect(theirs.body.organization).toMatchObject({ name: "Theirs", owner_id: grace.id });
  });

  it("belongs to one route: other routes can use the same key", async () => {
    const key = { "idempotency-key": "both" };
    const organization = await api.post("/api/organizations", ada, { name: "New", org_id: home.orgId }, key);
    const team = await api.post("/api/teams", ada, { name: "New", org_id: home.orgId }, key);
    expect([organization.status, team.status]).toEqual([201, 201]);
    expect(team.headers.get("idempotent-replayed")).toBeNull();
  });

  it("can be used again after a request that failed", async () => {
    const key = { "idempotency-key": "again" };
    const path = `/api/teams/${home.teamId}/members`;
    await api.post(path, ada, { user_id: grace.id }, key).refused(400);
    await joinOrganization();
    const second = await api.post(path, ada, { user_id: grace.id }, key);
    expect(second.status).toBe(201);
    expect(second.headers.get("idempotent-replayed")).toBeNull();
    // Not even by one with another body that does not pass validation.
    await api.post(path, ada, { user_id: "x" }, { "idempotency-key": "invalid" }).refused(400);
    const third = await api.post(path, ada, { user_id: grace.id }, { "idempotency-key": "invalid" });
    expect(third.body.code).toBe("team.already_a_member");
  });

  it("makes a transfer safe to repeat, although the caller is no longer the owner", async () => {
    await joinOrganization();
    const key = { "idempotency-key": "transfer" };
    const path = `/api/organizations/${home.orgId}/transfer-ownership`;
    const first = await api.post(path, ada, { new_owner_id: grace.id }, key);
    const replay = await api.post(path, ada, { new_owner_id: grace.id }, key);
    expect([first.status, replay.status]).toEqual([200, 200]);
    expect(replay.body).toEqual(first.body);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
  });

  it.each([
    ["of 256 characters", "k".repeat(256)],
    ["that is empty", ""],
    ["beyond ASCII", "cl\u00e9"],
  ])("%s is 400, and nothing is created", async (_, key) => {
    const before = (await api.get("/api/organizations", ada)).body.organizations.length;
    await api
      .post("/api/organizations", ada, { name: "New" }, { "idempotency-key": key })
      .refused(400, "request.invalid_idempotency_key");
    expect((await api.get("/api/organizations", ada)).body.organizations).toHaveLength(before);
  });

  it("may be 255 characters long", async () => {
    const key = { "idempotency-key": "k".repeat(255) };
    await api.post("/api/organizations", ada, { name: "New" }, key).created();
  });
});
