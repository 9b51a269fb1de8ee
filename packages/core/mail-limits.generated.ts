/** Written by `npm run generate`. */

/** How many mails a person may send, in a number of hours, to everyone or to one address. */
export const MAIL_LIMITS = {
  in_1_hours: 20,
  in_24_hours: 50,
  in_24_hours_to_one_address: 5,
} as const;
