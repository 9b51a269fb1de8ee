/** Days for which rows and files are kept, where a sentence of the reference says so; their cards have the same numbers. */
export const KEPT_DAYS = {
  closingAccounts: 7,
  exports: 30,
  exportFiles: 7,
  imports: 30,
  invitations: 30,
  receivedMails: 30,
  sentMails: 30,
  squadMessages: 30,
  trash: 30,
} as const;

/** How long the new owner of an organization can hand it back; private.decline_organization has the same number. */
export const HAND_BACK_DAYS = 14;
