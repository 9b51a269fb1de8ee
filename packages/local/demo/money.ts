import type { PersonKey } from "./people.ts";
import type { TonePackKey } from "./tone-packs.ts";

/** A subscription at the payment processor. */
export interface DemoSubscription {
  person: PersonKey;
  customerId: string;
  subscriptionId: string;
  startedDaysAgo: number;
  canceledDaysAgo?: number;
}

/** One has premium, one had it. Robin has none, so that there is somebody to subscribe. */
export const subscriptions: readonly DemoSubscription[] = [
  { person: "maya", customerId: "cus_demo_maya", subscriptionId: "sub_demo_maya", startedDaysAgo: 98 },
  {
    person: "priya",
    customerId: "cus_demo_priya",
    subscriptionId: "sub_demo_priya",
    startedDaysAgo: 131,
    canceledDaysAgo: 38,
  },
];

/** A purchase of a tone pack. */
export interface DemoPurchase {
  person: PersonKey;
  pack: TonePackKey;
  daysAgo: number;
  refundedDaysAgo?: number;
}

/** Who bought which tone pack. */
export const purchases: readonly DemoPurchase[] = [
  { person: "maya", pack: "harbor-light", daysAgo: 29 },
  { person: "demo", pack: "harbor-light", daysAgo: 28 },
  { person: "demo", pack: "four-strings", daysAgo: 16, refundedDaysAgo: 14 },
  { person: "tomas", pack: "four-strings", daysAgo: 12 },
];

/** A correction of a balance by a super admin. */
export interface DemoAdjustment {
  person: PersonKey;
  daysAgo: number;
  amount: number;
  description: string;
}

/** Corrections of balances. */
export const adjustments: readonly DemoAdjustment[] = [
  { person: "demo", daysAgo: 20, amount: 15, description: "Thanks for the report about the tram" },
  { person: "oskar", daysAgo: 33, amount: -10, description: "Given twice by mistake" },
];

/** What one drop was worth in tokens, since when; the newest counts. */
export const conversionRates: readonly { daysAgo: number; rate: number }[] = [
  { daysAgo: 88, rate: 800 },
  { daysAgo: 27, rate: 1200 },
];
