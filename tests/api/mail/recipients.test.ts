import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type TestApi, useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import { useMail } from "#tests/mail";
import type { Person } from "#tests/people";

const mail = await useMail();
const apis = {
  any: useApi({ environment: { ...mail.environment, EMAIL_RECIPIENT_POLICY: "any" } }),
  members: useApi({ environment: { ...mail.environment, EMAIL_RECIPIENT_POLICY: "members" } }),
  self: useApi({ environment: { ...mail.environment, EMAIL_RECIPIENT_POLICY: "self" } }),
};
const unconfigured = useApi();

interface Scene {
  readonly ada: Person;
  /** Is in an organization with Ada, and has accepted that. */
  readonly mate: Person;
  /** Is in that organization because Ada added them, and has done nothing in it. */
  readonly added: Person;
  /** Is in that organization, and never confirmed their address. */
  readonly unconfirmed: Person;
  /** Is in no organization with Ada. */
  readonly stranger: Person;
}
const scenes = new Map<string, Scene>();
beforeAll(async () => {
  for (const [policy, api] of Object.entries(apis)) {
    const [ada, mate, added, stranger] = [
      await api.person(),
      await api.person(),
      await api.person(),
      await api.person(),
    ];
    const unconfirmed = await api.person({ confirmed: false });
    const { orgId } = await foundTeam(api, ada, [mate, added, unconfirmed]);
    for (const person of [mate, unconfirmed]) await api.post(`/api/organizations/${orgId}/accept`, person);
    await foundTeam(api, stranger, []);
    scenes.set(policy, { ada, mate, added, stranger, unconfirmed });
  }
});

function sceneOf(policy: string): Scene {
  const scene = scenes.get(policy);
  if (scene === undefined) throw new Error("The scene exists only inside tests.");
  return scene;
}

function send(api: TestApi, as: Person, to: string, headers?: Record<string, string>) {
  return api.post("/api/email/send", as, { to, subject: "Hi", text: "Hi" }, headers);
}

describe.each([
  ["any", { self: 200, mate: 200, added: 200, unconfirmed: 200, stranger: 200, unknown: 200 }],
  ["members", { self: 200, mate: 200, added: 403, unconfirmed: 403, stranger: 403, unknown: 403 }],
  ["self", { self: 200, mate: 403, added: 403, unconfirmed: 403, stranger: 403, unknown: 403 }],
] as const)("under the policy %s", (policy, expected) => {
  it("these recipients are allowed and no others", async () => {
    const { ada, mate, added, stranger, unconfirmed } = sceneOf(policy);
    const addresses = {
      self: ada.email.toUpperCase(),
      mate: mate.email.toUpperCase(),
      added: added.email,
      unconfirmed: unconfirmed.email,
      stranger: stranger.email,
      unknown: `${randomUUID()}@example.test`,
    };
    const responses: Record<string, number> = {};
    const refusals = new Set<string>();
    for (const [name, address] of Object.entries(addresses)) {
      const { status, body } = await send(apis[policy], ada, address);
      responses[name] = status;
      if (status !== 200) refusals.add(JSON.stringify(body));
    }
    expect(responses).toEqual(expected);
    expect(mail.mails).toHaveLength(Object.values(expected).filter((status) => status === 200).length);
    // The refusal does not reveal which addresses have an account.
    expect(refusals.size).toBe(policy === "any" ? 0 : 1);
    for (const refusal of refusals) expect(JSON.parse(refusal).code).toBe("email.recipient_not_allowed");
  });
});

