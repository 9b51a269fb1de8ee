import * as z from "zod";

const UsageOfOneKind = z
  .object({
    tokens: z.int(),
    cost_usd: z.number().meta({ description: "In US dollars." }),
    count: z.int().meta({ description: "How many times a model was called." }),
  })
  .meta({ id: "UsageOfOneKind" });

/** A person's use of external models in one calendar month (UTC). */
export const TokenUsage = z
  .object({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: "YYYY-MM, by the UTC calendar." }),
    total_tokens: z.int(),
    total_cost_usd: z.number().meta({ description: "In US dollars." }),
    drops_equivalent: z.number().meta({
      description:
        "The value of the tokens in drops: the sum over all calls, each at the rate of its time, rounded half up to two decimals.",
    }),
    breakdown: z.object({
      tone: UsageOfOneKind,
      images: UsageOfOneKind,
      packs: UsageOfOneKind,
      assistant: UsageOfOneKind,
      analysis: UsageOfOneKind,
    }),
  })
  .meta({ id: "TokenUsage" });
export type TokenUsage = z.infer<typeof TokenUsage>;
