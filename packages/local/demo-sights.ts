/** Something in the demo data that is worth looking at. */
export interface DemoSight {
  about: string;
  /** Method and path, for the account `demo` unless `about` says otherwise. */
  call: string;
}

/** What to look at first, for whoever has signed in with a demo account. */
export const demoSights: readonly DemoSight[] = [
  { about: "What others share, with and without the text", call: "GET /api/journal?scope=shared" },
  { about: "Entries with only the beginning of each text", call: "GET /api/journal?fields=excerpt" },
  { about: "The image of a mood in one's tone pack", call: "GET /api/tone-packs/active?mood=joyful" },
  { about: "Packs to buy, free ones, a shared one", call: "GET /api/tone-packs" },
  { about: "Half a year of drops", call: "GET /api/drops/transactions" },
  { about: "Collect the drops of this month", call: "POST /api/drops/award-monthly" },
  { about: "Subscribe, on a page without money", call: "POST /api/payment/create-checkout-session" },
  { about: "Drops from people and from the assistant, some unread", call: "GET /api/encouragement-drops/received" },
  { about: "Drops you sent, and what came of them", call: "GET /api/encouragement-drops/sent" },
  { about: "Drops to send today, with what is left of a bonus", call: "GET /api/encouragement-drops/my-drops" },
  { about: "One engagement short of the next badge", call: "GET /api/encouragement-drops/badge" },
  { about: "Who encourages best", call: "GET /api/encouragement-drops/leaderboard" },
  { about: "Goals in every state", call: "GET /api/goals" },
  { about: "What the assistant made of the week", call: "GET /api/chat/analysis" },
  { about: "A battle that is over, and one's part in it", call: "GET /api/workout-window/battle/history" },
  { about: "Your last week in the game", call: "GET /api/workout-window/weekly-stats" },
  { about: "What happened, some of it unread", call: "GET /api/notifications" },
  { about: "A mail, which the mailbox shows", call: "POST /api/email/send" },
  { about: "The mails you sent, one of them bounced", call: "GET /api/email/messages" },
  { about: "What the models cost you this month", call: "GET /api/user/usage" },
  { about: "As admin: drops and model costs of all", call: "GET /api/admin/users" },
  { about: "As admin: mail to the service", call: "GET /api/admin/emails/received" },
  { about: "As admin: check-ins to review", call: "GET /api/workout-window/admin/checkins?status=pending" },
];
