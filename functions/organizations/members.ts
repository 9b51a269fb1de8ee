import { sql } from "kysely";
import type { Enum } from "#core/enums.generated";
import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { lockMembership, requireOrganizationReader } from "#database/group-roles";
import { afterCursor } from "#database/keyset";
import { requireReachable } from "#database/profiles";
import { type PageQuery, pageOf } from "#http/response/paging";
import { requireOwner } from "./organizations.ts";
import type { NewMember, OrganizationMember } from "./schema.ts";

type MemberRow = Awaited<ReturnType<ReturnType<typeof members>["executeTakeFirstOrThrow"]>>;

/** A page of an organization's members, newest first. @throws AppError 403, 404 */
export async function listMembers(tx: Tx, organizationId: string, query: PageQuery) {
  await requireOrganizationReader(tx, organizationId);
  const rows = await members(tx, organizationId)
    .where(afterCursor(["m.joined_at", "m.user_id"], query.cursor))
    .orderBy("m.joined_at", "desc")
    .orderBy("m.user_id", "desc")
    .limit(query.limit + 1)
    .execute();
  const page = pageOf(rows, query.limit, (row) => ({ at: row.joined_at, id: row.user_id }));
  return { members: page.rows.map(present), next_cursor: page.next_cursor };
}

/**
 * Adds a member as the owner.
 * @throws AppError 400 for the role owner, 403, 404 for an unknown or synthetic user and across a block, 409 for a member
 */
export async function addMember(tx: Tx, organizationId: string, input: NewMember): Promise<OrganizationMember> {
  const role = grantableRole(input.role);
  await requireOwner(tx, organizationId);
  await requireReachable(tx, input.user_id, organizationId);
  await tx
    .insertInto("organization_members")
    .values({ org_id: organizationId, user_id: input.user_id, role })
    .onConflict((conflict) => conflict.doNothing())
    .returning("user_id")
    .executeTakeFirstOrThrow(() => new AppError("organization.already_a_member"));
  return findMember(tx, organizationId, input.user_id);
}

/** Accepts the caller's own membership; accepting again changes nothing. @throws AppError 403, 404 */
export async function acceptMembership(tx: Tx, organizationId: string, actorId: string): Promise<OrganizationMember> {
  await requireOrganizationReader(tx, organizationId);
  const member = await findMember(tx, organizationId, actorId);
  await call(tx, "record_member_acted", { groups: [organizationId] });
  return member;
}

/** Changes a member's role as the owner. @throws AppError 400 for the role owner or the owner's role, 403, 404 also across a block */
export async function updateMember(
  tx: Tx,
  organizationId: string,
  userId: string,
  wanted: NewMember["role"],
): Promise<OrganizationMember> {
  const role = grantableRole(wanted);
  await requireOwner(tx, organizationId);
  const member = await findMember(tx, organizationId, userId);
  if (member.is_owner) throw useTransfer();
  if (role === "admin") await requireReachable(tx, userId, organizationId);
  await tx
    .updateTable("organization_members")
    .set({ role })
    .where("org_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
  return findMember(tx, organizationId, userId);
}

/** Removes a member, as the owner or as the member. @throws AppError 403, 404, 409 for the owner */
export async function removeMember(tx: Tx, organizationId: string, userId: string, actorId: string): Promise<void> {
  if (userId === actorId) await requireOrganizationReader(tx, organizationId);
  else await requireOwner(tx, organizationId);
  await lockMembership(tx, organizationId, userId);
  await findMember(tx, organizationId, userId);
  await tx
    .deleteFrom("organization_members")
    .where("org_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
}

/** Reads a member whose organization the caller sees. @throws AppError member.not_found */
export async function findMember(tx: Tx, organizationId: string, userId: string): Promise<OrganizationMember> {
  const row = await members(tx, organizationId)
    .where("m.user_id", "=", userId)
    .executeTakeFirstOrThrow(() => new AppError("member.not_found"));
  return present(row);
}

function members(tx: Tx, organizationId: string) {
  return tx
    .selectFrom("organization_members as m")
    .innerJoin("organizations as o", "o.id", "m.org_id")
    .innerJoin("profiles as p", "p.id", "m.user_id")
    .select([
      "m.user_id",
      "p.full_name",
      "p.avatar_url",
      sql<OrganizationMember["role"]>`case when m.user_id = o.owner_id then 'owner' else m.role::text end`.as("role"),
      sql<boolean>`m.user_id = o.owner_id`.as("is_owner"),
      "m.joined_at",
    ])
    .where("m.org_id", "=", organizationId);
}

function present({ joined_at, ...member }: MemberRow): OrganizationMember {
  return member.is_owner ? member : { ...member, joined_at };
}

function grantableRole(role: NewMember["role"]): Enum<"member_role"> {
  if (role === "owner") throw useTransfer();
  return role;
}

function useTransfer(): AppError {
  return new AppError("organization.use_transfer", {
    issues: [{ path: "role", message: "use transfer-ownership" }],
  });
}
