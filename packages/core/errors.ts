/**
 * The closed catalogue of everything that can go wrong in an answer: a stable code that clients switch on, and the HTTP
 * status that belongs to it. A new error is a new line here, so code and status can never drift apart.
 */
const CATALOGUE = {
  "request.invalid": 400,
  "request.malformed_json": 400,
  "request.invalid_idempotency_key": 400,
  "request.aborted": 400,
  "organization.use_transfer": 400,
  "organization.not_a_member": 400,
  "organization.already_owner": 400,
  "team.not_an_organization_member": 400,
  "team.primary_admin_protected": 400,
  "team.admin_required": 400,
  "visibility.missing_team": 400,
  "visibility.missing_organization": 400,
  "tone_pack.self_share": 400,
  "tone_pack.own_pack": 400,
  "payment.unknown_price": 400,
  "payment.invalid_signature": 400,
  "email.invalid_signature": 400,
  "push.unknown_service": 400,
  "encouragement.self_send": 400,
  "game.not_a_monday": 400,
  "game.future_week": 400,
  "game.date_not_playable": 400,
  "checkin.missing_photo": 400,
  "checkin.unusable_photo": 400,
  "checkin.no_photo_time": 400,
  "checkin.outside_window": 400,
  "checkin.too_late": 400,
  "encouragement.system_recipient": 400,
  "encouragement.type_mismatch": 400,
  "auth.missing_token": 401,
  "auth.invalid_token": 401,
  "auth.unknown_account": 401,
  "auth.invalid_cron_secret": 401,
  "drops.insufficient_balance": 402,
  "tone_pack.not_purchased": 402,
  "auth.forbidden": 403,
  "organization.not_a_reader": 403,
  "organization.not_the_owner": 403,
  "team.not_a_reader": 403,
  "team.not_an_admin": 403,
  "visibility.not_a_member": 403,
  "notebook.not_yours": 403,
  "journal.not_yours": 403,
  "tone_pack.not_yours": 403,
  "email.sender_not_confirmed": 403,
  "email.recipient_not_allowed": 403,
  "route.not_found": 404,
  "user.not_found": 404,
  "organization.not_found": 404,
  "team.not_found": 404,
  "member.not_found": 404,
  "notebook.not_found": 404,
  "journal.not_found": 404,
  "email.message_not_found": 404,
  "tone_pack.not_found": 404,
  "tone_pack.share_not_found": 404,
  "payment.no_customer": 404,
  "drops.transaction_not_found": 404,
  "goal.not_found": 404,
  "notification.not_found": 404,
  "push.subscription_not_found": 404,
  "encouragement.template_not_found": 404,
  "encouragement.drop_not_found": 404,
  "game.no_window": 404,
  "game.no_chain": 404,
  "game.no_squad": 404,
  "game.no_mosaic": 404,
  "game.no_battle": 404,
  "checkin.not_found": 404,
  "checkin.photo_not_found": 404,
  "synthetic_user.not_found": 404,
  "route.method_not_allowed": 405,
  "organization.already_a_member": 409,
  "organization.owner_cannot_leave": 409,
  "team.already_a_member": 409,
  "team.last_admin": 409,
  "tone_pack.already_purchased": 409,
  "tone_pack.price_changed": 409,
  "payment.already_subscribed": 409,
  "drops.balance_too_high": 409,
  "drops.balance_would_be_negative": 409,
  "drops.not_refundable": 409,
  "drops.already_refunded": 409,
  "admin.last_super_admin": 409,
  "goal.illegal_transition": 409,
  "checkin.already_checked_in": 409,
  "checkin.illegal_transition": 409,
  "goal.not_open": 409,
  "idempotency.key_reused": 409,
  "idempotency.in_progress": 409,
  "request.too_large": 413,
  "checkin.photo_too_large": 413,
  "request.unsupported_media_type": 415,
  "checkin.unsupported_photo": 415,
  "quota.exhausted": 429,
  "ai.quota_exhausted": 429,
  "checkin.too_many_uploads": 429,
  "email.quota_exhausted": 429,
  "encouragement.allowance_exhausted": 429,
  "encouragement.custom_drops_exhausted": 429,
  "provider.failed": 500,
  "payment.webhook_failed": 500,
  "email.webhook_failed": 500,
  "service.unexpected": 500,
  "service.database_unavailable": 503,
  "service.identity_unavailable": 503,
  "service.busy": 503,
  "provider.not_configured": 503,
} as const satisfies Record<string, number>;

/** A stable machine-readable name of an error, such as `journal.not_found`. */
export type ErrorCode = keyof typeof CATALOGUE;

/** An HTTP status that an error of the catalogue can have. */
export type ErrorStatus = (typeof CATALOGUE)[ErrorCode];

/** One problem of a request: where it is (`content`, `tags.3`, or empty for the whole) and what is wrong there. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** What an error may carry beside its code. */
export interface ErrorDetails {
  readonly issues?: readonly Issue[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * An error that is meant for the caller. `message` is one short English sentence that holds nothing secret and nothing
 * of another person; it may change, the code may not.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly issues: readonly Issue[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.status = CATALOGUE[code];
    this.issues = details.issues;
    this.headers = details.headers ?? {};
  }
}

/** The HTTP status of an error code. */
export function statusOf(code: ErrorCode): ErrorStatus {
  return CATALOGUE[code];
}

/** Every error code of the catalogue, in the order of its statuses. */
export function allErrorCodes(): ErrorCode[] {
  return Object.keys(CATALOGUE).filter(isErrorCode);
}

function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(CATALOGUE, value);
}
