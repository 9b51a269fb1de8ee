import { type RawBuilder, sql } from "kysely";
import { AppError } from "#core/errors";
import { optionalGroupColumns } from "#core/text/group-fields";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { lockGroup, requireOrganizationReader } from "#database/group-roles";
import { afterCursor } from "#database/keyset";
import { lockAccounts, refuseSynthetic, requireReachable } from "#database/profiles";
import { all, one } from "#database/query";
import { consumeQuota } from "#database/quota";
import { byCreation, type PageQuery, pageOf } from "#http/response/paging";
import { readTeamAccess, requireAdmin } from "./access.ts";
import type { NewTeam, Team, TeamQuery, TeamUpdate } from "./schema.ts";

/** The organization is looked up for each team of the page; a join could read all organizations. */
const columns = sql.raw(`
  t.id, t.name, t.description, t.org_id, t.admin_id, t.settings,
  (select json_build_object('id', o.id, 'name', o.name) from organizations o where o.id = t.org_id) as organizations,
  t.created_at, t.updated_at`);

/** A page of the teams of the caller's organizations, newest first, or of one organization. @throws AppError 403, 404 for that one */
export async function listTeams(tx: Tx, query: TeamQuery) {
  if (query.org_id !== undefined) await requireOrganizationReader(tx, query.org_id);
  const limit = query.limit + 1;
  const source =
    query.org_id === undefined
      ? sql`(${teamRows(sql`t.org_id = any (array(select private.my_organization_ids()))`, query)})
            union (${teamRows(sql`(select private.is_super_admin())`, query)})`
      : teamRows(sql`t.org_id = ${query.org_id}`, query);
  const rows = await all<Team>(tx)`
    select ${columns}
    from (${source}) t
    order by t.created_at desc, t.id desc
    limit ${limit}
  `;
  const page = pageOf(rows, query.limit, byCreation);
  return { teams: page.rows, next_cursor: page.next_cursor };
}

function teamRows(where: RawBuilder<unknown>, { cursor, limit }: PageQuery): RawBuilder<unknown> {
  const after = afterCursor(["t.created_at", "t.id"], cursor);
  return sql`
    select t.* from teams t where ${where} and ${after}
    order by t.created_at desc, t.id desc limit ${limit + 1}`;
}

/** Reads a team and the caller's role in it. @throws AppError 403, 404 */
export async function readTeam(tx: Tx, id: string) {
  const { role } = await readTeamAccess(tx, id);
  return { team: await findTeam(tx, id), user_role: role };
}

/**
 * Creates a team in an organization of the caller; its primary admin, by default the caller, is its first member.
 * @throws AppError 400 if that admin is not a member of the organization, or if a super admin who is not a member names
 *   no admin; 403, 404, 429
 */
export async function createTeam(tx: Tx, input: NewTeam, actorId: string): Promise<Team> {
  const { role } = await requireOrganizationReader(tx, input.org_id);
  const adminId = input.admin_id ?? (role === null ? null : actorId);
  if (adminId === null) {
    throw new AppError("team.admin_required", {
      issues: [{ path: "admin_id", message: "is required because you are not a member of the organization" }],
    });
  }
  await lockAccounts(tx, [adminId]);
  await admitPrimaryAdmin(tx, { org_id: input.org_id, team_id: null }, adminId, actorId);
  const { id } = await tx
    .insertInto("teams")
    .values({ org_id: input.org_id, name: input.name, admin_id: adminId, ...optionalGroupColumns(input) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return findTeam(tx, id);
}

/**
 * Updates a team: its admins change name, description and settings, the organization's owner changes the primary admin.
 * The current `admin_id` is not a change. If the caller may not change one of the fields, nothing is changed.
 * @throws AppError 400 if the new admin is not a member of the organization, 403, 404, 429
 */
export async function updateTeam(tx: Tx, id: string, change: TeamUpdate, actorId: string): Promise<Team> {
  await readTeamAccess(tx, id);
  const { org_id, admin_id: oldAdminId } = await findTeam(tx, id);
  const { role, isSuperAdmin } = await requireOrganizationReader(tx, org_id);
  const actsAsOwner = role === "owner" || isSuperAdmin;
  const newAdminId = change.admin_id === oldAdminId ? undefined : change.admin_id;
  const changesFields = [change.name, change.description, change.settings].some((value) => value !== undefined);
  if (changesFields || (newAdminId === undefined && !actsAsOwner)) await requireAdmin(tx, id);
  if (newAdminId !== undefined) {
    if (!actsAsOwner) throw new AppError("organization.not_the_owner");
    // Before the team, in the same order as account deletion, to avoid deadlocks.
    await lockAccounts(tx, [oldAdminId, newAdminId]);
    await admitPrimaryAdmin(tx, { org_id, team_id: id }, newAdminId, actorId);
  }
  if (changesFields) {
    await tx
      .updateTable("teams")
      .set({ name: change.name, ...optionalGroupColumns(change), updated_at: sql`now()` })
      .where("id", "=", id)
      .execute();
  }
  if (newAdminId !== undefined) await call(tx, "change_team_admin", { teamId: id, newAdminId });
  return findTeam(tx, id);
}

/** Checks that a user can become the primary admin of a team, and counts them as added unless they are the caller. */
async function admitPrimaryAdmin(
  tx: Tx,
  { org_id, team_id }: { readonly org_id: string; readonly team_id: string | null },
  adminId: string,
  actorId: string,
): Promise<void> {
  await refuseSynthetic(tx, adminId);
  await requireMembershipOf(tx, org_id, adminId);
  await requireReachable(tx, adminId, team_id);
  if (adminId !== actorId) await consumeQuota(tx, "member_add");
}

/** Deletes a team as its admin; what was shared with it becomes private. @throws AppError 403, 404 */
export async function deleteTeam(tx: Tx, id: string): Promise<void> {
  await requireAdmin(tx, id);
  await lockGroup(tx, id);
  await tx.deleteFrom("teams").where("id", "=", id).execute();
}

/** Reads a team that the caller may see. @throws AppError 404 */
async function findTeam(tx: Tx, id: string): Promise<Team> {
  return one<Team>(tx, "team.not_found")`select ${columns} from teams t where t.id = ${id}`;
}

/**
 * Locks a team against its deletion, which locks it before its members.
 * @returns the id of its organization
 * @throws AppError 404
 */
export async function lockTeam(tx: Tx, id: string): Promise<string> {
  const team = await tx
    .selectFrom("teams")
    .select("org_id")
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => new AppError("team.not_found"));
  return team.org_id;
}

/** Checks that a user is a member of an organization. @throws AppError 400 */
export async function requireMembershipOf(tx: Tx, organizationId: string, userId: string): Promise<void> {
  await tx
    .selectFrom("organization_members")
    .select("user_id")
    .where("org_id", "=", organizationId)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow(() => new AppError("team.not_an_organization_member"));
}
