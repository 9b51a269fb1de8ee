/**
 * Everything that can go wrong in a response: a stable code that clients switch on, the HTTP status and the sentence that
 * belong to it, and whether the response may carry `issues` and always carries `Retry-After`.
 */
const CATALOGUE = {
  "request.invalid": { status: 400, sentence: "The request is not valid.", issues: true },
  "request.malformed_json": { status: 400, sentence: "The body cannot be read as JSON.", issues: true },
  "request.invalid_idempotency_key": {
    status: 400,
    sentence: "Idempotency-Key must be 1 to 255 plain ASCII characters.",
  },
  "request.aborted": { status: 400, sentence: "The connection closed before the whole body arrived." },
  "organization.use_transfer": { status: 400, sentence: "Transfer the ownership to change the owner.", issues: true },
  "organization.not_a_member": { status: 400, sentence: "This user is not a member of the organization." },
  "organization.already_owner": { status: 400, sentence: "This user already owns the organization." },
  "team.not_an_organization_member": { status: 400, sentence: "This user is not a member of the team's organization." },
  "team.primary_admin_protected": {
    status: 400,
    sentence: "To change the primary admin, update admin_id of the team.",
    issues: true,
  },
  "team.admin_required": { status: 400, sentence: "Name an organization member as the team's admin.", issues: true },
  "visibility.missing_team": { status: 400, sentence: "Name the team to share with.", issues: true },
  "visibility.missing_organization": { status: 400, sentence: "Name the organization to share with.", issues: true },
  "tone_pack.self_share": { status: 400, sentence: "You cannot share a tone pack with yourself." },
  "tone_pack.own_pack": { status: 400, sentence: "You cannot buy your own tone pack." },
  "payment.unknown_price": { status: 400, sentence: "This price does not exist." },
  "payment.invalid_signature": { status: 400, sentence: "The signature of the event is missing, wrong or too old." },
  "email.invalid_signature": { status: 400, sentence: "The signature of the event is missing, wrong or too old." },
  "push.unknown_service": { status: 400, sentence: "This endpoint does not belong to a known push service." },
  "encouragement.self_send": { status: 400, sentence: "You cannot send a drop to yourself." },
  "game.not_a_monday": { status: 400, sentence: "Name a week by the date of its Monday." },
  "game.future_week": { status: 400, sentence: "This week has not begun yet." },
  "game.date_not_playable": { status: 400, sentence: "Chains cannot be generated for this date." },
  "checkin.missing_photo": { status: 400, sentence: "Send a photo.", issues: true },
  "checkin.unusable_photo": { status: 400, sentence: "This photo cannot be used." },
  "checkin.no_photo_time": { status: 400, sentence: "The photo does not say when it was taken.", issues: true },
  "checkin.outside_window": { status: 400, sentence: "The photo was not taken in your window.", issues: true },
  "checkin.too_late": { status: 400, sentence: "The day of the photo is over.", issues: true },
  "encouragement.system_recipient": { status: 400, sentence: "You cannot send drops to the assistant." },
  "encouragement.type_mismatch": { status: 400, sentence: "The template has another type." },
  "auth.missing_token": { status: 401, sentence: "Send an access token as a bearer token." },
  "auth.invalid_token": { status: 401, sentence: "The access token is not valid." },
  "auth.unknown_account": { status: 401, sentence: "This account no longer exists." },
  "auth.invalid_cron_secret": { status: 401, sentence: "The cron secret is missing or wrong." },
  "drops.insufficient_balance": { status: 402, sentence: "You do not have enough drops." },
  "tone_pack.not_purchased": { status: 402, sentence: "Buy this tone pack first." },
  "auth.forbidden": { status: 403, sentence: "You may not do this." },
  "organization.not_a_reader": { status: 403, sentence: "You are not a member of this organization." },
  "organization.not_the_owner": { status: 403, sentence: "Only the organization's owner may do this." },
  "team.not_a_reader": { status: 403, sentence: "You are not a member of this team's organization." },
  "team.not_an_admin": { status: 403, sentence: "Only a team admin may do this." },
  "visibility.not_a_member": {
    status: 403,
    sentence: "You can only share with teams and organizations that you are a member of.",
  },
  "notebook.not_yours": { status: 403, sentence: "This notebook belongs to another user." },
  "journal.not_yours": { status: 403, sentence: "This entry belongs to another user." },
  "tone_pack.not_yours": { status: 403, sentence: "This tone pack belongs to another user." },
  "email.sender_not_confirmed": { status: 403, sentence: "Confirm your own email address first." },
  "email.recipient_not_allowed": { status: 403, sentence: "You may not send email to this address." },
  "route.not_found": { status: 404, sentence: "This path does not exist." },
  "user.not_found": { status: 404, sentence: "This user does not exist." },
  "organization.not_found": { status: 404, sentence: "This organization does not exist." },
  "team.not_found": { status: 404, sentence: "This team does not exist." },
  "member.not_found": { status: 404, sentence: "This user is not a member." },
  "notebook.not_found": { status: 404, sentence: "This notebook does not exist or you may not see it." },
  "journal.not_found": { status: 404, sentence: "This entry does not exist or you may not see it." },
  "email.message_not_found": { status: 404, sentence: "You sent no such email in the last 30 days." },
  "tone_pack.not_found": { status: 404, sentence: "This tone pack does not exist or you may not see it." },
  "tone_pack.share_not_found": { status: 404, sentence: "This tone pack is not shared with this user." },
  "payment.no_customer": { status: 404, sentence: "You are not a customer at the payment processor." },
  "drops.transaction_not_found": { status: 404, sentence: "This transaction does not exist." },
  "goal.not_found": { status: 404, sentence: "You have no such goal." },
  "notification.not_found": { status: 404, sentence: "You have no such notification." },
  "push.subscription_not_found": { status: 404, sentence: "You have no such device." },
  "encouragement.template_not_found": { status: 404, sentence: "This template does not exist." },
  "encouragement.drop_not_found": { status: 404, sentence: "You received no such drop." },
  "game.no_window": { status: 404, sentence: "You have no active window." },
  "game.no_chain": { status: 404, sentence: "You are not in a chain on this date." },
  "game.no_squad": { status: 404, sentence: "You are not in a squad on this date." },
  "game.no_mosaic": { status: 404, sentence: "There is no mosaic for this date." },
  "game.no_battle": { status: 404, sentence: "There was no battle in this week." },
  "checkin.not_found": { status: 404, sentence: "This check-in does not exist." },
  "checkin.photo_not_found": { status: 404, sentence: "You uploaded no such photo." },
  "synthetic_user.not_found": { status: 404, sentence: "This synthetic user does not exist." },
  "route.method_not_allowed": { status: 405, sentence: "This path does not support this method." },
  "organization.already_a_member": { status: 409, sentence: "This user is already a member of the organization." },
  "organization.owner_cannot_leave": {
    status: 409,
    sentence: "The owner cannot leave before transferring the ownership.",
  },
  "team.already_a_member": { status: 409, sentence: "This user is already a member of the team." },
  "team.last_admin": { status: 409, sentence: "The last admin cannot leave the team." },
  "tone_pack.already_purchased": { status: 409, sentence: "You already bought this tone pack." },
  "tone_pack.price_changed": { status: 409, sentence: "The price is not the one you expected." },
  "payment.already_subscribed": { status: 409, sentence: "You already have an active subscription." },
  "drops.balance_too_high": { status: 409, sentence: "The balance cannot hold that many drops." },
  "drops.balance_would_be_negative": { status: 409, sentence: "The balance cannot go below zero." },
  "drops.not_refundable": { status: 409, sentence: "Only a purchase can be refunded." },
  "drops.already_refunded": { status: 409, sentence: "This purchase was already refunded." },
  "admin.last_super_admin": { status: 409, sentence: "The last super admin must keep the role." },
  "goal.illegal_transition": { status: 409, sentence: "A goal that has ended can only become active again." },
  "checkin.already_checked_in": { status: 409, sentence: "You have already checked in." },
  "checkin.illegal_transition": { status: 409, sentence: "This check-in already has this status." },
  "goal.not_open": { status: 409, sentence: "This goal has ended." },
  "idempotency.key_reused": { status: 409, sentence: "This Idempotency-Key was already used for another request." },
  "idempotency.in_progress": { status: 409, sentence: "The same request is still running." },
  "request.too_large": { status: 413, sentence: "The body is larger than 1 MB." },
  "checkin.photo_too_large": { status: 413, sentence: "The photo is larger than 10 MB." },
  "request.unsupported_media_type": { status: 415, sentence: "The body has an unsupported media type." },
  "checkin.unsupported_photo": { status: 415, sentence: "The photo must be JPEG, PNG, WebP or HEIC." },
  "quota.exhausted": {
    status: 429,
    sentence: "You have reached the limit for now; try again later.",
    retryAfter: true,
  },
  "ai.quota_exhausted": {
    status: 429,
    sentence: "You have used up your AI requests for now; try again later.",
    retryAfter: true,
  },
  "checkin.too_many_uploads": {
    status: 429,
    sentence: "You have uploaded too many photos for now; try again later.",
    retryAfter: true,
  },
  "email.quota_exhausted": {
    status: 429,
    sentence: "You have sent too many emails for now; try again later.",
    retryAfter: true,
  },
  "encouragement.allowance_exhausted": { status: 429, sentence: "You have no drops left for today.", retryAfter: true },
  "encouragement.custom_drops_exhausted": {
    status: 429,
    sentence: "You have no custom drops left for today.",
    retryAfter: true,
  },
  "provider.failed": { status: 500, sentence: "An external service failed; try again later." },
  "payment.webhook_failed": { status: 500, sentence: "The event could not be processed." },
  "email.webhook_failed": { status: 500, sentence: "The event could not be processed." },
  "service.unexpected": { status: 500, sentence: "Something went wrong on our side." },
  "service.database_unavailable": {
    status: 503,
    sentence: "The database cannot be reached; try again later.",
    retryAfter: true,
  },
  "service.identity_unavailable": {
    status: 503,
    sentence: "Access tokens cannot be checked right now; try again later.",
  },
  "service.busy": { status: 503, sentence: "The service is busy; try again.", retryAfter: true },
  "provider.not_configured": { status: 503, sentence: "This feature is not set up on this server." },
} as const satisfies Record<string, ErrorEntry>;

