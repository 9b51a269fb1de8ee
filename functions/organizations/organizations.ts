import { sql } from "kysely";
import { AppError } from "#core/errors";
import { optionalGroupColumns } from "#core/text/group-fields";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { lockGroup, requireOrganizationReader } from "#database/group-roles";
import { afterCursor } from "#database/keyset";
import { refuseSynthetic } from "#database/profiles";
import { all, one } from "#database/query";
import { byCreation, type PageQuery, pageOf } from "#http/response/paging";
import type { NewOrganization, Organization, OrganizationUpdate } from "./schema.ts";

const columns = sql.raw("o.id, o.name, o.description, o.owner_id, o.settings, o.created_at, o.updated_at");

/** A page of the caller's organizations, newest first; of all organizations for a super admin. */
export async function listOrganizations(tx: Tx, query: PageQuery) {
  const after = afterCursor(["o.created_at", "o.id"], query.cursor);
  const limit = query.limit + 1;
  const rows = await all<Organization>(tx)`
    select o.* from (
      (select ${columns} from organizations o
       where o.id = any (array(select private.my_organization_ids())) and ${after}
       order by o.created_at desc, o.id desc limit ${limit})
      union
      (select ${columns} from organizations o
       where (select private.is_super_admin()) and ${after}
       order by o.created_at desc, o.id desc limit ${limit})
    ) o
    order by o.created_at desc, o.id desc
    limit ${limit}
  `;
  const page = pageOf(rows, query.limit, byCreation);
  return { organizations: page.rows, next_cursor: page.next_cursor };
}

/** Reads an organization and the caller's role in it. @throws AppError 403, 404 */
export async function readOrganization(tx: Tx, id: string) {
  const { role } = await requireOrganizationReader(tx, id);
  return { organization: await findOrganization(tx, id), user_role: role };
}

/** Creates an organization that the caller owns. */
export async function createOrganization(tx: Tx, input: NewOrganization): Promise<Organization> {
  const { id } = await tx
    .insertInto("organizations")
    .values({ name: input.name, ...optionalGroupColumns(input) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return findOrganization(tx, id);
}

/** Updates an organization as its owner. @throws AppError 403, 404 */
export async function updateOrganization(tx: Tx, id: string, change: OrganizationUpdate): Promise<Organization> {
  await requireOwner(tx, id);
  await tx
    .updateTable("organizations")
    .set({ name: change.name, ...optionalGroupColumns(change) })
    .where("id", "=", id)
    .execute();
  return findOrganization(tx, id);
}

/** Deletes an organization as its owner; what was shared with it becomes private. @throws AppError 403, 404 */
export async function deleteOrganization(tx: Tx, id: string): Promise<void> {
  await requireOwner(tx, id);
  await lockGroup(tx, id);
  await tx.deleteFrom("organizations").where("id", "=", id).execute();
}

/**
 * Makes another member the owner.
 * @throws AppError 400 if that is the owner or not a member, 403, 404 also for a synthetic user and across a block
 */
export async function transferOrganization(tx: Tx, id: string, newOwnerId: string): Promise<Organization> {
  await requireOwner(tx, id);
  const { owner_id } = await findOrganization(tx, id);
  if (owner_id === newOwnerId) throw new AppError("organization.already_owner");
  await refuseSynthetic(tx, newOwnerId);
  await call(tx, "transfer_organization", { orgId: id, newOwnerId });
  return findOrganization(tx, id);
}

/**
 * Hands an organization back that the caller received lately; without another human member it is deleted.
 * @returns null if it was deleted
 * @throws AppError 403, 404, 409 if it was not received, or earlier
 */
export async function declineOrganization(tx: Tx, id: string): Promise<Organization | null> {
  const { role } = await requireOrganizationReader(tx, id);
  if (role !== "owner") throw new AppError("organization.not_the_owner");
  const exists = await call(tx, "decline_organization", { orgId: id });
  return exists ? findOrganization(tx, id) : null;
}

/** Checks that the caller owns the organization or is a super admin. @throws AppError 403, 404 */
export async function requireOwner(tx: Tx, organizationId: string): Promise<void> {
  const { role, isSuperAdmin } = await requireOrganizationReader(tx, organizationId);
  if (role !== "owner" && !isSuperAdmin) throw new AppError("organization.not_the_owner");
}

async function findOrganization(tx: Tx, id: string): Promise<Organization> {
  return one<Organization>(tx, "organization.not_found")`select ${columns} from organizations o where o.id = ${id}`;
}
