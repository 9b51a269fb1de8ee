/** Days for which rows and files are kept, where code or a sentence needs them without the cards of all tables. */
export const KEPT_DAYS = {
  closingAccounts: 7,
  expiredTokens: 30,
  exports: 30,
  exportFiles: 7,
  // By then nothing is sent about their date any more.
  gameNotices: 30,
  imports: 30,
  invitations: 30,
  receivedMails: 30,
  removedThings: 90,
  sentMails: 30,
  squadMessages: 30,
  trash: 30,
} as const;

/** How long the new owner of an organization can hand it back; private.decline_organization has the same number. */
export const HAND_BACK_DAYS = 14;

/** How long a decision of an admin can be appealed; private.appeal_until has the same number. */
export const APPEAL_DAYS = 183;

/** How long the response to a request with an Idempotency-Key is stored. */
export const RESPONSE_KEPT_HOURS = 24;