interface ErrorEntry {
  readonly status: number;
  readonly sentence: string;
  readonly issues?: true;
  readonly retryAfter?: true;
}

/** A stable machine-readable name of an error, such as `journal.not_found`. */
export type ErrorCode = keyof typeof CATALOGUE;

/** An HTTP status that an error of the catalogue can have. */
export type ErrorStatus = (typeof CATALOGUE)[ErrorCode]["status"];

/** One problem of a request: where it is (`content`, `tags.3`, or empty for the whole) and what is wrong there. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** What an error may carry beside its code. */
export interface ErrorDetails {
  readonly issues?: readonly Issue[];
  /** Seconds until the same request may succeed, for the codes that carry `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Replaces the sentence of the catalogue where the data of the request says more. */
  readonly sentence?: string;
  readonly cause?: unknown;
}

/**
 * An error that is meant for the caller. Its message is the sentence of the catalogue, holds nothing secret and nothing of
 * another person, and may change; the code may not.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly issues: readonly Issue[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, { issues, retryAfterSeconds, sentence, cause }: ErrorDetails = {}) {
    super(sentence ?? sentenceOf(code), cause === undefined ? undefined : { cause });
    this.name = "AppError";
    this.code = code;
    this.status = statusOf(code);
    this.issues = issues;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The HTTP status of an error code. */
export function statusOf(code: ErrorCode): ErrorStatus {
  return CATALOGUE[code].status;
}

/** The sentence of an error code. */
export function sentenceOf(code: ErrorCode): string {
  return CATALOGUE[code].sentence;
}

/** Whether a response with this code may carry `issues`. */
export function mayCarryIssues(code: ErrorCode): boolean {
  return "issues" in CATALOGUE[code];
}

/** Whether a response with this code carries `Retry-After`. */
export function carriesRetryAfter(code: ErrorCode): boolean {
  return "retryAfter" in CATALOGUE[code];
}

/** Every error code of the catalogue, in the order of its statuses. */
export function allErrorCodes(): ErrorCode[] {
  return Object.keys(CATALOGUE).filter(isErrorCode);
}

/** Whether a text is an error code of the catalogue. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(CATALOGUE, value);
}
