import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { organizationStanding } from "@nectar/database/standing";

/** What the caller is in an organization. */
export interface OrganizationStanding {
  readonly role: "owner" | "admin" | "member" | null;
  readonly isSuperAdmin: boolean;
}

/**
 * Finds out what the caller is in an organization.
 * @throws AppError 404 when there is none, 403 when the caller may not even see it
 */
export async function standingIn(tx: Tx, organizationId: string): Promise<OrganizationStanding> {
  const { standing, isSuperAdmin } = await organizationStanding(tx, organizationId);
  if (standing === null) throw new AppError("organization.not_found", "There is no such organization.");
  if (standing === "stranger" && !isSuperAdmin) {
    throw new AppError("organization.not_a_reader", "You are not a member of this organization.");
  }
  return { role: standing === "stranger" ? null : standing, isSuperAdmin };
}

/** Demands that the caller owns the organization or is super admin. @throws AppError 403, 404 */
export async function requireOwner(tx: Tx, organizationId: string): Promise<void> {
  const { role, isSuperAdmin } = await standingIn(tx, organizationId);
  if (role !== "owner" && !isSuperAdmin) {
    throw new AppError("organization.not_the_owner", "Only the owner may do this.");
  }
}
