import { expect, it } from "vitest";
import { type ApiResponse, useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { appealing } from "../../api/safety/appealing.ts";
import { REASON } from "../../api/safety/moderating.ts";

/*
 * A person writes without a gap: before one write has ended, the next has begun. What is decided meanwhile waits for the
 * write that began before it, and the next write waits for the decision.
 */

const api = useApi();
const { newEntry, report } = appealing(api);
const admin = beforeTests(() => api.person({ role: "admin" }));
const owner = beforeEachTest(() => api.person());
const writer = beforeEachTest(() => api.person());
const hive = beforeEachTest(() => foundTeam(api, owner, [writer]));
const program = beforeEachTest(async () => {
  const body = { name: "My phone", scopes: ["goals:write"] };
  const { token } = await api.post("/api/user/tokens", writer, body).created();
  return { id: token.id, token: token.secret ?? "" };
});

/** A write that waits as long as a row is locked. */
interface Write {
  readonly row: string;
  send(): Promise<ApiResponse>;
}

const aGoal = async (as = (): { token: string } => writer): Promise<Write> => {
  const { id } = (await api.post("/api/goals", writer, { title: "Swim" }).created()).goal;
  return { row: `nectar.goals where id = '${id}'`, send: () => api.put(`/api/goals/${id}`, as(), { title: "Run" }) };
};
/** Has locked the team and its organization when it comes to the row. */
const aShare = async (): Promise<Write> => {
  const shared = { metadata_visibility: "team", content_visibility: "team", team_id: hive.teamId };
  const { id } = await write(api, writer);
  return {
    row: `nectar.journal_entry_contents where entry_id = '${id}'`,
    send: () => api.put(`/api/journal/${id}`, writer, { ...shared, content: "Later" }),
  };
};

type Decision = () => Promise<ApiResponse>;

const decide = async (kind: "user" | "entry", id: string, decision: object): Promise<Decision> => {
  const path = `/api/admin/reports/${await report(kind, id)}` as const;
  return () => api.put(path, admin, { reason: REASON, ...decision });
};
const suspend = () =>
  decide("user", writer.id, { decision: "suspend", suspend_until: new Date(Date.now() + 86_400_000).toISOString() });
const hide = async () => decide("entry", await newEntry(writer), { decision: "hide" });
const closeAccount = async () => () =>
  api.send("DELETE", "/api/user/account", { as: writer, body: { confirm: "DELETE" } });
const deleteToken = async () => () => api.delete(`/api/user/tokens/${program.id}`, writer);
const removeFromTeam = async () => () => api.delete(`/api/teams/${hive.teamId}/members/${writer.id}`, owner);
const removeMember = async () => () => api.delete(`/api/organizations/${hive.orgId}/members/${writer.id}`, owner);
const deleteTeam = async () => () => api.delete(`/api/teams/${hive.teamId}`, owner);
const deleteOrganization = async () => () => api.delete(`/api/organizations/${hive.orgId}`, owner);

it.each<[string, prepare: () => Promise<Decision>, write: () => Promise<Write>, later: number]>([
  ["a suspension", suspend, aGoal, 403],
  ["hiding a thing", hide, aGoal, 200],
  ["closing the account", closeAccount, aGoal, 403],
  ["deleting a token", deleteToken, () => aGoal(() => program), 401],
  ["the removal from a team", removeFromTeam, aGoal, 200],
  ["the removal from an organization", removeMember, aGoal, 200],
  ["the deletion of a team", deleteTeam, aShare, 404],
  ["the deletion of an organization", deleteOrganization, aShare, 404],
])("%s waits for a write that has begun, and not for the next one", async (_, prepare, newWrite, later) => {
  const [first, second, decision] = [await newWrite(), await newWrite(), await prepare()];
  const next = await api.inTransaction(async ({ query }) => {
    await query(`select from ${second.row} for update`);
    const { begun, decided, waiting } = await api.inTransaction(async (other) => {
      await other.query(`select from ${first.row} for update`);
      const sending = first.send();
      await api.untilWaiting(1, sending);
      const deciding = decision();
      await api.untilWaiting(2, deciding);
      const sendingNext = second.send();
      await api.untilWaiting(3, sendingNext);
      return { begun: sending, decided: deciding, waiting: sendingNext };
    });
    expect([(await begun).status, (await decided).status]).toEqual([200, 200]);
    return { waiting };
  });
  expect((await next.waiting).status).toBe(later);
});
