import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { readTeamRole, requireOrganizationReader } from "@nectar/database/group-roles";

/** What the caller may do in a team. */
export interface TeamAccess {
  /** null for an organization member or super admin who is not in the team. */
  readonly role: "admin" | "member" | null;
  readonly isSuperAdmin: boolean;
}

/**
 * Reads the caller's role in a team.
 * @throws AppError 404 when there is none, 403 when the caller is not even in its organization
 */
export async function readTeamAccess(tx: Tx, teamId: string): Promise<TeamAccess> {
  const { role, isSuperAdmin } = await readTeamRole(tx, teamId);
  if (role === null) throw new AppError("team.not_found");
  if (role === "none" && !isSuperAdmin) {
    throw new AppError("team.not_a_reader");
  }
  return { role: role === "admin" || role === "member" ? role : null, isSuperAdmin };
}

/** Demands that the caller administers the team or is super admin. @throws AppError 403, 404 */
export async function requireAdmin(tx: Tx, teamId: string): Promise<void> {
  const { role, isSuperAdmin } = await readTeamAccess(tx, teamId);
  if (role !== "admin" && !isSuperAdmin) throw new AppError("team.not_an_admin");
}

/**
 * Demands that the caller is in an organization, or is super admin.
 * @returns whether the caller is a member, and whether the caller owns the organization or may act as its owner
 * @throws AppError 403, 404
 */
export async function requireOrganizationMember(
  tx: Tx,
  organizationId: string,
): Promise<{ isMember: boolean; actsAsOwner: boolean }> {
  const { role, isSuperAdmin } = await requireOrganizationReader(tx, organizationId);
  return { isMember: role !== null, actsAsOwner: role === "owner" || isSuperAdmin };
}
