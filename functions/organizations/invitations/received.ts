import { call, only } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { digest } from "#http/access/secrets";
import { byCreation, type PageQuery, pageOf } from "#http/response/paging";
import { findMember } from "../members.ts";
import type { Acceptance, InvitationPreview } from "./schema.ts";

/** A page of the pending invitations to the caller's confirmed address, newest first. */
export async function listReceivedInvitations(tx: Tx, { cursor = FIRST_PAGE, limit }: PageQuery) {
  const rows = await call(tx, "list_my_invitations", { after: cursor.at, afterId: cursor.id, max: limit + 1 });
  const page = pageOf(rows, limit, byCreation);
  return { invitations: page.rows, next_cursor: page.next_cursor };
}

/** Reads the invitation with a token. @throws AppError 404 if the caller cannot use it */
export async function previewInvitation(tx: Tx, token: string): Promise<InvitationPreview> {
  const { id: _, ...preview } = await call(tx, "preview_invitation", { tokenHash: digest(token) });
  return preview;
}

/**
 * Makes the caller a member of the organization and of the teams of an invitation.
 * @returns also whether the caller was no member before
 * @throws AppError 404 if the caller cannot use it
 */
export async function acceptInvitation(tx: Tx, actorId: string, { token, invitation_id }: Acceptance) {
  const accepted = only(
    await call(tx, "accept_invitation", {
      tokenHash: token === undefined ? null : digest(token),
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
