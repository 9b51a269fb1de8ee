import type { Enum } from "#core/enums.generated";
import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { readTeamRole, type TeamRole } from "#database/group-roles";

export interface TeamAccess {
  /** null for an organization member or super admin who is not in the team. */
  readonly role: Enum<"member_role"> | null;
  readonly isSuperAdmin: boolean;
}

/**
 * Reads the caller's role in a team.
 * @throws AppError 404 if it does not exist, 403 if the caller is not in its organization
 */
export async function readTeamAccess(tx: Tx, teamId: string): Promise<TeamAccess> {
  return accessOf(await readTeamRole(tx, teamId));
}

/** @throws AppError 404 if there is no such team, 403 if the caller is not in its organization */
export function accessOf({ role, isSuperAdmin }: TeamRole): TeamAccess {
  if (role === null) throw new AppError("team.not_found");
  if (role === "none" && !isSuperAdmin) throw new AppError("team.not_a_reader");
  return { role: role === "admin" || role === "member" ? role : null, isSuperAdmin };
}

/** Checks that the caller is an admin of the team or a super admin. @throws AppError 403, 404 */
export async function requireAdmin(tx: Tx, teamId: string): Promise<void> {
  const { role, isSuperAdmin } = await readTeamAccess(tx, teamId);
  if (role !== "admin" && !isSuperAdmin) throw new AppError("team.not_an_admin");
}
