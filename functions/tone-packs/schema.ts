import { text } from "@nectar/core/text";
import { Tone } from "@nectar/core/tone";
import { Uuid } from "@nectar/core/uuid";
import { atLeastOneField } from "@nectar/http/at-least-one-field";
import { NextCursor, pageFields } from "@nectar/http/paging";
import { z } from "zod";

const Theme = z.enum([
  "origami",
  "animals",
  "nature",
  "abstract",
  "geometric",
  "minimalist",
  "watercolor",
  "line-art",
  "icons",
  "emojis",
  "shapes",
  "patterns",
]);

const Quality = z.enum(["standard", "hd"]);

export const ToneImage = z
  .object({
    id: z.guid(),
    tone: z.string(),
    image_url: z.string(),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "TonePackImage" });
export type ToneImage = z.infer<typeof ToneImage>;

/** A tone pack as one reader sees it. */
export const TonePack = z
  .object({
    id: z.guid(),
    owner_id: z.guid(),
    name: z.string(),
    description: z.string().nullable(),
    theme: Theme,
    is_public: z.boolean(),
    price_drops: z.int(),
    images: z.array(ToneImage),
    access: z.enum(["owner", "purchased", "shared", "public"]).meta({ description: "The strongest one applies." }),
    is_active: z.boolean(),
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "TonePack" });
export type TonePack = z.infer<typeof TonePack>;

const Price = z.int().min(0).max(100_000);
const Description = text({ min: 0, max: 1000 }).nullish();

/** The body that creates a pack. */
export const NewTonePack = z
  .object({
    name: text({ max: 100 }),
    description: Description,
    theme: Theme,
    is_public: z.boolean().default(false),
    price_drops: Price.default(0),
  })
  .meta({ id: "NewTonePack" });
export type NewTonePack = z.output<typeof NewTonePack>;

/** The body that changes a pack. */
export const TonePackUpdate = atLeastOneField(
  z.object({
    name: text({ max: 100 }).optional(),
    description: Description,
    theme: Theme.optional(),
    is_public: z.boolean().optional(),
    price_drops: Price.optional(),
  }),
).meta({ id: "TonePackUpdate" });
export type TonePackUpdate = z.output<typeof TonePackUpdate>;

/** The body that has images drawn. */
export const ImageRequest = z
  .object({
    tones: z
      .array(Tone)
      .min(1)
      .max(20)
      .transform((tones) => [...new Set(tones)]),
    quality: Quality.default("standard"),
  })
  .meta({ id: "ToneImageRequest" });
export type ImageRequest = z.output<typeof ImageRequest>;

/** The body that shares a pack: an address or an id, never both. */
export const NewShare = z
  .object({ user_id: Uuid.optional(), email: z.email().max(320).optional() })
  .refine(({ email, user_id }) => (email === undefined) !== (user_id === undefined), "must name email or user_id")
  .meta({ id: "NewTonePackShare" });
export type NewShare = z.output<typeof NewShare>;

export const PurchaseRequest = z
  .object({
    expected_price_drops: z.int().min(0).optional().meta({ description: "Refuses to buy at any other price." }),
  })
  .meta({ id: "TonePackPurchaseRequest" });

export const PacksQuery = z.object(pageFields());
export type PacksQuery = z.output<typeof PacksQuery>;
export const ActiveQuery = z.object({ mood: z.string().max(200).optional() });
export const ShareParams = z.object({ id: Uuid, userId: Uuid });

export const PackResponse = z.object({ tone_pack: TonePack });
export const PacksResponse = z.object({
  own: z.array(TonePack),
  shared: z.array(TonePack),
  public: z.array(TonePack),
  purchased: z.array(TonePack),
  next_cursor: NextCursor,
});
export const ActivePackResponse = z.object({
  tone_pack: TonePack.nullable(),
  images: z.record(z.string(), z.string()).meta({ description: "The address of the image of each tone." }),
  image_url: z.string().nullable().meta({ description: "The image of the asked mood, if the pack has one." }),
});
export const ImagesResponse = z.object({
  images: z.array(ToneImage),
  failed: z.array(z.object({ tone: z.string(), error: z.string() })),
  cost_usd: z.number().meta({ description: "In US dollars." }),
});
export type ImagesResponse = z.infer<typeof ImagesResponse>;
export const ShareResponse = z.object({
  message: z.string(),
  share: z.object({
    id: z.guid(),
    pack_id: z.guid(),
    user_id: z.guid().nullable().meta({ description: "Null if the pack was shared by address." }),
    created_at: z.iso.datetime({ precision: 3 }),
  }),
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
    amount: z.int().meta({ description: "Negative: the buyer pays." }),
    balance_after: z.int(),
    description: z.string(),
    item_id: z.guid(),
    item_type: z.literal("tone_pack"),
    created_at: z.iso.datetime({ precision: 3 }),
  }),
  balance: z.int(),
});
export type PurchaseResponse = z.infer<typeof PurchaseResponse>;
