import { DropTransaction } from "@nectar/core/drop-transaction";
import { text } from "@nectar/core/text";
import { TokenUsage } from "@nectar/core/token-usage";
import { Uuid } from "@nectar/core/uuid";
import { NextCursor, pageFields } from "@nectar/http/paging";
import { z } from "zod";

const Timestamp = z.iso.datetime({ precision: 3 });
const Role = z.enum(["super_admin", "admin", "user"]);

/** How many tokens one drop is worth, from a moment on. */
export const Rate = z
  .object({
    id: z.guid(),
    rate: z.number().meta({ description: "Tokens for one drop." }),
    effective_date: Timestamp,
    created_by: z.guid().nullable().meta({ description: "Null for the first rate, and when that person is gone." }),
    created_at: Timestamp,
  })
  .meta({ id: "ConversionRate" });
export type Rate = z.infer<typeof Rate>;

/** The largest rate that the column holds, and its places after the point. */
const MAX_RATE = 9_999_999_999.9999;
const DECIMAL_PLACES = 4;

/** The body that sets a rate. */
export const NewRate = z
  .object({
    rate: z
      .number()
      .gt(0)
      .max(MAX_RATE)
      .refine(
        (rate) => Number(rate.toFixed(DECIMAL_PLACES)) === rate,
        `must have at most ${DECIMAL_PLACES} decimal places`,
      ),
  })
  .meta({ id: "NewConversionRate" });
export type NewRate = z.output<typeof NewRate>;

/** The query of a list without filters. */
export const PageQuery = z.object(pageFields({ default: 50, max: 500 }));
export type PageQuery = z.output<typeof PageQuery>;

/** A person as admins see them. */
export const AdminUser = z
  .object({
    id: z.guid(),
    email: z.string().nullable(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai: z.boolean(),
    role: Role,
    is_premium: z.boolean(),
    drops_balance: z.int(),
    created_at: Timestamp,
    token_usage: TokenUsage,
  })
  .meta({ id: "AdminUser" });
export type AdminUser = z.infer<typeof AdminUser>;

/** The query of the list of people. */
export const UsersQuery = z.object({
  ...pageFields({ default: 50, max: 500 }),
  q: text({ max: 100 }).optional().meta({ description: "Part of a name or an address, in any case." }),
  is_ai: z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .optional()
    .meta({ type: "string", enum: ["true", "false"] }),
  role: Role.optional(),
});
export type UsersQuery = z.output<typeof UsersQuery>;

/** The body that changes a role. */
export const RoleUpdate = z.object({ role: Role }).meta({ id: "RoleUpdate" });
export type RoleUpdate = z.output<typeof RoleUpdate>;

const Description = text({ max: 255 });
const MAX_AMOUNT = 2_147_483_647;

/** The body that corrects a balance. */
export const Adjustment = z
  .object({
    user_id: Uuid,
    amount: z
      .int()
      .min(-MAX_AMOUNT)
      .max(MAX_AMOUNT)
      .refine((amount) => amount !== 0, "must not be 0")
      .meta({ description: "Drops to give; negative to take." }),
    description: Description,
  })
  .meta({ id: "DropsAdjustment" });
export type Adjustment = z.output<typeof Adjustment>;

/** The body that gives a purchase back. */
export const Refund = z
  .object({ transaction_id: Uuid, description: Description.optional() })
  .meta({ id: "DropsRefund" });
export type Refund = z.output<typeof Refund>;

export const RatesResponse = z.object({ current: Rate.nullable(), history: z.array(Rate), next_cursor: NextCursor });
export const RateResponse = z.object({ rate: Rate });
export const UsersResponse = z.object({
  users: z.array(AdminUser),
  total: z.int().meta({ description: "Everybody who matches, on whatever page." }),
  next_cursor: NextCursor,
});
export const RoleResponse = z.object({ user: z.object({ id: z.guid(), role: Role }) });
export const MovementResponse = z.object({ transaction: DropTransaction, balance: z.int() });

/** A mail to the service. */
export const ReceivedEmail = z
  .object({
    id: z.guid(),
    from: z.string(),
    to: z.array(z.string()),
    subject: z.string(),
    text: z.string().nullable().meta({ description: "Null if there is none, or if it was not fetched yet." }),
    html: z.string().nullable().meta({
      description:
        "Exactly as the sender wrote it: show it only in a sandbox. Null if there is none, or if it was not fetched yet.",
    }),
    is_verified: z.boolean().meta({
      description: "False if only unsigned events reported this mail: anyone could have made them up.",
    }),
    received_at: Timestamp,
  })
  .meta({ id: "ReceivedEmail" });
export type ReceivedEmail = z.infer<typeof ReceivedEmail>;

export const EmailsResponse = z.object({ emails: z.array(ReceivedEmail), next_cursor: NextCursor });
