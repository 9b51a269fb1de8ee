import { type Cards, LEFT } from "./card.ts";

const SIGN_IN = {
  what: "Sign-in: address, hash of the password, sessions with IP address and browser",
  seenBy: "Supabase Auth; Nectar reads the address only",
};

/** What Supabase Auth stores about a person. Its own versions may add tables and columns; these are those that ours has. */
export const AUTH_TABLES = {
  "auth.users": {
    about: SIGN_IN,
    person: "id",
    left: {
      [LEFT.derived]: ["id", "email", "created_at"],
      "A copy of what signing up stated; the profile is what counts.": ["raw_user_meta_data"],
      [LEFT.secret]: [
        "encrypted_password",
        "confirmation_token",
        "recovery_token",
        "email_change_token_new",
        "email_change_token_current",
        "phone_change_token",
        "reauthentication_token",
      ],
      [LEFT.auth]: "the rest",
    },
    erased: { by: "the erasure itself: it deletes this row, and all other rows follow" },
    grows: "with people",
  },
  "auth.identities": {
    about: SIGN_IN,
    left: LEFT.auth,
    erased: "by cascade",
    grows: "with people",
  },
  "auth.sessions": {
    about: SIGN_IN,
    left: LEFT.auth,
    erased: "by cascade",
    grows: "with time",
  },
  "auth.refresh_tokens": {
    about: SIGN_IN,
    left: LEFT.secret,
    erased: "by cascade",
    grows: "with time",
  },
  "auth.flow_state": {
    about: SIGN_IN,
    left: LEFT.auth,
    erased: { by: "private.delete_sign_ins" },
    grows: "with time",
  },
  "auth.audit_log_entries": {
    about: SIGN_IN,
    left: LEFT.auth,
    erased: { by: "private.delete_sign_ins" },
    grows: "with time",
  },
} as const satisfies Cards;
