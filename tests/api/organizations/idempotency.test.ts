import { describe, expect, it } from "vitest";
import { type ApiResponse, useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
const ada = beforeEachTest(() => api.person());
const grace = beforeEachTest(() => api.person());
const home = beforeEachTest(() => foundTeam(api, ada));

const joinOrganization = () => api.post(`/api/organizations/${home.orgId}/members`, ada, { user_id: grace.id });
const post = (path: string, body: object, key: string, as = ada) =>
  api.post(path, as, body, { "idempotency-key": key });
const isReplay = ({ headers }: ApiResponse) => headers.get("idempotent-replayed") === "true";
const countOrganizations = async () => (await api.get("/api/organizations", ada).ok()).organizations.length;

// That every POST is replayed, and refuses an invalid key and one of another body, is in tests/api/access.
it("the same request that arrives many times at once creates exactly one, and has one response", async () => {
  const before = await countOrganizations();
  const send = () => post("/api/organizations", { name: "New" }, "at once");
  const responses = await Promise.all(Array.from({ length: 6 }, send));
  const [executed, ...others] = responses.filter((response) => response.status === 201 && !isReplay(response));
  expect(others).toEqual([]);
  for (const response of responses.filter((one) => one !== executed)) {
    if (response.status === 409) expect(response.body.code).toBe("idempotency.in_progress");
    else expect([isReplay(response), response.body]).toEqual([true, executed?.body]);
  }
  const replay = await send();
  expect([isReplay(replay), replay.body]).toEqual([true, executed?.body]);
  expect(replay.headers.get("content-type")).toMatch(/^application\/json/);
  expect(await countOrganizations()).toBe(before + 1);
});

describe("an Idempotency-Key", () => {
  it("belongs to one user and one route: others can use the same key", async () => {
    const mine = await post("/api/organizations", { name: "Mine", org_id: home.orgId }, "shared");
    const theirs = await post("/api/organizations", { name: "Theirs" }, "shared", grace);
    const team = await post("/api/teams", { name: "Mine", org_id: home.orgId }, "shared");
    expect([mine, theirs, team].map((response) => [response.status, isReplay(response)])).toEqual(
      Array(3).fill([201, false]),
    );
    expect(theirs.body).toMatchObject({ organization: { name: "Theirs", owner_id: grace.id } });
  });

  it("can be used again after a request that failed, also with another body that does not pass validation", async () => {
    const path = `/api/teams/${home.teamId}/members`;
    await api.post(path, ada, { user_id: grace.id }, { "idempotency-key": "again" }).refused(400);
    await joinOrganization().created();
    const second = await post(path, { user_id: grace.id }, "again");
    expect([second.status, isReplay(second)]).toEqual([201, false]);
    await api.post(path, ada, { user_id: "x" }, { "idempotency-key": "invalid" }).refused(400);
    expect((await post(path, { user_id: grace.id }, "invalid")).body.code).toBe("team.already_a_member");
  });

  it("may be 255 characters long; an empty one, a longer one and one beyond ASCII are 400 and create nothing", async () => {
    const before = await countOrganizations();
    for (const key of ["k".repeat(256), "", "cl\u00e9"]) {
      const { status, body } = await post("/api/organizations", { name: "New" }, key);
      expect([status, body.code]).toEqual([400, "request.invalid_idempotency_key"]);
    }
    expect(await countOrganizations()).toBe(before);
    expect((await post("/api/organizations", { name: "New" }, "k".repeat(255))).status).toBe(201);
  });
});
