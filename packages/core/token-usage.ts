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

/** A row of `nectar.token_usage_month`; numerics arrive as text. */
export interface TokenUsageRow extends Omit<TokenUsage, "total_cost_usd" | "drops_equivalent"> {
  readonly total_cost_usd: string;
  readonly drops_equivalent: string;
}

/** Converts a row into the month of a response. */
export function tokenUsageOf({
  month,
  total_tokens,
  total_cost_usd,
  drops_equivalent,
  breakdown,
}: TokenUsageRow): TokenUsage {
  return {
    month,
    total_tokens,
    total_cost_usd: Number(total_cost_usd),
    drops_equivalent: Number(drops_equivalent),
    breakdown,
  };
}
