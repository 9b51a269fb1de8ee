import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type TestApi, useApi } from "../../support/api.ts";
import { foundTeam } from "../../support/groups.ts";
import { useMail } from "../../support/mail.ts";
import type { Person } from "../../support/people.ts";

const mail = await useMail();
const apis = {
  any: useApi({ ...mail.environment, EMAIL_RECIPIENT_POLICY: "any" }),
  members: useApi({ ...mail.environment, EMAIL_RECIPIENT_POLICY: "members" }),
  self: useApi({ ...mail.environment, EMAIL_RECIPIENT_POLICY: "self" }),
};
const unconfigured = useApi();

interface Scene {
  readonly ada: Person;
  /** In an organization with Ada. */
  readonly mate: Person;
  /** In that organization, and never confirmed their address. */
  readonly unconfirmed: Person;
  /** In no organization with Ada. */
  readonly stranger: Person;
}
const scenes = new Map<string, Scene>();
beforeAll(async () => {
  for (const [policy, api] of Object.entries(apis)) {
    const [ada, mate, stranger] = [await api.person(), await api.person(), await api.person()];
    const unconfirmed = await api.person({ confirmed: false });
    await foundTeam(api, ada, [mate, unconfirmed]);
    await foundTeam(api, stranger, []);
    scenes.set(policy, { ada, mate, stranger, unconfirmed });
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
  ["any", { self: 200, mate: 200, unconfirmed: 200, stranger: 200, unknown: 200 }],
  ["members", { self: 200, mate: 200, unconfirmed: 403, stranger: 403, unknown: 403 }],
  ["self", { self: 200, mate: 403, unconfirmed: 403, stranger: 403, unknown: 403 }],
] as const)("under the policy %s", (policy, expected) => {
  it("a person may write to these and nobody else", async () => {
    const { ada, mate, stranger, unconfirmed } = sceneOf(policy);
    const addresses = {
      self: ada.email.toUpperCase(),
      mate: mate.email.toUpperCase(),
      unconfirmed: unconfirmed.email,
      stranger: stranger.email,
      unknown: `${randomUUID()}@example.test`,
    };
    const answers: Record<string, number> = {};
    const refusals = new Set<string>();
    for (const [name, address] of Object.entries(addresses)) {
      const { status, body } = await send(apis[policy], ada, address);
      answers[name] = status;
      if (status !== 200) refusals.add(JSON.stringify(body));
    }
    expect(answers).toEqual(expected);
    expect(mail.mails).toHaveLength(Object.values(expected).filter((status) => status === 200).length);
    // Whom there is and whom there is not, outside of one's organizations, looks the same.
    expect(refusals.size).toBe(policy === "any" ? 0 : 1);
    for (const refusal of refusals) expect(JSON.parse(refusal).code).toBe("email.recipient_not_allowed");
  });
});

it("who has left the organization is a stranger at once", async () => {
  const api = apis.members;
  const [owner, mate] = [await api.person(), await api.person()];
  const { orgId } = await foundTeam(api, owner, [mate]);
  expect((await send(api, owner, mate.email)).status).toBe(200);
  expect((await send(api, mate, owner.email)).status).toBe(200);
  expect((await api.delete(`/api/organizations/${orgId}/members/${mate.id}`, mate)).status).toBe(200);
  expect((await send(api, owner, mate.email)).status).toBe(403);
  expect((await send(api, mate, owner.email)).status).toBe(403);
});

it("a refusal counts nothing, comes before the quota, and leaves its key free", async () => {
  const api = apis.self;
  const ada = await api.person();
  const key = { "idempotency-key": "refused" };
  for (let attempt = 0; attempt < 6; attempt += 1) {
    expect((await send(api, ada, "other@example.test", key)).status).toBe(403);
  }
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await send(api, ada, ada.email)).status).toBe(200);
  expect((await send(api, ada, ada.email)).status).toBe(429);
  expect((await send(api, ada, "other@example.test")).status).toBe(403);
});

it("without a provider it is 503, after what is wrong with the request itself", async () => {
  const ada = await unconfigured.person({ confirmed: false });
  const { status, body } = await send(unconfigured, ada, "a@example.test");
  expect([status, body.code]).toEqual([503, "provider.not_configured"]);
  expect((await send(unconfigured, ada, "nobody")).status).toBe(400);
});
