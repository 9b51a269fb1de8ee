import { sql } from "kysely";
import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { value } from "#database/query";
import { consumeQuota, requireUnits } from "#database/quota";
import type { PreparedMail } from "#notifications/mail";
import { requireOwner } from "../organizations.ts";
import { findInvitation } from "./invitations.ts";
import type { Invitation, NewInvitation } from "./schema.ts";

/** Most invitations by address of an organization in a UTC day. */
const MAX_BY_ADDRESS = 20;

/** An invitation that was created, and its mail if there is one to send. */
export interface NewlyInvited {
  readonly invitation: Invitation;
  readonly mail: PreparedMail | null;
}

/**
 * Creates an invitation as the owner. A pending one of the same address is revoked.
 * @param context.tokenHash SHA-256 of the token, in hexadecimal
 * @param context.mailSubject null if the server sends no mail
 * @throws AppError 400 for a team of another organization, 403, 404, 409 for the address of a member, 429
 */
export async function createInvitation(
  tx: Tx,
  organizationId: string,
  { email, role, team_ids, max_uses, expires_in_hours }: NewInvitation,
  context: { readonly tokenHash: string; readonly mailSubject: string | null; readonly now: Date },
): Promise<NewlyInvited> {
  await requireOwner(tx, organizationId);
  if (email !== undefined) await call(tx, "lock_invitee", { address: email });
  await lockOrganization(tx, organizationId);
  await requireTeams(tx, organizationId, team_ids);
  if (email !== undefined) {
    const isMember = await call(tx, "is_known_member", { orgId: organizationId, address: email });
    if (isMember) throw new AppError("organization.already_a_member");
    await requireFewToday(tx, organizationId);
    await consumeQuota(tx, "invitation");
  }
  const { tokenHash: token_hash, mailSubject: mail_subject, now: moment } = context;
  const { invitation_id, message_id, reply_to } = await call(tx, "record_invitation", {
    orgId: organizationId,
    invitation: { email, role, team_ids, max_uses, expires_in_hours, token_hash, mail_subject },
    moment,
  });
  return {
    invitation: await findInvitation(tx, organizationId, invitation_id),
    mail: message_id === null || reply_to === null ? null : { id: message_id, replyTo: reply_to, isSuppressed: false },
  };
}

/**
 * Locks the organization of the caller: one invitation at a time, so that those of a day are counted, and only one of an
 * address is pending.
 * @throws AppError 403 if the caller may not update it any more
 */
async function lockOrganization(tx: Tx, id: string): Promise<void> {
  await tx
    .selectFrom("organizations")
    .select("id")
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError("auth.forbidden"));
}

/** @throws AppError 400 unless all of them are teams of the organization */
async function requireTeams(tx: Tx, organizationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await tx
    .selectFrom("teams")
    .select("id")
    .where("org_id", "=", organizationId)
    .where("id", "in", ids)
    .execute();
  if (found.length < new Set(ids).size) throw new AppError("invitation.unknown_team");
}

const TODAY = sql`date_trunc('day', now(), 'UTC')`;

/** @throws AppError 429, with the seconds until tomorrow, if the organization has no invitation by address left today */
async function requireFewToday(tx: Tx, organizationId: string): Promise<void> {
  const seconds = await value<number>(tx)`
    select case
      when count(*) < ${MAX_BY_ADDRESS} then 0
      else greatest(1, ceil(extract(epoch from ${TODAY} + interval '1 day' - clock_timestamp())))::integer
    end
    from invitations i
    where i.org_id = ${organizationId} and i.email is not null and i.created_at >= ${TODAY}
  `;
  requireUnits("invitation", seconds);
}
