import { utcDate } from "#core/time/calendar-date";
import type { Services } from "#http/services/services";
import { describeFailure } from "#http/telemetry/logging";
import { type MailContent, type PreparedMail, sendMail } from "#notifications/mail";
import type { Invitation } from "./schema.ts";

/** The same for all invitations: names of people and organizations could be used to write to strangers. */
export const INVITATION_SUBJECT = "You are invited to an organization";

/** Sends the mail of an invitation. @returns the provider's id of it; null if it was not sent, which is logged */
export async function sendInvitation(
  { email: provider, logger }: Services,
  given: {
    readonly invitation: Invitation;
    readonly mail: PreparedMail;
    readonly url: string | null;
    readonly organization: string;
  },
): Promise<string | null> {
  const { invitation, mail, ...content } = given;
  const { email: to, invited_by, expires_at: expiresAt } = invitation;
  if (provider === null || to === null) return null;
  try {
    return await sendMail(provider, invitationMail({ to, inviter: invited_by.full_name, expiresAt, ...content }), mail);
  } catch (error) {
    logger.warn(describeFailure(error), "the mail of an invitation was not sent");
    return null;
  }
}

/**
 * The mail of an invitation.
 * @param given.url null if the server does not know the address of the app
 */
function invitationMail(given: {
  readonly to: string;
  readonly inviter: string | null;
  readonly organization: string;
  readonly url: string | null;
  readonly expiresAt: string;
}): MailContent {
  const { to, inviter, organization, url, expiresAt } = given;
  const invites = inviter === null ? "You are invited" : `${oneLine(inviter)} invites you`;
  const text = `Hello,

${invites} to join the organization "${oneLine(organization)}" on Nectar.

${url === null ? "Sign in to Nectar with this address to accept or decline." : `Accept or decline here:\n${url}`}

The invitation is for this address only, until ${utcDate(new Date(expiresAt))} (UTC). If you do not expect it, ignore this mail.
`;
  return { to, subject: INVITATION_SUBJECT, html: null, text };
}

function oneLine(name: string): string {
  return name.replaceAll(/[\s\p{Cc}]+/gu, " ");
}