describe("under the policy members, an added member receives mail once they", () => {
  type Act = (
    person: Person,
    scene: { readonly orgId: string; readonly teamId: string },
  ) => Promise<{ status: number }>;
  const api = apis.members;
  const entry = { title: "Title", content: "Content" };
  it.each<[string, Act]>([
    ["accept", (person, { orgId }) => api.post(`/api/organizations/${orgId}/accept`, person)],
    ["create a team", (person, { orgId }) => api.post("/api/teams", person, { name: "New", org_id: orgId })],
    [
      "share an entry with the organization",
      (person, { orgId }) => api.post("/api/journal", person, { ...entry, metadata_visibility: "org", org_id: orgId }),
    ],
    [
      "share the content of an entry with the team",
      (person, { teamId }) =>
        api.post("/api/journal", person, { ...entry, content_visibility: "team", team_id: teamId }),
    ],
    [
      "share an entry that they wrote before",
      async (person, { teamId }) => {
        const { id } = (await api.post("/api/journal", person, entry)).body.entry;
        return api.put(`/api/journal/${id}`, person, { metadata_visibility: "team", team_id: teamId });
      },
    ],
    [
      "share a notebook with the team",
      (person, { teamId }) =>
        api.post("/api/notebooks", person, { name: "Notes", metadata_visibility: "team", team_id: teamId }),
    ],
  ])("%s, and only by members of that organization", async (_, act) => {
    const [owner, person, outsider] = [await api.person(), await api.person(), await api.person()];
    const scene = await foundTeam(api, owner, [person]);
    await foundTeam(api, outsider, [person]);
    await send(api, owner, person.email).refused(403);
    expect((await act(person, scene)).status).toBeLessThan(300);
    await send(api, owner, person.email).ok();
    await send(api, outsider, person.email).refused(403);
  });

  it.each<[string, Act]>([
    [
      "write an entry that only they or everyone can see",
      async (person) => {
        await api.post("/api/journal", person, { ...entry, metadata_visibility: "public" });
        return api.post("/api/notebooks", person, { name: "Notes", metadata_visibility: "public" });
      },
    ],
    ["read the organization", (person, { orgId }) => api.get(`/api/organizations/${orgId}`, person)],
  ])("but not if they only %s", async (_, act) => {
    const [owner, person] = [await api.person(), await api.person()];
    const scene = await foundTeam(api, owner, [person]);
    expect((await act(person, scene)).status).toBeLessThan(300);
    await send(api, owner, person.email).refused(403);
  });

  it("act again after they left and were added again, although old shares come back", async () => {
    const [owner, person] = [await api.person(), await api.person()];
    const { orgId } = await foundTeam(api, owner, [person]);
    await api.post("/api/journal", person, { ...entry, metadata_visibility: "org", org_id: orgId });
    await api.delete(`/api/organizations/${orgId}/members/${person.id}`, person);
    await api.post(`/api/organizations/${orgId}/members`, owner, { user_id: person.id });
    await send(api, owner, person.email).refused(403);
  });

  it("but no owner can do that for them", async () => {
    const [owner, person] = [await api.person(), await api.person()];
    const { orgId, teamId } = await foundTeam(api, owner, [person]);
    await api.put(`/api/organizations/${orgId}/members/${person.id}`, owner, { role: "admin", acted_at: "2020-01-01" });
    await api.put(`/api/teams/${teamId}`, owner, { admin_id: person.id });
    await api.post(`/api/organizations/${orgId}/transfer-ownership`, owner, { new_owner_id: person.id });
    await send(api, owner, person.email).refused(403);
  });
});

it("a member who leaves the organization is a stranger at once", async () => {
  const api = apis.members;
  const [owner, mate] = [await api.person(), await api.person()];
  const { orgId } = await foundTeam(api, owner, [mate]);
  await api.post(`/api/organizations/${orgId}/accept`, mate);
  await send(api, owner, mate.email).ok();
  await send(api, mate, owner.email).ok();
  await api.delete(`/api/organizations/${orgId}/members/${mate.id}`, mate).ok();
  await send(api, owner, mate.email).refused(403);
  await send(api, mate, owner.email).refused(403);
});

it("a refusal is not counted, comes before the limits, and does not use up its key", async () => {
  const api = apis.self;
  const ada = await api.person();
  const key = { "idempotency-key": "refused" };
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await send(api, ada, "other@example.test", key).refused(403);
  }
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await send(api, ada, ada.email)).status).toBe(200);
  await send(api, ada, ada.email).refused(429);
  await send(api, ada, "other@example.test").refused(403);
});

it("without a provider a valid request is 503", async () => {
  const ada = await unconfigured.person({ confirmed: false });
  await send(unconfigured, ada, "a@example.test").refused(503, "provider.not_configured");
  await send(unconfigured, ada, "no address").refused(400);
});
