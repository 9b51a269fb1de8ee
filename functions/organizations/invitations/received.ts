import { call, only } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { all, value } from "#database/query";
import { byCreation, type PageQuery, pageOf } from "#http/response/paging";
import { findMember } from "../members.ts";
import type { Acceptance, InvitationPreview, ReceivedInvitation } from "./schema.ts";
import { hashToken } from "./token.ts";

/** A page of the pending invitations to the caller's confirmed address, newest first. */
export async function listReceivedInvitations(tx: Tx, { cursor = FIRST_PAGE, limit }: PageQuery) {
  const rows = await all<{ invitation: ReceivedInvitation }>(tx)`
    select private.list_my_invitations(${cursor.at}::timestamptz, ${cursor.id}::uuid, ${limit + 1}) as invitation
  `;
  const page = pageOf(
    rows.map(({ invitation }) => invitation),
    limit,
    byCreation,
  );
  return { invitations: page.rows, next_cursor: page.next_cursor };
}

/** Reads the invitation with a token. @throws AppError 404 if the caller cannot use it */
export async function previewInvitation(tx: Tx, token: string): Promise<InvitationPreview> {
  return value<InvitationPreview>(tx)`select private.preview_invitation(decode(${hashToken(token)}, 'hex'))`;
}

/**
 * Makes the caller a member of the organization and of the teams of an invitation.
 * @returns also whether the caller was no member before
 * @throws AppError 404 if the caller cannot use it
 */
export async function acceptInvitation(tx: Tx, actorId: string, { token, invitation_id }: Acceptance) {
  const accepted = only(
    await call(tx, "accept_invitation", {
      tokenHash: token === undefined ? null : Buffer.from(hashToken(token), "hex"),
      invitationId: invitation_id,
    }),
  );
  return {
    isNew: accepted.is_new,
    joined: {
      member: await findMember(tx, accepted.org_id, actorId),
      organization: { id: accepted.org_id, name: accepted.org_name },
      skipped_team_ids: accepted.skipped_team_ids,
    },
  };
}

/** Declines an invitation to the caller's confirmed address. @throws AppError 404 */
export async function declineInvitation(tx: Tx, id: string): Promise<void> {
  await call(tx, "decline_invitation", { invitationId: id });
}
