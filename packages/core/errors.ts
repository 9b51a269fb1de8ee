import { LENGTHS } from "./lengths.generated.ts";
import {
  MAX_FRESH_TOKEN_SECONDS,
  MAX_PHOTO_BYTES,
  MAX_PHOTO_IN_FORM_BYTES,
  MAX_PICTURE_BYTES,
  MAX_PICTURES_OF_ENTRY,
  UNUSED_ARCHIVE_SECONDS,
} from "./limits.ts";
import { HAND_BACK_DAYS, KEPT_DAYS } from "./retention.ts";
import { inMb, inWords } from "./text/numbers.ts";
import type { WaitingReview } from "./time/waiting-reviews.ts";

const { key: KEY } = LENGTHS["private.idempotency_keys"];

/**
 * Everything that can go wrong in a response: a stable code that clients switch on, the HTTP status and the sentence that
 * belong to it, and whether the response may carry `issues` and always carries `Retry-After`.
 */
const CATALOGUE = {
  "request.invalid": [400, "The request is not valid.", "issues"],
  "request.malformed_json": [400, "The body is not valid JSON.", "issues"],
  "request.invalid_idempotency_key": [400, `Idempotency-Key must be ${KEY.min} to ${KEY.max} plain ASCII characters.`],
  "request.aborted": [400, "The connection closed before the whole body arrived."],
  "organization.use_transfer": [400, "Transfer the ownership to change the owner.", "issues"],
  "organization.not_a_member": [400, "This user is not a member of the organization."],
  "organization.already_owner": [400, "This user already owns the organization."],
  "team.not_an_organization_member": [400, "This user is not a member of the team's organization."],
  "team.primary_admin_protected": [400, "To change the primary admin, update admin_id of the team.", "issues"],
  "team.admin_required": [400, "Name an organization member as the team's admin.", "issues"],
  "visibility.missing_team": [400, "Name the team to share with.", "issues"],
  "visibility.missing_organization": [400, "Name the organization to share with.", "issues"],
  "journal.date_out_of_range": [400, "An entry cannot be about this day.", "issues"],
  "tone_pack.self_share": [400, "You cannot share a tone pack with yourself."],
  "tone_pack.own_pack": [400, "You cannot buy your own tone pack."],
  "payment.unknown_price": [400, "This price does not exist."],
  "payment.invalid_signature": [400, "The signature of the event is missing, wrong or too old."],
  "email.invalid_unsubscribe_link": [400, "This link to unsubscribe is not valid."],
  "email.invalid_signature": [400, "The signature of the event is missing, wrong or too old."],
  "push.unknown_service": [400, "This endpoint does not belong to a known push service."],
  "encouragement.self_send": [400, "You cannot send a drop to yourself."],
  "game.not_a_monday": [400, "Name a week by the date of its Monday."],
  "game.future_week": [400, "This week has not begun yet."],
  "game.date_not_playable": [400, "Chains cannot be generated for this date."],
  "checkin.missing_photo": [400, "Send a photo.", "issues"],
  "checkin.unusable_photo": [400, "This photo cannot be used."],
  "checkin.no_photo_time": [400, "The photo does not say when it was taken.", "issues"],
  "picture.unusable": [400, "This picture cannot be used."],
  "checkin.outside_window": [400, "The photo was not taken in your window.", "issues"],
  "checkin.too_late": [400, "The day of the photo is over.", "issues"],
  "encouragement.system_recipient": [400, "You cannot send drops to the assistant."],
  "block.self_block": [400, "You cannot block yourself."],
  "block.system_user": [400, "You cannot block the assistant."],
  "report.own_thing": [400, "You cannot report yourself or what is yours."],
  "report.user_cannot_be_hidden": [400, "A user cannot be hidden; warn or suspend them."],
  "encouragement.type_mismatch": [400, "The template has another type."],
  "invitation.unknown_team": [400, "Name teams of this organization only."],
  "auth.missing_token": [401, "Send an access token as a bearer token."],
  "auth.invalid_token": [401, "The access token is not valid."],
  "auth.unknown_account": [401, "This account no longer exists."],
  "auth.sign_in_again": [
    401,
    `Sign in again: this needs an access token that is at most ${inWords(MAX_FRESH_TOKEN_SECONDS)} old.`,
  ],
  "auth.invalid_cron_secret": [401, "The cron secret is missing or wrong."],
  "drops.insufficient_balance": [402, "You do not have enough drops."],
  "tone_pack.not_purchased": [402, "Buy this tone pack first."],
  "auth.forbidden": [403, "You may not do this."],
  "auth.scope_missing": [403, "A program cannot do this; sign in.", "issues"],
  "auth.suspended": [403, "Your account is suspended; you can still read, block, appeal and export.", "issues"],
  "account.closing": [403, "Your account is closing; you can only read, export, restore or erase it now.", "issues"],
  "auth.not_through_router": [403, "Call the API at its public address."],
  "organization.not_a_reader": [403, "You are not a member of this organization."],
  "organization.not_the_owner": [403, "Only the organization's owner may do this."],
  "team.not_a_reader": [403, "You are not a member of this team's organization."],
  "team.not_a_member": [403, "You are not a member of this team."],
  "team.not_an_admin": [403, "Only a team admin may do this."],
  "visibility.not_a_member": [403, "You can only share with teams and organizations that you are a member of."],
  "notebook.not_yours": [403, "This notebook belongs to another user."],
  "goal.not_yours": [403, "This goal belongs to another user."],
  "journal.not_yours": [403, "This entry belongs to another user."],
  "tone_pack.not_yours": [403, "This tone pack belongs to another user."],
  "email.sender_not_confirmed": [403, "Confirm your own email address first."],
  "email.recipient_not_allowed": [403, "You may not send email to this address."],
  "picture.not_yours": [403, "This picture belongs to another user."],
  "message.not_yours": [403, "This message belongs to another user."],
  "comment.hidden": [403, "You may not see the content of this entry or goal, and so not its comments."],
  "comment.not_allowed": [403, "You may read these comments, but not comment yourself."],
  "comment.not_yours": [403, "Neither this comment nor what it is about is yours."],
  "route.not_found": [404, "This path does not exist."],
  "user.not_found": [404, "This user does not exist."],
  "organization.not_found": [404, "This organization does not exist."],
  "team.not_found": [404, "This team does not exist."],
  "message.not_found": [404, "This message does not exist or you may not see it."],
  "comment.not_found": [404, "This comment does not exist."],
  "member.not_found": [404, "This user is not a member."],
  "invitation.not_found": [404, "This invitation does not exist or you cannot use it."],
  "notebook.not_found": [404, "This notebook does not exist or you may not see it."],
  "journal.not_found": [404, "This entry does not exist or you may not see it."],
  "email.message_not_found": [404, `You sent no such email in the last ${KEPT_DAYS.sentMails} days.`],
  "tone_pack.not_found": [404, "This tone pack does not exist or you may not see it."],
  "tone_pack.share_not_found": [404, "This tone pack is not shared with this user."],
  "payment.no_customer": [404, "You are not a customer at the payment processor."],
  "drops.transaction_not_found": [404, "This transaction does not exist."],
  "block.not_found": [404, "You did not block this user."],
  "token.not_found": [404, "This token does not exist."],
  "export.not_found": [404, "This export does not exist."],
  "goal.not_found": [404, "This goal does not exist or you may not see it."],
  "goal.check_in_not_found": [404, "This check-in does not exist on this goal."],
  "wellness_entry.not_found": [404, "This wellness entry does not exist."],
  "notification.not_found": [404, "This notification does not exist."],
  "push.subscription_not_found": [404, "This device does not exist."],
  "encouragement.template_not_found": [404, "This template does not exist."],
  "encouragement.drop_not_found": [404, "This drop does not exist or you did not receive it."],
  "game.no_window": [404, "You have no active window."],
  "game.no_chain": [404, "You are not in a chain on this date."],
  "game.no_squad": [404, "You are not in a squad on this date."],
  "game.no_mosaic": [404, "There is no mosaic for this date."],
  "game.no_battle": [404, "There was no battle in this week."],
  "import.not_found": [404, "This import does not exist."],
  "checkin.not_found": [404, "This check-in does not exist."],
  "checkin.photo_not_found": [404, "This photo was not uploaded."],
  "picture.not_found": [404, "This picture does not exist or you may not see it."],
  "picture.not_uploaded": [404, "This picture was not uploaded, or was used already."],
  "report.not_found": [404, "This report does not exist."],
  "report.target_not_found": [404, "What you report does not exist or you may not see it."],
  "synthetic_user.not_found": [404, "This synthetic user does not exist."],
  "moderation.decision_not_found": [404, "This decision does not exist or is not about you."],
  "appeal.not_found": [404, "This appeal does not exist."],
  "route.method_not_allowed": [405, "This path does not support this method."],
  "email.undeliverable": [409, "Mail to your address bounced or was reported as spam; contact support."],
  "organization.already_a_member": [409, "This user is already a member of the organization."],
  "organization.not_received": [409, `You did not receive this organization in the last ${HAND_BACK_DAYS} days.`],
  "organization.owner_cannot_leave": [409, "The owner cannot leave before transferring the ownership."],
  "team.already_a_member": [409, "This user is already a member of the team."],
  "team.last_admin": [409, "The last admin cannot leave the team."],
  "tone_pack.already_purchased": [409, "You already bought this tone pack."],
  "tone_pack.price_changed": [409, "The price is not the one you expected."],
  "payment.already_subscribed": [409, "You already have an active subscription."],
  "drops.balance_too_high": [409, "The balance cannot hold that many drops."],
  "drops.balance_would_be_negative": [409, "The balance cannot go below zero."],
  "drops.not_refundable": [409, "Only a purchase can be refunded."],
  "drops.already_refunded": [409, "This purchase was already refunded."],
  "account.owns_organizations": [409, "First transfer or delete the organizations that you own.", "issues"],
  "account.being_erased": [409, "The account is being erased and cannot be restored."],
  "admin.last_super_admin": [409, "The last super admin must keep the role and the account."],
  "report.already_decided": [409, "This report is already decided."],
  "report.own_case": [409, "Another admin must decide about you and what is yours."],
  "report.super_admin_not_suspended": [409, "A super admin cannot be suspended."],
  "journal.ai_excluded": [409, "AI is turned off for this entry."],
  "token.too_many": [409, "You have as many tokens as you can have; delete one first."],
  "export.in_progress": [409, "Your last export is not finished yet."],
  "goal.illegal_transition": [409, "A goal that has ended can only become active again."],
  "import.not_uploaded": [409, `Upload the archive first. It is kept for ${inWords(UNUSED_ARCHIVE_SECONDS)}.`],
  "import.in_progress": [409, "One of your imports is running; wait until it has ended."],
  "import.ended": [409, "This import has ended. Upload the archive as a new import."],
  "checkin.already_checked_in": [409, "You have already checked in."],
  "checkin.illegal_transition": [409, "This check-in already has this status."],
  "picture.too_many": [409, `This entry has ${MAX_PICTURES_OF_ENTRY} pictures already.`],
  "picture.storage_full": [409, "Your pictures take up all the space that you have; delete some first."],
  "goal.not_open": [409, "This goal has ended."],
  "comment.closed": [409, "Comments are turned off here."],
  "appeal.too_late": [409, "The time to appeal this decision is over."],
  "appeal.already_made": [409, "You have already appealed this decision."],
  "appeal.same_reviewer": [409, "Another admin must decide about this appeal."],
  "appeal.already_decided": [409, "This appeal was already decided."],
  "idempotency.key_reused": [409, "This Idempotency-Key was already used for another request."],
  "idempotency.in_progress": [409, "The same request is still running."],
  "sync.id_taken": [409, "This id is taken; choose another one."],
  "sync.cursor_expired": [410, "This cursor has expired; start again without one."],
  "sync.changed_meanwhile": [412, "This was changed meanwhile; read it again."],
  "request.too_large": [413, "The body is larger than this operation takes."],
  "checkin.photo_too_large": [
    413,
    `The photo has more than ${inMb(MAX_PHOTO_IN_FORM_BYTES)} in a form, or ${inMb(MAX_PHOTO_BYTES)} at an upload address.`,
  ],
  "picture.too_large": [
    413,
    `The picture has more than ${inMb(MAX_PHOTO_IN_FORM_BYTES)} in a form, or ${inMb(MAX_PICTURE_BYTES)} at an upload address.`,
  ],
  "request.unsupported_media_type": [
    415,
    "The body has an unsupported media type: send JSON, or a form where documented.",
  ],
  "checkin.unsupported_photo": [415, "The photo must be JPEG, PNG, WebP or HEIC."],
  "picture.unsupported": [415, "The picture must be JPEG, PNG, WebP or HEIC."],
  "ai.refused": [422, "The model refuses to draw this; change the text."],
  "quota.exhausted": [429, "You have reached the limit for now; try again later.", "Retry-After"],
  "quota.too_many_at_once": [429, "Too many of your requests are running at once; try again.", "Retry-After"],
  "ai.quota_exhausted": [429, "You have used up your AI requests for now; try again later.", "Retry-After"],
  "checkin.too_many_uploads": [429, "You have uploaded too many photos for now; try again later.", "Retry-After"],
  "email.quota_exhausted": [429, "You have sent too many emails for now; try again later.", "Retry-After"],
  "encouragement.allowance_exhausted": [429, "You have no drops left for today.", "Retry-After"],
  "encouragement.custom_drops_exhausted": [429, "You have no custom drops left for today.", "Retry-After"],
  "provider.failed": [500, "An external service failed; try again later."],
  "payment.webhook_failed": [500, "The event could not be processed."],
  "email.webhook_failed": [500, "The event could not be processed."],
  "service.unexpected": [500, "Something went wrong on our side."],
  "service.database_unavailable": [503, "The database cannot be reached; try again later.", "Retry-After"],
  "service.identity_unavailable": [503, "Access tokens cannot be checked right now; try again later."],
  "service.busy": [503, "The service is busy; try again.", "Retry-After"],
  "service.query_timeout": [503, "The database took too long for this request; ask for less at a time."],
  "service.stopping": [503, "This server is stopping; try again.", "Retry-After"],
  "service.jobs_late": [503, "Scheduled jobs are late."],
  "service.reviews_waiting": [503, "Reports, appeals or check-ins have waited for an admin for too long."],
  "provider.not_configured": [503, "This feature is not set up on this server."],
} as const satisfies Record<string, ErrorRow>;

