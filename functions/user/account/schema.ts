import * as z from "zod";
import { MAX_FRESH_TOKEN_SECONDS } from "#core/limits";
import { KEPT_DAYS } from "#core/retention";
import { inWords } from "#core/text/numbers";

const OwnedOrganization = z.object({ id: z.guid(), name: z.string() });

export const ErasureTimes = z
  .object({
    requested_at: z.iso.datetime({ precision: 3 }),
    erases_at: z.iso.datetime({ precision: 3 }).meta({ description: "You can restore your account until then." }),
  })
  .meta({ id: "ErasureTimes" });
export type ErasureTimes = z.infer<typeof ErasureTimes>;

export const ErasureResponse = z.object({
  preview: z
    .object({
      entries: z.int(),
      drops_balance: z.int().meta({ description: "In drops, which are lost." }),
      subscription_active: z.boolean().meta({ description: "Whether a subscription will be cancelled." }),
      tone_packs_with_buyers: z
        .int()
        .meta({ description: "How many tone packs stay for those who bought them, without your name and texts." }),
      organizations_to_transfer: z
        .array(OwnedOrganization)
        .meta({ description: "They have other members: transfer or delete them first." }),
      organizations_handed_back: z.array(OwnedOrganization).meta({
        description: "You received them and never used them: they go back, or to another member.",
      }),
      organizations_removed: z.array(OwnedOrganization).meta({ description: "You are alone in them." }),
      teams_handed_over: z
        .int()
        .meta({ description: "How many teams get the owner of their organization as their admin." }),
      kept: z.array(z.string()).meta({ description: "What stays and why, in sentences." }),
    })
    .meta({ id: "ErasurePreview" }),
  scheduled: ErasureTimes.nullable().meta({ description: "null unless your account is closing." }),
});
export type ErasureResponse = z.infer<typeof ErasureResponse>;

export const ErasureRequest = z
  .object({
    confirm: z.literal("DELETE").meta({ description: "So that no account is erased by mistake." }),
    when: z
      .enum(["scheduled", "now"])
      .default("scheduled")
      .meta({
        description: `scheduled: in ${KEPT_DAYS.closingAccounts} days. now: at once; needs an access token that is at most ${inWords(MAX_FRESH_TOKEN_SECONDS)} old.`,
      }),
  })
  .meta({ id: "ErasureRequest" });
export type ErasureRequest = z.output<typeof ErasureRequest>;

export const RequestedErasureResponse = z.object({ erasure: ErasureTimes });
