import type { Enum } from "#core/enums.generated";
import { AppError } from "#core/errors";
import { call, called } from "./call.ts";
import type { Tx } from "./transaction.ts";

/** The caller's role in an organization; null if there is no such organization. */
export interface OrganizationRole {
  readonly role: Enum<"organization_role"> | null;
  readonly isSuperAdmin: boolean;
}

/** The caller's role in a team; null if there is no such team. */
export interface TeamRole {
  readonly role: Enum<"team_role"> | null;
  readonly isSuperAdmin: boolean;
}

/** Reads the caller's role in an organization. */
export async function readOrganizationRole(tx: Tx, organizationId: string): Promise<OrganizationRole> {
  return tx
    .selectNoFrom([
      called("my_organization_role", { orgId: organizationId }).as("role"),
      called("is_super_admin").as("isSuperAdmin"),
    ])
    .executeTakeFirstOrThrow();
}

/**
 * Requires that the caller may see an organization: as a member, or as super admin.
 * @returns the caller's role in it; null for a super admin who is no member
 * @throws AppError 404, 403
 */
export async function requireOrganizationReader(
  tx: Tx,
  organizationId: string,
): Promise<{ role: "owner" | "admin" | "member" | null; isSuperAdmin: boolean }> {
  const { role, isSuperAdmin } = await readOrganizationRole(tx, organizationId);
  if (role === null) throw new AppError("organization.not_found");
  if (role === "none" && !isSuperAdmin) throw new AppError("organization.not_a_reader");
  return { role: role === "none" ? null : role, isSuperAdmin };
}

/** Reads the caller's role in a team. */
export async function readTeamRole(tx: Tx, teamId: string): Promise<TeamRole> {
  return tx
    .selectNoFrom([called("my_team_role", { teamId }).as("role"), called("is_super_admin").as("isSuperAdmin")])
    .executeTakeFirstOrThrow();
}

/** Locks an organization or a team and all that its deletion changes. Call it before deleting it, to avoid deadlocks. */
export async function lockGroup(tx: Tx, id: string): Promise<void> {
  await call(tx, "lock_group", { group: id });
}

/** Locks what the removal of a member from an organization or a team changes. Call it before removing them. */
export async function lockMembership(tx: Tx, groupId: string, userId: string): Promise<void> {
  await call(tx, "lock_membership", { group: groupId, userId });
}
