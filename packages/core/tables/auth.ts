import { type Card, LEFT } from "./card.ts";

const SIGN_IN = {
  what: "Sign-in: address, hash of the password, sessions with IP address and browser",
  seenBy: "Supabase Auth; Nectar reads the address only",
};

/** What Supabase Auth stores about a person. Its own versions may add tables and columns; these are those that ours has. */
export const AUTH_TABLES = {
  "auth.users": {
    about: SIGN_IN,
    person: "id",
    exported: { profile: "id" },
    left: {
      [LEFT.derived]: "email created_at",
      "A copy of what signing up stated; the profile is what counts.": "raw_user_meta_data",
      [LEFT.secret]:
        "encrypted_password confirmation_token recovery_token email_change_token_new email_change_token_current phone_change_token reauthentication_token",
      [LEFT.auth]:
        "aud role phone email_confirmed_at confirmed_at invited_at confirmation_sent_at recovery_sent_at email_change email_change_sent_at email_change_confirm_status phone_confirmed_at phone_change phone_change_sent_at reauthentication_sent_at raw_app_meta_data banned_until deleted_at is_sso_user is_anonymous last_sign_in_at updated_at",
    },
    erased: { by: "the erasure itself: it deletes this row, and all other rows follow" },
    grows: "with people",
  },
  "auth.identities": {
    about: SIGN_IN,
    left: { [LEFT.auth]: "id provider provider_id user_id identity_data email last_sign_in_at created_at updated_at" },
    erased: "by cascade",
    grows: "with people",
  },
  "auth.sessions": {
    about: SIGN_IN,
    left: {
      [LEFT.auth]:
        "id user_id not_after refreshed_at user_agent ip tag refresh_token_hmac_key refresh_token_counter scopes created_at updated_at aal factor_id",
    },
    erased: "by cascade",
    grows: "with time",
  },
  "auth.refresh_tokens": {
    about: SIGN_IN,
    left: { [LEFT.secret]: "id token user_id session_id revoked parent created_at updated_at" },
    erased: "by cascade",
    grows: "with time",
  },
  "auth.flow_state": {
    about: SIGN_IN,
    left: {
      [LEFT.auth]:
        "id user_id auth_code authentication_method code_challenge_method code_challenge provider_type provider_access_token provider_refresh_token auth_code_issued_at invite_token referrer oauth_client_state_id linking_target_id email_optional created_at updated_at",
    },
    erased: { by: "private.delete_sign_ins" },
    grows: "with time",
  },
  "auth.audit_log_entries": {
    about: SIGN_IN,
    left: { [LEFT.auth]: "id payload created_at ip_address" },
    erased: { by: "private.delete_sign_ins" },
    grows: "with time",
  },
} as const satisfies Readonly<Record<string, Card>>;
