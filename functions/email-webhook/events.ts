import { createHash } from "node:crypto";
import { AppError, type Issue } from "@nectar/core/errors";
import { MailAddress } from "@nectar/core/mail-address";
import { Uuid } from "@nectar/core/uuid";
import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";
import { runAsService } from "@nectar/database/retry";
import type { Services } from "@nectar/http/services";
import { MESSAGE_TAG, type SignedBody, verifyEmailEvent } from "@nectar/providers/email";
import * as z from "zod";
import { fetchAtOnce, storeReceived } from "./received.ts";
import { Delivery, MailEvent } from "./schema.ts";

/** The kind of an event whose kind has nothing that can be stored. */
const UNKNOWN = "unknown";

/** What each kind of event says of a sent mail. */
const OUTCOMES: Readonly<Record<string, string>> = {
  "email.sent": "sent",
  "email.delivery_delayed": "delivery_delayed",
  "email.delivered": "delivered",
  "email.bounced": "bounced",
  "email.complained": "complained",
};

/**
 * Takes an event of the mail provider: all that it leads to, or nothing.
 * @returns whether it is news: false when it came before
 * @throws AppError email.invalid_signature, request.malformed_json, request.invalid; email.webhook_failed, upon which the
 *   provider sends the event again
 */
export async function takeEvent(services: Services, signed: SignedBody): Promise<boolean> {
  const { config, database, clock } = services;
  const secret = config.emailWebhookSecret;
  if (secret !== null) await verifyEmailEvent(secret, signed);
  const event = parse(signed.body);
  const known = { id: idOf(event, signed), isVerified: secret !== null, receivedAt: clock.now() };
  const { isNew, mail } = await stored(database, known, event);
  // The event is stored by now; the provider is called outside of any transaction.
  if (mail !== null) await fetchAtOnce(services, mail);
  return isNew;
}

async function stored(database: Services["database"], known: KnownEvent, event: MailEvent) {
  try {
    return await runAsService(database, async (tx) => {
      const isNew = await record(tx, known, event);
      const isMail = isNew && event.type === "email.received";
      return { isNew, mail: isMail ? await storeReceived(tx, known, event.data) : null };
    });
  } catch (error) {
    throw new AppError("email.webhook_failed", { cause: error });
  }
}

/** What is known about an event beside its body. */
interface KnownEvent {
  readonly id: string;
  /** Whether the provider signed it. */
  readonly isVerified: boolean;
  readonly receivedAt: Date;
}

async function record(
  tx: Tx,
  { id, isVerified, receivedAt }: KnownEvent,
  { type, created_at, data }: MailEvent,
): Promise<boolean> {
  const { email_id, to = [], tags = {}, bounce } = Delivery.parse(data);
  const message = Uuid.safeParse(tags[MESSAGE_TAG]);
  // Of several recipients nobody knows which one it was.
  const address = to.length === 1 ? MailAddress.safeParse(to[0]) : undefined;
  const suppresses = type === "email.complained" || (type === "email.bounced" && bounce?.type === "Permanent");
  const { is_news } = await one<{ is_news: boolean }>(tx)`
    select private.record_email_event(
      ${id}, ${isVerified}, ${withoutOddities(type) || UNKNOWN}, ${happenedAt(created_at, receivedAt)}::timestamptz,
      ${OUTCOMES[type] ?? null}::nectar.email_delivery, ${message.success ? message.data : null}::uuid,
      ${email_id === undefined ? null : withoutOddities(email_id)}::text, ${address?.data ?? null}::text, ${suppresses}
    ) as is_news
  `;
  return is_news;
}

function parse(body: string): MailEvent {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new AppError("request.malformed_json");
  }
  const parsed = MailEvent.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues: Issue[] = parsed.error.issues.map(({ path, message }) => ({
    path: path.map(String).join("."),
    message,
  }));
  throw new AppError("request.invalid", { issues });
}

/**
 * What makes an event the same when it comes again. The provider names it in a header, which it signs; without that, the
 * mail, kind and time do, for the retries of one event repeat them.
 */
function idOf({ type, created_at, data }: MailEvent, { id, body }: SignedBody): string {
  if (id !== undefined && /^[\x21-\x7e]{1,255}$/.test(id)) return id;
  const named = [data.email_id, data.id].find((value) => typeof value === "string");
  const parts = id === undefined && named !== undefined ? [type, named, created_at ?? null] : [id ?? null, body];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The time that an event gives, or when it came in if that is none. */
function happenedAt(createdAt: string | undefined, receivedAt: Date): string {
  // Some of the provider's events write PostgreSQL's form: a blank for the T, and +00 for the Z.
  const written = (createdAt ?? "").replace(" ", "T").replace(/\+00$/, "Z");
  const time = z.iso.datetime({ offset: true }).safeParse(written);
  // Before 1970 there was no mail, and the year 0 is none for PostgreSQL.
  const happened = new Date(time.data ?? Number.NaN);
  // Written anew, for PostgreSQL takes neither every offset nor every number of digits, nor a year that has five.
  const isPossible = happened.getTime() > 0 && happened.getUTCFullYear() < 10_000;
  return (isPossible ? happened : receivedAt).toISOString();
}

/** Without what PostgreSQL cannot store; an event is not refused for it, it would be sent again for days. */
function withoutOddities(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
