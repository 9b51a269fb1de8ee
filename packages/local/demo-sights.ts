/** Something in the demo data that is worth looking at. */
export interface DemoSight {
  about: string;
  /** What to call, as the account `demo` unless `about` says otherwise. */
  call: string;
}

/** What to look at first, for whoever has signed in with a demo account. */
export const demoSights: readonly DemoSight[] = [
  { about: "What others have shared, some of it without its text", call: "GET /api/journal?scope=shared" },
  { about: "A tone pack bought from Aiko, and its image of a mood", call: "GET /api/tone-packs/active?mood=joyful" },
  { about: "Packs for sale (Four Strings), for free and shared", call: "GET /api/tone-packs" },
  { about: "Half a year of drops", call: "GET /api/drops/transactions" },
  { about: "The drops of this month are still to be collected", call: "POST /api/drops/award-monthly" },
  { about: "A page to subscribe on, which asks for no money", call: "POST /api/payment/create-checkout-session" },
  { about: "As admin: everybody's drops and what models cost", call: "GET /api/admin/users" },
];