type ErrorRow = readonly [status: number, sentence: string, carries?: "issues" | "Retry-After"];

/** A stable machine-readable name of an error, such as `journal.not_found`. */
export type ErrorCode = keyof typeof CATALOGUE;

/** An HTTP status that an error of the catalogue can have. */
export type ErrorStatus = (typeof CATALOGUE)[ErrorCode][0];

/** One problem of a request: where it is (`content`, `tags.3`, or empty for the whole) and what is wrong there. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export interface ErrorDetails {
  readonly issues?: readonly Issue[];
  /** Seconds until the same request may succeed, for the codes that carry `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Replaces the sentence of the catalogue where the data of the request says more. */
  readonly sentence?: string;
  /** The names of the jobs that are late. */
  readonly late?: readonly string[];
  /** What has waited for an admin for too long. */
  readonly waiting?: readonly WaitingReview[];
  readonly cause?: unknown;
}

/**
 * An error that is meant for the caller. Its message is the sentence of the catalogue, contains nothing secret and nothing
 * of another person, and may change; the code may not.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly issues: readonly Issue[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly late: readonly string[] | undefined;
  readonly waiting: readonly WaitingReview[] | undefined;

  constructor(code: ErrorCode, { issues, retryAfterSeconds, sentence, late, waiting, cause }: ErrorDetails = {}) {
    super(sentence ?? sentenceOf(code), cause === undefined ? undefined : { cause });
    this.name = "AppError";
    this.code = code;
    this.status = statusOf(code);
    this.issues = issues;
    this.retryAfterSeconds = retryAfterSeconds;
    this.late = late;
    this.waiting = waiting;
  }
}

export function statusOf(code: ErrorCode): ErrorStatus {
  return CATALOGUE[code][0];
}

export function sentenceOf(code: ErrorCode): string {
  return CATALOGUE[code][1];
}

/** Whether a response with this code may carry `issues`. */
export function mayCarryIssues(code: ErrorCode): boolean {
  return CATALOGUE[code][2] === "issues";
}

/** Whether a response with this code carries `Retry-After`. */
export function carriesRetryAfter(code: ErrorCode): boolean {
  return CATALOGUE[code][2] === "Retry-After";
}

/** Every error code of the catalogue, in the order of its statuses. */
export function allErrorCodes(): ErrorCode[] {
  return Object.keys(CATALOGUE).filter(isErrorCode);
}

/** Whether a text is an error code of the catalogue. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(CATALOGUE, value);
}
