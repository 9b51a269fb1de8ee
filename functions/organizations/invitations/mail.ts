import { utcDate } from "@nectar/core/calendar-date";
import type { MailContent } from "@nectar/notifications/mail";

/** The same for all invitations: names of people and organizations could be used to write to strangers. */
export const INVITATION_SUBJECT = "You are invited to an organization";

/**
 * The mail of an invitation.
 * @param given.url null if the server does not know the address of the app
 */
export function invitationMail(given: {
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
