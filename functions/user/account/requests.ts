import { AppError } from "#core/errors";
import { MAX_FRESH_TOKEN_SECONDS } from "#core/limits";
import { KEPT_DAYS } from "#core/retention";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { Actor } from "#http/services/tokens";
import type { ErasureRequest, ErasureResponse, ErasureTimes } from "./schema.ts";

/** Sentences of the preview about data that outlives every account. */
const KEPT = [
  "The sum of your drops, without your name, so that the total of all drops still adds up.",
  "The chips that you earned in battles that are over, as part of your team's result and without your name.",
  "The invoices of your subscription at the payment processor, which has to keep them.",
  "A line in the audit log that an account with your id was erased, and what you changed as an admin, without your name.",
  "Organizations and teams that others run after you, with the names that you gave them, and your pending invitations, which are then their owners'.",
  `A fingerprint of your address for up to ${KEPT_DAYS.sentMails} days if others wrote to it, and for longer if mail to it failed or was unsubscribed, so that it gets no more.`,
  "A fingerprint of your address until your suspension ends, if you are suspended, because the next account with it is suspended as well.",
  "What is in backups, until the operator's backups expire.",
];
const KEPT_TONE_PACKS =
  "Tone packs that others bought, for their buyers only: the images stay, your name and your texts do not.";

/** Reads what erasing the caller would do, and when it is scheduled. */
export async function readErasure(tx: Tx): Promise<ErasureResponse> {
  const { preview, scheduled } = await call(tx, "read_erasure");
  const kept = preview.tone_packs_with_buyers > 0 ? [...KEPT, KEPT_TONE_PACKS] : KEPT;
  return { preview: { ...preview, kept }, scheduled };
}

/**
 * Closes the caller's account, to be erased now or in a week. Repeating it changes nothing.
 * @throws AppError auth.sign_in_again, account.owns_organizations with an issue for each, or admin.last_super_admin
 */
export async function requestErasure(
  tx: Tx,
  { issuedAt }: Actor,
  { when }: ErasureRequest,
  now: Date,
): Promise<ErasureTimes> {
  if (when === "now" && (issuedAt === null || now.getTime() - issuedAt.getTime() > MAX_FRESH_TOKEN_SECONDS * 1_000)) {
    throw new AppError("auth.sign_in_again");
  }
  const { preview, scheduled } = await call(tx, "read_erasure");
  // Once requested, an erasure cannot be prevented by others who make the person an owner.
  if (scheduled === null && preview.organizations_to_transfer.length > 0) {
    const issues = preview.organizations_to_transfer.map(({ id, name }) => ({ path: id, message: name }));
    throw new AppError("account.owns_organizations", { issues });
  }
  return call(tx, "request_erasure", { isNow: when === "now", moment: now });
}

/** Opens the caller's closing account again. @throws AppError account.being_erased */
export async function restoreAccount(tx: Tx): Promise<void> {
  await call(tx, "restore_account");
}
