import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { lockGroup } from "@nectar/database/group-roles";
import { afterCursor } from "@nectar/database/keyset";
import { lockAccounts, refuseSynthetic } from "@nectar/database/profiles";
import { all, maybeOne } from "@nectar/database/query";
import { consumeQuota } from "@nectar/database/quota";
import { byCreation, pageOf } from "@nectar/http/paging";
import { type RawBuilder, sql } from "kysely";
import { readTeamAccess, requireAdmin, requireOrganizationMember } from "./access.ts";
import type { NewTeam, PageQuery, Team, TeamQuery, TeamUpdate } from "./schema.ts";

/** The columns of a team; its organization is looked up for each row shown, never joined over all organizations. */
const columns = sql.raw(`
  t.id, t.name, t.description, t.org_id, t.admin_id, t.settings,
  (select json_build_object('id', o.id, 'name', o.name) from organizations o where o.id = t.org_id) as organizations,
  t.created_at, t.updated_at`);

/** A page of the teams of the caller's organizations, or of one of them. @throws AppError 403, 404 for that one */
export async function listTeams(tx: Tx, query: TeamQuery) {
  if (query.org_id !== undefined) await requireOrganizationMember(tx, query.org_id);
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
 * Creates a team in an organization that the caller is in; its primary admin (the caller by default) is its first member.
 * @throws AppError 400 when that admin is no organization member, or when a super admin outside of the organization names
 *   none; 403, 404, 429
 */
export async function createTeam(tx: Tx, input: NewTeam, actorId: string): Promise<Team> {
  const { isMember } = await requireOrganizationMember(tx, input.org_id);
  if (!isMember && (input.admin_id ?? null) === null) {
    throw new AppError("team.admin_required", {
      issues: [{ path: "admin_id", message: "is required because you are not a member of the organization" }],
    });
  }
  const adminId = input.admin_id ?? actorId;
  await lockAccounts(tx, [adminId]);
  await admitPrimaryAdmin(tx, input.org_id, adminId, actorId);
  const { id } = await tx
    .insertInto("teams")
    .values({
      org_id: input.org_id,
      name: input.name,
      description: input.description || null,
      admin_id: adminId,
      settings: JSON.stringify(input.settings ?? {}),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return findTeam(tx, id);
}

/**
 * Changes a team: its admins change name, description and settings, the organization's owner changes the primary admin. An
 * `admin_id` that is the present one is no change. A single field that the caller may not change makes the whole update
 * fail.
 * @throws AppError 400 when the new admin is no organization member, 403, 404, 429
 */
export async function updateTeam(tx: Tx, id: string, change: TeamUpdate, actorId: string): Promise<Team> {
  await readTeamAccess(tx, id);
  const { org_id, admin_id: presentAdminId } = await findTeam(tx, id);
  const { actsAsOwner } = await requireOrganizationMember(tx, org_id);
  const { admin_id: wantedAdminId, ...described } = change;
  const adminId = wantedAdminId === presentAdminId ? undefined : wantedAdminId;
  const describes = Object.values(described).some((value) => value !== undefined);
  if (describes || (adminId === undefined && !actsAsOwner)) await requireAdmin(tx, id);
  if (adminId !== undefined) {
    if (!actsAsOwner) {
      throw new AppError("organization.not_the_owner");
    }
    // Before the team, in the same order as account deletion, to avoid deadlocks.
    await lockAccounts(tx, [presentAdminId, adminId]);
    await admitPrimaryAdmin(tx, org_id, adminId, actorId);
  }
  if (describes) {
    await tx
      .updateTable("teams")
      .set({
        name: change.name,
        description: change.description === undefined ? undefined : change.description || null,
        settings: change.settings === undefined ? undefined : JSON.stringify(change.settings ?? {}),
      })
      .where("id", "=", id)
      .execute();
  }
  if (adminId !== undefined) await sql`select private.change_team_admin(${id}, ${adminId})`.execute(tx);
  return findTeam(tx, id);
}

/** Demands that a person can become a team's primary admin, and counts them as added unless they are the caller. */
async function admitPrimaryAdmin(tx: Tx, organizationId: string, adminId: string, actorId: string): Promise<void> {
  await refuseSynthetic(tx, adminId);
  await requireMembershipOf(tx, organizationId, adminId);
  if (adminId !== actorId) await consumeQuota(tx, "member_add");
}

/** Deletes a team as its admin; what was shared with it becomes private. @throws AppError 403, 404 */
export async function deleteTeam(tx: Tx, id: string): Promise<void> {
  await requireAdmin(tx, id);
  await lockGroup(tx, id);
  await tx.deleteFrom("teams").where("id", "=", id).execute();
}

/** Reads a team that the caller may see. @throws AppError 404 */
export async function findTeam(tx: Tx, id: string): Promise<Team> {
  const team = await maybeOne<Team>(tx)`
    select ${columns} from teams t where t.id = ${id}
  `;
  if (team === undefined) throw new AppError("team.not_found");
  return team;
}

/** Demands that a person is in an organization. @throws AppError 400 */
export async function requireMembershipOf(tx: Tx, organizationId: string, userId: string): Promise<void> {
  const member = await tx
    .selectFrom("organization_members")
    .select("user_id")
    .where("org_id", "=", organizationId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (member === undefined) {
    throw new AppError("team.not_an_organization_member");
  }
}
