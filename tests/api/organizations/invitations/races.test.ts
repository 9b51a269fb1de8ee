import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";
import { invitationsOf } from "./inviting.ts";

const api = useApi();
const { found, invite, accept, list, membersOf } = invitationsOf(api);
const hive = beforeEachTest(found);
const ROUNDS = 10;

it("the last use of an invitation that 50 people accept at once makes one member, and 49 get 404", async () => {
  const { owner, orgId } = hive;
  const { token } = await invite(owner, orgId);
  const people = await Promise.all(Array.from({ length: 50 }, () => api.person()));
  const responses = await Promise.all(people.map((person) => accept(person, { token })));
  const refused = responses.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(49);
  for (const { status, body } of refused) expect([status, body.code]).toEqual([404, "invitation.not_found"]);
  expect(await membersOf(orgId)).toHaveLength(2);
  expect(await list(owner, orgId)).toMatchObject([{ uses: 1, status: "accepted" }]);
});

it("one person who accepts 10 times at once is one member and uses one use", async () => {
  const { owner, orgId } = hive;
  const [{ token }, ada] = [await invite(owner, orgId, { max_uses: 10 }), await api.person()];
  const responses = await Promise.all(Array.from({ length: 10 }, () => accept(ada, { token })));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
  expect(await list(owner, orgId)).toMatchObject([{ uses: 1 }]);
});

it("two invitations of an address at once leave one pending", async () => {
  const { owner, orgId } = hive;
  const email = (await api.person()).email;
  await Promise.all(Array.from({ length: 5 }, () => invite(owner, orgId, { email })));
  const statuses = (await list(owner, orgId)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual(["pending", "revoked", "revoked", "revoked", "revoked"]);
});

it("accepting while the organization is deleted is 201 or 404, and nothing is left", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { owner, orgId } = await found();
    const { token } = await invite(owner, orgId);
    const ada = await api.person();
    const [accepted] = await Promise.all([
      accept(ada, { token }),
      api.delete(`/api/organizations/${orgId}`, owner).ok(),
    ]);
    expect([201, 404]).toContain(accepted.status);
    expect(await membersOf(orgId)).toEqual([]);
  }
});

it("accepting while the owner revokes is 201 with a member, or 404 without", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { owner, orgId, path } = await found();
    const { id, token } = await invite(owner, orgId);
    const ada = await api.person();
    const [accepted] = await Promise.all([accept(ada, { token }), api.delete(`${path}/${id}`, owner).ok()]);
    expect([201, 404]).toContain(accepted.status);
    expect(await membersOf(orgId)).toHaveLength(accepted.status === 201 ? 2 : 1);
    expect(await list(owner, orgId)).toMatchObject([{ status: "revoked", uses: accepted.status === 201 ? 1 : 0 }]);
  }
});

it("accepting and declining wait for a revocation or an acceptance that is under way, and then are 404", async () => {
  const { owner, orgId } = hive;
  const ada = await api.person();
  for (const [change, answer] of [
    ["revoked_at = now()", (id: string) => accept(ada, { invitation_id: id })],
    ["uses = 1", (id: string) => api.post("/api/invitations/decline", ada, { invitation_id: id })],
  ] as const) {
    const { id } = await invite(owner, orgId, { email: ada.email });
    await api.inTransaction(async (client) => {
      await client.query(`update nectar.invitations set ${change} where id = $1`, [id]);
      const waiting = answer(id);
      await api.untilWaiting(1, waiting);
      await client.query`commit`;
      await waiting.refused(404);
    });
  }
  expect(await membersOf(orgId)).toHaveLength(1);
  expect((await list(owner, orgId)).map(({ status }) => status)).toEqual(["accepted", "revoked"]);
});

it("accepting while the inviter blocks is 201, or 404 without a member", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { owner, orgId } = await found();
    const [{ token }, ada] = [await invite(owner, orgId, { max_uses: 2 }), await api.person()];
    const [accepted] = await Promise.all([
      accept(ada, { token }),
      api.post("/api/blocks", owner, { user_id: ada.id }).created(),
    ]);
    expect([201, 404]).toContain(accepted.status);
    expect(await membersOf(orgId)).toHaveLength(accepted.status === 201 ? 2 : 1);
    await accept(ada, { token }).refused(404, "invitation.not_found");
  }
});
