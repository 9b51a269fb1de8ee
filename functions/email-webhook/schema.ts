import { Uuid } from "@nectar/core/uuid";
import { z } from "zod";

const MAX_HEADER = 1_000;
const MAX_BODY = 256 * 1024;
const MAX_RECIPIENTS = 50;

/** An event as far as all kinds are alike. What is in `data` depends on the kind, and any of it may be missing. */
export const MailEvent = z.object({
  type: z.string().min(1).max(100),
  created_at: z.string().optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).catch({}),
});
export type MailEvent = z.output<typeof MailEvent>;

/** What events that concern a sent mail have in `data`. */
export const Delivery = z.object({
  email_id: z.string().min(1).max(255).optional().catch(undefined),
  to: z.array(z.string()).optional().catch(undefined),
  tags: z.record(z.string(), z.unknown()).optional().catch(undefined),
  bounce: z.object({ type: z.string().optional() }).optional().catch(undefined),
});

/** Text from outside, made what can be stored: cut off rather than refused, which would have it sent again for days. */
function bounded(max: number) {
  return z.string().transform((value) => value.replaceAll("\u0000", "").slice(0, max).toWellFormed());
}

/** What an event about mail to the service has in `data`: everything but the text. */
export const ReceivedMail = z.object({
  /** Nothing can be fetched for an id of another form, which would become part of an address. */
  email_id: Uuid.nullish().catch(null),
  from: bounded(MAX_HEADER).catch(""),
  to: z
    .array(bounded(MAX_HEADER))
    .catch([])
    .transform((addresses) => addresses.slice(0, MAX_RECIPIENTS)),
  subject: bounded(MAX_HEADER).catch(""),
});

/** What the provider has of a mail to the service. */
export const ReceivedText = z.object({ text: bounded(MAX_BODY).nullable(), html: bounded(MAX_BODY).nullable() });
