import { AppError } from "@nectar/core/errors";
import { sql } from "kysely";
import type { Tx } from "./transaction.ts";

/** What the caller is in an organization; null when there is no such organization. */
export interface OrganizationStanding {
  readonly standing: "owner" | "admin" | "member" | "stranger" | null;
  readonly isSuperAdmin: boolean;
}

/** What the caller is in a team; null when there is no such team. */
export interface TeamStanding {
  readonly standing: "admin" | "member" | "organization_member" | "stranger" | null;
  readonly isSuperAdmin: boolean;
}

/** Finds out what the caller is in an organization. */
export async function organizationStanding(tx: Tx, organizationId: string): Promise<OrganizationStanding> {
  const { rows } = await sql<OrganizationStanding>`
    select private.organization_standing(${organizationId}) as standing, private.is_super_admin() as "isSuperAdmin"
  `.execute(tx);
  return rows[0] ?? { standing: null, isSuperAdmin: false };
}

/**
 * Demands that the caller may see an organization: as a member, or as super admin.
 * @returns the caller's role in it; null for a super admin who is no member
 * @throws AppError 404 when there is none, 403 when the caller may not even see it
 */
export async function requireOrganizationReader(
  tx: Tx,
  organizationId: string,
): Promise<{ role: "owner" | "admin" | "member" | null; isSuperAdmin: boolean }> {
  const { standing, isSuperAdmin } = await organizationStanding(tx, organizationId);
  if (standing === null) throw new AppError("organization.not_found", "There is no such organization.");
  if (standing === "stranger" && !isSuperAdmin) {
    throw new AppError("organization.not_a_reader", "You are not a member of this organization.");
  }
  return { role: standing === "stranger" ? null : standing, isSuperAdmin };
}

/** Finds out what the caller is in a team. */
export async function teamStanding(tx: Tx, teamId: string): Promise<TeamStanding> {
  const { rows } = await sql<TeamStanding>`
    select private.team_standing(${teamId}) as standing, private.is_super_admin() as "isSuperAdmin"
  `.execute(tx);
  return rows[0] ?? { standing: null, isSuperAdmin: false };
}
