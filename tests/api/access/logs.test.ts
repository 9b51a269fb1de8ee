import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const CRON_SECRET = "canary-cron-secret";
const api = useApi({ environment: { LOG_LEVEL: "trace", MAINTENANCE_CRON_SECRET: CRON_SECRET } });
/** Words in the requests below that must never be logged. */
const CANARIES = ["title", "content", "tag", "mood", "name", "search", "key"].map((word) => `canary-${word}`);

const ada = beforeTests(() => api.person({ email: "canary-address@example.test", fullName: "canary-name" }));
const grace = beforeTests(() => api.person());
beforeAll(async () => {
  const { teamId } = await foundTeam(api, ada, [grace]);
  const entry = { title: "canary-title", content: "canary-content", mood: "canary-mood", tags: ["canary-tag"] };
  const written = await api.post("/api/journal", ada, entry, { "idempotency-key": "canary-key" });
  await api.post("/api/journal", ada, entry, { "idempotency-key": "canary-key" });
  await api.get("/api/journal?q=canary-search&tag=canary-tag&mood=canary-mood", ada);
  await api.put("/api/user/profile", ada, { full_name: "canary-name" });
  await api.post("/api/auth/verify", undefined, { token: ada.token });
  await api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": CRON_SECRET } });
  // Requests that are refused.
  const unended = `{"title": "canary-title", "content": "canary-content"`;
  await api.send("POST", "/api/journal", { as: ada, body: unended }).refused(400, "request.malformed_json");
  await api.post("/api/journal", ada, { ...entry, title: "canary-title".repeat(100) }).invalid("title");
  await api.get(`/api/journal/${written.body.entry.id}`, grace).refused(404);
  await api.delete(`/api/teams/${teamId}`, grace).refused(403);
  const headers = { authorization: `Bearer ${ada.token}x` };
  await api.send("GET", "/api/journal?q=canary-search", { headers }).refused(401);
  // A request that fails in the database, which quotes what it was given.
  await api.query`alter table nectar.journal_entries
    add constraint broken check (title <> 'canary-title') not valid`;
  const failed = await api.post("/api/journal", ada, entry).refused(500);
  expect(JSON.stringify(failed)).not.toContain("canary");
});

describe("the log", () => {
  it("has a line for every request, with route, status and request id", () => {
    const lines = parsed();
    expect(lines.length).toBeGreaterThan(10);
    expect(lines).toContainEqual(
      expect.objectContaining({ method: "POST", route: "/api/journal", status: 201, request_id: expect.any(String) }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ method: "DELETE", route: "/api/teams/:id", status: 403 }));
  });

  it("says what kind a failure was and where it happened", () => {
    const failure = parsed().find((line) => line.failure !== undefined);
    expect(failure).toMatchObject({ level: "error", failure: { code: "23514", constraint: "broken" } });
  });

  it.each(CANARIES)("never contains %s", (word) => {
    expect(api.logged()).not.toContain(word);
  });

  it("never contains a token or a part of one, a secret, an address or a database password", () => {
    const log = api.logged();
    const [header = "", payload = "", signature = ""] = ada.token.split(".");
    const password = new URL(api.apiUrl).password;
    for (const secret of [header, payload, signature, CRON_SECRET, ada.email, grace.email, password]) {
      expect(secret.length).toBeGreaterThan(5);
      expect(log).not.toContain(secret);
    }
  });
});

function parsed(): Record<string, unknown>[] {
  return api
    .logged()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
