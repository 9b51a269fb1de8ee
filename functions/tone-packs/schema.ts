import * as z from "zod";
import { Tone } from "#core/assistant/tone";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { ImageQuality } from "#core/money/pricing";
import { Card } from "#core/people/card";
import { Moderation } from "#core/people/moderation";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { NextCursor, pageFields } from "#http/response/paging";

export const TonePackId = Uuid.meta({ description: "The id of the tone pack." });

const Theme = z.enum(ENUMS.tone_pack_theme);

export const ToneImage = z
  .object({
    id: z.guid(),
    tone: z.string(),
    image_url: z.string().meta({ description: "A public address that does not expire." }),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "TonePackImage" });
export type ToneImage = z.infer<typeof ToneImage>;

export const TonePack = z
  .object({
    id: z.guid(),
    owner_id: z.guid(),
    name: z.string(),
    description: z.string().nullable(),
    theme: Theme,
    is_public: z.boolean(),
    price_drops: z.int().meta({ description: "In drops; 0 if the pack is free." }),
    images: z.array(ToneImage),
    access: z.enum(["owner", "purchased", "shared", "public"]).meta({
      description: "Why you can see the pack; the first of these that applies.",
    }),
    is_active: z.boolean().meta({ description: "Whether this is your active pack." }),
    moderation: Moderation,
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "TonePack" });
export type TonePack = z.infer<typeof TonePack>;

const Price = z.int().min(0).max(100_000).meta({ description: "In drops." });
const Description = text({ ...LENGTHS.tone_packs.description, min: 0 }).nullish();

export const NewTonePack = z
  .object({
    name: text(LENGTHS.tone_packs.name),
    description: Description,
    theme: Theme,
    is_public: z.boolean().default(false),
    price_drops: Price.default(0),
  })
  .meta({ id: "NewTonePack" });
export type NewTonePack = z.output<typeof NewTonePack>;

export const TonePackUpdate = atLeastOneField(
  z.object({
    name: text(LENGTHS.tone_packs.name).optional(),
    description: Description,
    theme: Theme.optional(),
    is_public: z.boolean().optional(),
    price_drops: Price.optional(),
  }),
).meta({ id: "TonePackUpdate" });
export type TonePackUpdate = z.output<typeof TonePackUpdate>;

export const ImageRequest = z
  .object({
    tones: z
      .array(Tone)
      .min(1)
      .max(20)
      .transform((tones) => [...new Set(tones)])
      .meta({ description: "1 to 20 tones; duplicates are ignored." }),
    quality: ImageQuality.default("standard"),
  })
  .meta({ id: "ToneImageRequest" });
export type ImageRequest = z.output<typeof ImageRequest>;

/** The body that shares a pack, with a user id or an email address. */
export const NewShare = z
  .object({
    user_id: Uuid.optional().meta({ description: "Send either user_id or email." }),
    email: z
      .email()
      .max(LENGTHS.tone_pack_shares.email.max)
      .optional()
      .meta({ description: "The address of the user's account." }),
  })
  .refine(({ email, user_id }) => (email === undefined) !== (user_id === undefined), "must name email or user_id")
  .meta({ id: "NewTonePackShare" });
export type NewShare = z.output<typeof NewShare>;

export const PurchaseRequest = z
  .object({
    expected_price_drops: z
      .int32()
      .min(0)
      .optional()
      .meta({ description: "In drops. If the price is another one, nothing is bought." }),
  })
  .meta({ id: "TonePackPurchaseRequest" });

export const ActiveQuery = z.object({
  mood: z.string().max(200).optional().meta({ description: "A mood to find the image of, in upper or lower case." }),
});
/** The part of the list before the public packs: own, purchased and shared ones. */
export const PRIVATE_PART = "private";
export const PacksQuery = z.object(pageFields(undefined, z.literal(PRIVATE_PART)));
export const RecipientOrShareId = Uuid.meta({
  description: "The id of the user or, for the owner of the pack, of the share.",
});

export const PackResponse = z.object({ tone_pack: TonePack });
export const PacksResponse = z.object({
  own: z.array(TonePack),
  shared: z.array(TonePack),
  public: z.array(TonePack),
  purchased: z.array(TonePack),
  next_cursor: NextCursor,
});
export const ActivePackResponse = z.object({
  tone_pack: TonePack.nullable().meta({ description: "null if you have no active pack." }),
  images: z.record(z.string(), z.string()).meta({ description: "The image address of each tone." }),
  image_url: z.string().nullable().meta({ description: "The image of the mood in the query; null if there is none." }),
});
export const ImagesResponse = z.object({
  images: z.array(ToneImage),
  failed: z
    .array(z.object({ tone: z.string(), error: z.string() }))
    .meta({ description: "Tones that got no image. You can try them again." }),
  cost_usd: z.number().meta({ description: "What the drawings cost, in US dollars." }),
});
export type ImagesResponse = z.infer<typeof ImagesResponse>;
export const ShareResponse = z.object({
  message: z.string(),
  share: z.object({
    id: z.guid(),
    pack_id: z.guid(),
    user_id: z.guid().nullable().meta({ description: "null if you shared the pack by email address." }),
    created_at: z.iso.datetime({ precision: 3 }),
  }),
});
export type ShareResponse = z.infer<typeof ShareResponse>;
export const SharesResponse = z.object({
  shares: z.array(
    z
      .object({
        id: z.guid(),
        email: z.string().nullable().meta({
          description:
            "The address that you named; null for a share by user id, and for those made before version 0.3.",
        }),
        user: Card.nullable().meta({ description: "null if you shared the pack by email address." }),
        created_at: z.iso.datetime({ precision: 3 }),
      })
      .meta({ id: "TonePackShare" }),
  ),
  next_cursor: NextCursor,
});
export const ActivationResponse = z.object({ message: z.string(), active_tone_pack_id: z.guid() });
export const PurchaseResponse = z.object({
  purchase: z.object({
    id: z.guid(),
    pack_id: z.guid(),
    user_id: z.guid(),
    price_drops: z.int(),
    created_at: z.iso.datetime({ precision: 3 }),
  }),
  transaction: z.object({
    id: z.guid(),
    type: z.literal("purchase"),
    amount: z.int().meta({ description: "In drops. Negative, because you pay." }),
    balance_after: z.int().meta({ description: "In drops." }),
    description: z.string(),
    item_id: z.guid(),
    item_type: z.literal("tone_pack"),
    created_at: z.iso.datetime({ precision: 3 }),
  }),
  balance: z.int().meta({ description: "Your balance in drops." }),
});
export type PurchaseResponse = z.infer<typeof PurchaseResponse>;
