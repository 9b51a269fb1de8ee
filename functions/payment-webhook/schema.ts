import * as z from "zod";
import { Uuid } from "#core/text/uuid";

/** The end of the year 9999, in seconds since 1970. */
const MAX_SECONDS = 253_402_300_799;

/** An id of the processor: visible ASCII, which the database can always store. */
const ProcessorId = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/** A time, sent as seconds since 1970. */
const Moment = z
  .number()
  .int()
  .min(0)
  .max(MAX_SECONDS)
  .transform((seconds) => new Date(seconds * 1_000));

/** The fields of every event. The content of `data.object` depends on the type. */
export const EventEnvelope = z.object({
  id: ProcessorId,
  type: z.string().regex(/^[a-z0-9_.]{1,100}$/),
  created: Moment,
  data: z.object({ object: z.unknown() }),
});

/** An id, or an object with this id. */
const Reference = z
  .union([ProcessorId, z.object({ id: ProcessorId }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? null);

/** Free text of the subscription; ignored unless it is a user's id. */
const UserId = Uuid.nullish()
  .catch(null)
  .transform((id) => id ?? null);

const Metadata = z
  .object({ user_id: UserId })
  .nullish()
  .catch(null)
  .transform((metadata) => metadata?.user_id ?? null);

export const Session = z.object({
  customer: Reference,
  subscription: Reference,
  payment_status: z.string(),
  client_reference_id: UserId,
  metadata: Metadata,
});

/**
 * An invoice. A webhook keeps the API version that it was created with: before 2025 the invoice itself named its
 * subscription, since then its `parent` does.
 */
export const Invoice = z.object({
  customer: Reference,
  created: Moment.nullish(),
  amount_paid: z.number().nullish(),
  parent: z
    .object({ subscription_details: z.object({ subscription: Reference, metadata: Metadata }).nullish() })
    .nullish(),
  subscription: Reference,
  subscription_details: z.object({ metadata: Metadata }).nullish(),
});

export const SubscriptionObject = z.object({
  id: ProcessorId,
  customer: Reference,
  status: z.string().regex(/^[a-z_]{1,50}$/),
  metadata: Metadata,
});
