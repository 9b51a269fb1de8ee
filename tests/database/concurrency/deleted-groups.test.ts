import { beforeAll, beforeEach, expect, it } from "vitest";
import { type ApiResponse, useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import { beforeEachTest } from "#tests/prepare";

/*
 * A group is deleted while people join it, leave it and share with it. Each of them locks what is shared first, then the
 * organization, teams and memberships, so none of them loses a deadlock. Here a deadlock would last longer than a
 * test may take.
 */

const api = useApi();
beforeAll(async () => {
  const { name } = await api.one`select quote_ident(current_database()) as name`;
  await api.query(`alter database ${name} set deadlock_timeout = '1min'`);
});

const owner = beforeEachTest(() => api.person());
const member = beforeEachTest(() => api.person());
const newcomer = beforeEachTest(() => api.person());
const hive = beforeEachTest(() => foundTeam(api, owner, [member]));
beforeEach(() => api.post(`/api/organizations/${hive.orgId}/members`, owner, { user_id: newcomer.id }));
const entry = beforeEachTest(() => write(api, member, sharedWithTeam()));

const sharedWithTeam = () => ({ metadata_visibility: "team", content_visibility: "team", team_id: hive.teamId });

const deleteOrganization = () => api.delete(`/api/organizations/${hive.orgId}`, owner);
const deleteTeam = () => api.delete(`/api/teams/${hive.teamId}`, owner);
const share = () => api.post("/api/journal", member, { title: "Late", content: "Content", ...sharedWithTeam() });
const shareWithBoth = () =>
  api.put(`/api/journal/${entry.id}`, member, { metadata_visibility: "org", org_id: hive.orgId });
const send = () => api.post(`/api/teams/${hive.teamId}/messages`, member, { content: "Late" });
const join = () => api.post(`/api/teams/${hive.teamId}/members`, owner, { user_id: newcomer.id });
const leave = () => api.delete(`/api/organizations/${hive.orgId}/members/${member.id}`, member);
const leaveTeam = () => api.delete(`/api/teams/${hive.teamId}/members/${member.id}`, member);

type Request = () => Promise<ApiResponse>;

/** Two requests stop, one after the other, at the team, which a third transaction has locked, or at each other. */
function atOnce(first: Request, second: Request): Promise<number[]> {
  return api.inTransaction(async ({ query }) => {
    await query`select from nectar.teams where id = ${hive.teamId} for update`;
    const responses = [first()];
    await api.untilWaiting(1);
    responses.push(second());
    await api.untilWaiting(2);
    await query`rollback`;
    return (await Promise.all(responses)).map(({ status }) => status);
  });
}

it.each<[string, first: Request, second: Request, statuses: number[]]>([
  ["an entry is shared while the organization is deleted", share, deleteOrganization, [201, 200]],
  ["an organization is deleted while an entry is shared", deleteOrganization, share, [200, 404]],
  ["an entry is shared with both while the organization is deleted", shareWithBoth, deleteOrganization, [200, 200]],
  ["an organization is deleted while an entry is shared with both", deleteOrganization, shareWithBoth, [200, 404]],
  ["a member joins a team while the organization is deleted", join, deleteOrganization, [201, 200]],
  ["an organization is deleted while a member joins a team", deleteOrganization, join, [200, 404]],
  ["a member leaves while the organization is deleted", leave, deleteOrganization, [200, 200]],
  ["an organization is deleted while a member leaves", deleteOrganization, leave, [200, 404]],
  ["a member leaves a team while the team is deleted", leaveTeam, deleteTeam, [200, 200]],
  ["a team is deleted while a member leaves it", deleteTeam, leaveTeam, [200, 404]],
  ["a message is sent while the team is deleted", send, deleteTeam, [201, 200]],
  ["a team is deleted while a message is sent", deleteTeam, send, [200, 404]],
  ["a message is sent while the organization is deleted", send, deleteOrganization, [201, 200]],
  ["a message is sent while its sender leaves the team", send, leaveTeam, [201, 200]],
  ["an entry is shared while its author leaves", share, leave, [201, 200]],
  ["a member leaves while sharing an entry", leave, share, [200, 403]],
])("%s, without a deadlock", async (_, first, second, statuses) => {
  expect(await atOnce(first, second)).toEqual(statuses);
});
