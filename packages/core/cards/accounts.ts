import { KEPT_DAYS } from "../retention.ts";
import { ABOUT_NO_ONE, type Cards, LEFT } from "./card.ts";

const SETTINGS = {
  what: "Address, settings, time zone, balance, role",
  seenBy: "the person; admins see address, balance and role",
};
const EXPORTS = {
  what: `Exports of one's data, for ${KEPT_DAYS.exportFiles} days, or until someone whose words are in it is erased`,
  seenBy: "the person",
};
const ERASURES = {
  what: "Where to mail the receipt of an erasure, until it is mailed; ids of subscriptions of erased people that were created later or could not be cancelled, until they are",
  seenBy: "no one",
};

/** The account: profile, settings, role, subscription, exports, and its erasure. */
export const ACCOUNT_TABLES = {
  "nectar.profiles": {
    about: { what: "Name, picture", seenBy: "everyone signed in" },
    person: "id",
    users: { select: "signed in", update: "owner" },
    exported: { profile: "all" },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.accounts": {
    about: SETTINGS,
    users: { select: "owner", update: "owner" },
    exported: { profile: { as: { user_id: "id", active_tone_pack_id: "preferences.active_tone_pack_id" } } },
    left: {
      "It says that the account is being erased.": [
        "erasure_requested_at",
        "erases_at",
        "erasing_since",
        "erasure_attempts",
      ],
      [LEFT.internal]: ["version"],
    },
    erased: "by cascade",
    kept: [
      {
        what: "An account that its person wants to erase, unless they restore it or erase it at once",
        days: KEPT_DAYS.closingAccounts,
        in: "request_erasure",
      },
    ],
    grows: "with people",
  },
  "nectar.user_roles": {
    about: SETTINGS,
    users: { select: "super admins" },
    exported: { profile: { as: { user_id: "id" } } },
    left: { [LEFT.internal]: ["granted_at"] },
    erased: "by cascade",
    grows: "few rows",
  },
  "nectar.personal_tokens": {
    about: { what: "Personal tokens: name, scopes, last four characters, hour of the last use", seenBy: "the person" },
    users: { select: "owner" },
    exported: { personal_tokens: "all" },
    left: { [LEFT.secret]: ["token_hash"], [LEFT.derived]: ["user_id"] },
    erased: "by cascade",
    kept: [{ what: "Personal tokens, after they expire", days: KEPT_DAYS.expiredTokens, since: "expires_at" }],
    grows: "with people",
    list: "/api/user/tokens",
  },
  "nectar.subscriptions": {
    about: {
      what: "Subscription: ids at the payment processor, status; no card",
      seenBy: "the person; admins see whether someone is premium",
    },
    users: { select: "owner" },
    exported: { subscriptions: "all" },
    exportedAs: "rows",
    left: { [LEFT.internal]: ["event_created", "event_id", "event_rank", "invoice_created"] },
    erased: "by cascade",
    grows: "with people",
    sample: {
      payment_customer_id: "cus_:person",
      payment_subscription_id: "sub_:person",
      status: "past_due",
      event_created: "now",
      event_rank: 2,
      event_id: "evt_:person",
    },
  },
  "nectar.exports": {
    about: EXPORTS,
    users: { select: "owner", delete: "owner" },
    left: "It is about exports themselves.",
    erased: "by cascade",
    kept: [{ what: "Which exports there were", days: KEPT_DAYS.exports, since: "created_at" }],
    grows: "with time",
  },
  "private.erasure_receipts": {
    about: ERASURES,
    left: LEFT.internal,
    erased: { by: "the job that erases accounts, when it has mailed the receipt" },
    kept: [{ what: "Where to mail the receipt of an erasure, if that fails", hours: 23, in: "claim_erasure_receipt" }],
    grows: "with time, for jobs",
  },
  "private.subscriptions_to_cancel": {
    about: ERASURES,
    left: LEFT.internal,
    erased: { by: "the job that erases accounts, when it has cancelled the subscription" },
    kept: "until done",
    grows: "with time, for jobs",
  },
  "private.payment_events": {
    ...ABOUT_NO_ONE,
    grows: "with time, for jobs",
  },
} as const satisfies Cards;
