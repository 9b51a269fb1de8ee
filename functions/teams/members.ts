import { sql } from "kysely";
import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { lockMembership } from "#database/group-roles";
import { afterCursor } from "#database/keyset";
import { requireReachable } from "#database/profiles";
import { type PageQuery, pageOf } from "#http/response/paging";
import { readTeamAccess, requireAdmin } from "./access.ts";
import type { NewMember, TeamMember } from "./schema.ts";
import { lockTeam, requireMembershipOf } from "./teams.ts";

type MemberRow = Awaited<ReturnType<ReturnType<typeof members>["executeTakeFirstOrThrow"]>>;

/** A page of a team's members, newest first. @throws AppError 403, 404 */
export async function listMembers(tx: Tx, teamId: string, query: PageQuery) {
  await readTeamAccess(tx, teamId);
  const rows = await members(tx, teamId)
    .where(afterCursor(["m.joined_at", "m.user_id"], query.cursor))
    .orderBy("m.joined_at", "desc")
    .orderBy("m.user_id", "desc")
    .limit(query.limit + 1)
    .execute();
  const page = pageOf(rows, query.limit, (row) => ({ at: row.joined_at, id: row.user_id }));
  return { members: page.rows.map(present), next_cursor: page.next_cursor };
}

/**
 * Adds an organization member to a team as its admin.
 * @throws AppError 400, 403, 404 for an unknown or synthetic user and across a block, 409 for a member
 */
export async function addMember(tx: Tx, teamId: string, input: NewMember): Promise<TeamMember> {
  await requireAdmin(tx, teamId);
  const org_id = await lockTeam(tx, teamId);
  await requireReachable(tx, input.user_id, teamId);
  await requireMembershipOf(tx, org_id, input.user_id);
  await tx
    .insertInto("team_members")
    .values({ team_id: teamId, org_id, user_id: input.user_id, role: input.role })
    .onConflict((conflict) => conflict.doNothing())
    .returning("user_id")
    .executeTakeFirstOrThrow(() => new AppError("team.already_a_member"));
  return present(await findMember(tx, teamId, input.user_id));
}

/** Changes a member's role as an admin. @throws AppError 400 for the primary admin, 403, 404 also across a block */
export async function updateMember(
  tx: Tx,
  teamId: string,
  userId: string,
  role: TeamMember["role"],
): Promise<TeamMember> {
  await requireAdmin(tx, teamId);
  const member = await findMember(tx, teamId, userId);
  if (member.is_primary) throw primaryIsProtected();
  if (role === "admin") await requireReachable(tx, userId, teamId);
  await tx
    .updateTable("team_members")
    .set({ role })
    .where("team_id", "=", teamId)
    .where("user_id", "=", userId)
    .execute();
  return present(await findMember(tx, teamId, userId));
}

/**
 * Removes a member, as an admin or as the member.
 * @throws AppError 400 if another admin removes the primary admin, 403, 404, 409 for the last admin
 */
export async function removeMember(tx: Tx, teamId: string, userId: string, actorId: string): Promise<void> {
  if (userId === actorId) await readTeamAccess(tx, teamId);
  else await requireAdmin(tx, teamId);
  await lockMembership(tx, teamId, userId);
  const member = await findMember(tx, teamId, userId);
  if (member.is_primary && userId !== actorId) throw primaryIsProtected();
  await tx.deleteFrom("team_members").where("team_id", "=", teamId).where("user_id", "=", userId).execute();
}

async function findMember(tx: Tx, teamId: string, userId: string): Promise<MemberRow> {
  return members(tx, teamId)
    .where("m.user_id", "=", userId)
    .executeTakeFirstOrThrow(() => new AppError("member.not_found"));
}

function members(tx: Tx, teamId: string) {
  return tx
    .selectFrom("team_members as m")
    .innerJoin("teams as t", "t.id", "m.team_id")
    .innerJoin("profiles as p", "p.id", "m.user_id")
    .select(["m.user_id", "p.full_name", "p.avatar_url", "m.role", sql<boolean>`m.role = 'admin'`.as("is_admin")])
    .select(["m.joined_at", sql<boolean>`m.user_id = t.admin_id`.as("is_primary")])
    .where("m.team_id", "=", teamId);
}

function present({ joined_at, is_primary, ...member }: MemberRow): TeamMember {
  return is_primary ? member : { ...member, joined_at };
}

function primaryIsProtected(): AppError {
  return new AppError("team.primary_admin_protected", {
    issues: [{ path: "userId", message: "is the primary admin; change admin_id of the team" }],
  });
}
