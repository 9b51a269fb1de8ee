import * as z from "zod";
import { Uuid } from "#core/text/uuid";

const MAX_HEADER = 1_000;
const MAX_BODY = 256 * 1024;
const MAX_RECIPIENTS = 50;

/** The fields of all events. The content of `data` depends on the type, and any of it may be missing. */
export const MailEvent = z.object({
  type: z.string().min(1).max(100),
  created_at: z.string().optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).catch({}),
});
export type MailEvent = z.output<typeof MailEvent>;

/** The `data` of events about a sent mail. */
export const Delivery = z.object({
  email_id: z.string().min(1).max(255).optional().catch(undefined),
  to: z.array(z.string()).optional().catch(undefined),
  tags: z.record(z.string(), z.unknown()).optional().catch(undefined),
  bounce: z.object({ type: z.string().optional() }).optional().catch(undefined),
});

/** Text in a form that can be stored. Cut instead of refused, because a refused event would be sent again for days. */
function bounded(max: number) {
  return z.string().transform((value) => value.replaceAll("\u0000", "").slice(0, max).toWellFormed());
}

/** The `data` of events about received mail: everything but the text. */
export const ReceivedMail = z.object({
  /** It becomes part of a URL, so other ids than UUIDs are dropped; then no text is fetched. */
  email_id: Uuid.nullish().catch(null),
  from: bounded(MAX_HEADER).catch(""),
  to: z
    .array(bounded(MAX_HEADER))
    .catch([])
    .transform((addresses) => addresses.slice(0, MAX_RECIPIENTS)),
  subject: bounded(MAX_HEADER).catch(""),
});

/** The text of a received mail, as the provider returns it. */
export const ReceivedText = z.object({ text: bounded(MAX_BODY).nullable(), html: bounded(MAX_BODY).nullable() });
