import * as z from "zod";
import { LENGTHS } from "#core/lengths.generated";
import { Uuid } from "#core/text/uuid";

const RECEIVED = LENGTHS["private.email_received"];

/** The fields of all events. The content of `data` depends on the type, and any of it may be missing. */
export const MailEvent = z.object({
  type: z.string().min(1).max(LENGTHS["private.email_events"].type.max),
  created_at: z.string().optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).catch({}),
});
export type MailEvent = z.output<typeof MailEvent>;

/** The `data` of events about a sent mail. */
export const Delivery = z.object({
  email_id: z.string().min(1).max(LENGTHS["private.email_messages"].provider_id.max).optional().catch(undefined),
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
  from: bounded(RECEIVED.sender.max).catch(""),
  to: z
    .array(bounded(RECEIVED.sender.max))
    .catch([])
    .transform((addresses) => addresses.slice(0, RECEIVED.recipients.max)),
  subject: bounded(RECEIVED.subject.max).catch(""),
});

/** The text of a received mail, as the provider returns it. */
export const ReceivedText = z.object({
  text: bounded(RECEIVED.body_text.max).nullable(),
  html: bounded(RECEIVED.body_html.max).nullable(),
});
