import { createHash } from "node:crypto";
import * as z from "zod";
import { AppError } from "#core/errors";
import { LENGTHS } from "#core/lengths.generated";
import { MailAddress } from "#core/text/mail-address";
import { Uuid } from "#core/text/uuid";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { runAsService } from "#database/retry";
import { wake } from "#http/jobs/wake";
import { checkInput } from "#http/request/inputs";
import type { Services } from "#http/services/services";
import { MESSAGE_TAG, type SignedBody, verifyEmailEvent } from "#providers/email";
import { type ReceivedEvent, storeReceived } from "./received.ts";
import { Delivery, MailEvent } from "./schema.ts";

/** The stored type of an event whose own type cannot be stored. */
const UNKNOWN = "unknown";

/** The delivery status of a sent mail after each type of event. */
const DELIVERIES: Readonly<Record<string, string>> = {
  "email.sent": "sent",
  "email.delivery_delayed": "delivery_delayed",
  "email.failed": "failed",
  "email.suppressed": "suppressed",
  "email.delivered": "delivered",
  "email.bounced": "bounced",
  "email.complained": "complained",
};

/**
 * Processes an event of the mail provider in one transaction. The text of a received mail is fetched afterwards.
 * @returns false if the event was processed before
 * @throws AppError email.invalid_signature, request.malformed_json or request.invalid; or email.webhook_failed, after which
 *   the provider sends the event again
 */
export async function processEvent(services: Services, signed: SignedBody): Promise<boolean> {
  const { config, database, clock } = services;
  const secret = config.emailWebhookSecret;
  if (secret !== null) await verifyEmailEvent(secret, signed);
  const event = parseEvent(signed.body);
  const origin = { id: idOf(event, signed), isVerified: secret !== null, receivedAt: clock.now() };
  const { isNew, isMail } = await store(database, origin, event);
  // Not after an unverified event: forged ones could exhaust the provider's rate limit. The slower job fetches their text.
  if (isMail && origin.isVerified) await wake(services, { name: "received-mail" });
  return isNew;
}

async function store(database: Services["database"], origin: ReceivedEvent, event: MailEvent) {
  try {
    return await runAsService(database, async (tx) => {
      const isNew = await recordEvent(tx, origin, event);
      const isMail = isNew && event.type === "email.received";
      if (isMail) await storeReceived(tx, origin, event.data);
      return { isNew, isMail };
    });
  } catch (error) {
    throw new AppError("email.webhook_failed", { cause: error });
  }
}

async function recordEvent(
  tx: Tx,
  { id, isVerified, receivedAt }: ReceivedEvent,
  { type, created_at, data }: MailEvent,
): Promise<boolean> {
  const { email_id, to = [], tags = {}, bounce } = Delivery.parse(data);
  const message = Uuid.safeParse(tags[MESSAGE_TAG]);
  // With several recipients, the event does not say which one it is about.
  const address = to.length === 1 ? MailAddress.safeParse(to[0]) : undefined;
  const suppresses =
    ["email.complained", "email.suppressed"].includes(type) ||
    (type === "email.bounced" && bounce?.type === "Permanent");
  const event = {
    id,
    is_verified: isVerified,
    type: storable(type) || UNKNOWN,
    happened_at: happenedAt(created_at, receivedAt),
    delivery: DELIVERIES[type],
    message_id: message.data,
    provider_id: email_id === undefined ? undefined : storable(email_id),
    address: address?.data,
    suppresses,
  };
  return call(tx, "record_email_event", { event });
}

function parseEvent(body: string): MailEvent {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new AppError("request.malformed_json");
  }
  return checkInput(MailEvent, json);
}

/**
 * The id by which a repeated event is recognized: the one in its signed header. Without it, mail, type and time, which the
 * provider's retries repeat.
 */
function idOf({ type, created_at, data }: MailEvent, { id, body }: SignedBody): string {
  if (id !== undefined && id.length <= LENGTHS["private.email_events"].id.max && /^[\x21-\x7e]+$/.test(id)) return id;
  const named = [data.email_id, data.id].find((value) => typeof value === "string");
  const parts = id === undefined && named !== undefined ? [type, named, created_at ?? null] : [id ?? null, body];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The time of an event, or when it was received if its own time is missing or impossible. */
function happenedAt(createdAt: string | undefined, receivedAt: Date): string {
  // Some of the provider's events have PostgreSQL's format: a space instead of the T, and +00 instead of the Z.
  const written = (createdAt ?? "").replace(" ", "T").replace(/\+00$/, "Z");
  const time = z.iso.datetime({ offset: true }).safeParse(written);
  const happened = new Date(time.data ?? Number.NaN);
  const isPossible = happened.getTime() > 0 && happened.getUTCFullYear() < 10_000;
  // In one format, because PostgreSQL does not accept every offset and every number of digits.
  return (isPossible ? happened : receivedAt).toISOString();
}

/** Removes characters that PostgreSQL cannot store: a refused event would be sent again for days. */
function storable(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
