import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { cardOf } from "#database/profiles";
import { all, one } from "#database/query";
import { byCreation, type PageQuery, pageOf } from "#http/response/paging";
import { requireOwner } from "../organizations.ts";
import type { Invitation, InvitationQuery } from "./schema.ts";

const STATUS = sql`private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at)`;
const COLUMNS = sql`
  i.id, i.org_id, case when i.email is null then 'link' else 'email' end as kind, i.email, i.role, i.team_ids, i.max_uses,
  i.uses, ${STATUS} as status, i.email_status, i.expires_at, ${cardOf("i.invited_by")} as invited_by, i.created_at
`;

/** Records that the mail provider accepted the mail of an invitation. */
export async function recordSentInvitation(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("invitations").set({ email_status: "sent" }).where("id", "=", id).execute();
}

/** A page of an organization's invitations, newest first. @throws AppError 403, 404 */
export async function listInvitations(tx: Tx, organizationId: string, { status, ...query }: InvitationQuery) {
  await requireOwner(tx, organizationId);
  const withStatus = status === undefined ? sql`true` : sql`${STATUS} = ${status}`;
  return selectPage(tx, sql`i.org_id = ${organizationId} and ${withStatus}`, query);
}

/** A page of the invitations that a user sent, newest first; of organizations that they own. */
export function listSentInvitations(tx: Tx, userId: string, query: PageQuery) {
  return selectPage(tx, sql`i.invited_by = ${userId}`, query);
}

async function selectPage(tx: Tx, where: RawBuilder<unknown>, { cursor, limit }: PageQuery) {
  const rows = await all<Invitation>(tx)`
    select ${COLUMNS}
    from invitations i
    where ${where} and ${afterCursor(["i.created_at", "i.id"], cursor)}
    order by i.created_at desc, i.id desc
    limit ${limit + 1}
  `;
  const page = pageOf(rows, limit, byCreation);
  return { invitations: page.rows, next_cursor: page.next_cursor };
}

/** Revokes an invitation as the owner; revoking it again changes nothing. @throws AppError 403, 404 */
export async function deleteInvitation(tx: Tx, organizationId: string, id: string): Promise<void> {
  await requireOwner(tx, organizationId);
  await findInvitation(tx, organizationId, id);
  await tx
    .updateTable("invitations")
    .set({ revoked_at: sql<string>`now()` })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

/** @throws AppError 404 */
export async function findInvitation(tx: Tx, organizationId: string, id: string): Promise<Invitation> {
  return one<Invitation>(tx, "invitation.not_found")`
    select ${COLUMNS} from invitations i where i.id = ${id} and i.org_id = ${organizationId}
  `;
}
