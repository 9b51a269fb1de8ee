import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { requireOrganizationReader } from "@nectar/database/group-roles";

/** Demands that the caller owns the organization or is super admin. @throws AppError 403, 404 */
export async function requireOwner(tx: Tx, organizationId: string): Promise<void> {
  const { role, isSuperAdmin } = await requireOrganizationReader(tx, organizationId);
  if (role !== "owner" && !isSuperAdmin) {
    throw new AppError("organization.not_the_owner");
  }
}
