import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { DropTransaction } from "#core/money/drop-transaction";
import { TokenUsage } from "#core/money/token-usage";
import { Card } from "#core/people/card";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { LATE_PERIODS } from "#core/time/late-jobs";
import { JobResults } from "#http/jobs/jobs";
import { FlagField, NextCursor, pageFields } from "#http/response/paging";

export const UserId = Uuid.meta({ description: "The id of the user." });

const Timestamp = z.iso.datetime({ precision: 3 });
const Role = z.enum(ENUMS.user_role);

/** How many tokens one drop is worth from a date on. */
export const Rate = z
  .object({
    id: z.guid(),
    rate: z.number().meta({ description: "Tokens per drop." }),
    effective_date: Timestamp.meta({ description: "The rate counts from this time." }),
    created_by: z.guid().nullable().meta({ description: "null for the first rate, or if the account is gone." }),
    created_at: Timestamp,
  })
  .meta({ id: "ConversionRate" });
export type Rate = z.infer<typeof Rate>;

/** The maximum rate that the column can store, and its decimal places. */
const MAX_RATE = 9_999_999_999.9999;
const DECIMAL_PLACES = 4;

export const NewRate = z
  .object({
    rate: z
      .number()
      .gt(0)
      .max(MAX_RATE)
      .refine(
        (rate) => Number(rate.toFixed(DECIMAL_PLACES)) === rate,
        `must have at most ${DECIMAL_PLACES} decimal places`,
      )
      .meta({ description: `Tokens per drop, with at most ${DECIMAL_PLACES} decimal places.` }),
  })
  .meta({ id: "NewConversionRate" });
export type NewRate = z.output<typeof NewRate>;

export const PageQuery = z.object(pageFields({ default: 50, max: 500 }));
export type PageQuery = z.output<typeof PageQuery>;

export const AdminUser = z
  .object({
    id: z.guid(),
    email: z.string().nullable(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai: z.boolean().meta({ description: "Whether this is a synthetic user." }),
    role: Role,
    is_premium: z.boolean().meta({ description: "Whether they have an active subscription." }),
    drops_balance: z.int().meta({ description: "In drops." }),
    created_at: Timestamp,
    token_usage: TokenUsage.meta({ description: "The current UTC calendar month." }),
  })
  .meta({ id: "AdminUser" });
export type AdminUser = z.infer<typeof AdminUser>;

export const UsersQuery = z.object({
  ...pageFields({ default: 50, max: 500 }),
  q: text({ max: 100 }).optional().meta({ description: "Part of the name or email address, in upper or lower case." }),
  is_ai: FlagField.meta({ description: "true: only synthetic users; false: only people." }),
  role: Role.optional().meta({ description: "Only users with this role." }),
});
export type UsersQuery = z.output<typeof UsersQuery>;

export const RoleUpdate = z.object({ role: Role }).meta({ id: "RoleUpdate" });
export type RoleUpdate = z.output<typeof RoleUpdate>;

const Description = text({ max: 255 });
const MAX_AMOUNT = 2_147_483_647;

export const Adjustment = z
  .object({
    user_id: Uuid,
    amount: z
      .int()
      .min(-MAX_AMOUNT)
      .max(MAX_AMOUNT)
      .refine((amount) => amount !== 0, "must not be 0")
      .meta({ description: "In drops. Negative to take drops away." }),
    description: Description.meta({ description: "Shown to the user beside the transaction." }),
  })
  .meta({ id: "DropsAdjustment" });
export type Adjustment = z.output<typeof Adjustment>;

export const Refund = z
  .object({
    transaction_id: Uuid.meta({ description: "The transaction of the purchase." }),
    description: Description.optional().meta({ description: "Shown to the user beside the transaction." }),
  })
  .meta({ id: "DropsRefund" });
export type Refund = z.output<typeof Refund>;

export const RatesResponse = z.object({
  current: Rate.nullable().meta({ description: "The rate that counts now; null if there is none yet." }),
  history: z.array(Rate).meta({ description: "All rates, newest first." }),
  next_cursor: NextCursor,
});
export const RateResponse = z.object({ rate: Rate });
export const UsersResponse = z.object({
  users: z.array(AdminUser),
  total: z.int().meta({ description: "All users who match the filters, on whatever page." }),
  next_cursor: NextCursor,
});
export const RoleResponse = z.object({ user: z.object({ id: z.guid(), role: Role }) });
export const MovementResponse = z.object({
  transaction: DropTransaction,
  balance: z.int().meta({ description: "The user's balance in drops." }),
});

const ReceivedEmail = z
  .object({
    id: z.guid(),
    from: z.string(),
    to: z.array(z.string()),
    subject: z.string(),
    text: z.string().nullable().meta({ description: "null if there is none, or if it was not fetched yet." }),
    html: z.string().nullable().meta({
      description:
        "Exactly as the sender wrote it: show it only in a sandbox. null if there is none, or if it was not fetched yet.",
    }),
    is_verified: z.boolean().meta({
      description: "false if only unsigned events reported this mail. Anyone could have made them up.",
    }),
    received_at: Timestamp,
  })
  .meta({ id: "ReceivedEmail" });

export const EmailsResponse = z.object({ emails: z.array(ReceivedEmail), next_cursor: NextCursor });

export const JobsResponse = z.object({
  jobs: z.array(
    z
      .object({
        name: z.string(),
        schedule: z.string().meta({ description: "An EventBridge cron expression, in UTC." }),
        last_started_at: Timestamp.nullable().meta({ description: "null if it never ran." }),
        last_succeeded_at: Timestamp.nullable().meta({ description: "When the last success ended; null if none did." }),
        running: z.boolean(),
        late: z
          .boolean()
          .meta({ description: `Whether it has not succeeded for ${LATE_PERIODS} periods of its schedule.` }),
        last_results: JobResults.nullable().meta({
          description: "What the last run counted that ended; empty if it failed, null if none ended.",
        }),
      })
      .meta({ id: "ScheduledJob" }),
  ),
});

const Action = z.string().regex(/^[A-Za-z]{1,100}$/, "must be the id of an operation, such as updateUserRole");

const AuditEvent = z
  .object({
    id: z.guid(),
    at: Timestamp,
    actor: Card.nullable().meta({ description: "Who made the change; null if the account is gone." }),
    actor_role: Role.meta({ description: "Their role before the change." }),
    action: Action.meta({
      description: "The id of the operation in this reference, or `bootstrapRole` for a first role by the environment.",
    }),
    target_type: z.enum(ENUMS.audit_target).meta({ description: "What was changed. More kinds may be added." }),
    target_id: z.guid().nullable().meta({ description: "null for several things at once, or for one without an id." }),
    changed: z.array(z.string()).meta({ description: "The names of the fields that were set, never their values." }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: "The `x-request-id` of the response; null if the caller sent one that is no UUID." }),
  })
  .meta({ id: "AuditEvent" });

export const AuditQuery = z.object({
  ...pageFields({ default: 50, max: 500 }),
  actor_id: Uuid.optional().meta({ description: "Only changes that this user made, also after the account is gone." }),
  action: Action.optional().meta({ description: "Only this operation." }),
  target_id: Uuid.optional().meta({ description: "Only changes of the thing with this id." }),
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditResponse = z.object({ events: z.array(AuditEvent), next_cursor: NextCursor });
