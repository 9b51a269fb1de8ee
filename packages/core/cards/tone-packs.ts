import { type Cards, LEFT } from "./card.ts";

const PACKS = {
  what: "Tone packs and their images",
  seenBy:
    "the owner, buyers, people it is shared with, everyone if it is public; images: everyone who knows their address",
};

/** Tone packs, their images, purchases and shares. */
export const TONE_PACK_TABLES = {
  "nectar.tone_packs": {
    about: PACKS,
    person: "owner_id",
    users: { select: "readers", insert: "signed in", update: "owner" },
    exported: { tone_packs: { as: { hidden_at: "moderation" } } },
    left: { "A deleted pack is only its buyers', and theirs to see.": ["deleted_at"] },
    erased: "by cascade",
    stays: "Tone packs that others bought, under the name of their theme and for the buyers only",
    grows: "with people",
  },
  "nectar.tone_pack_images": {
    about: PACKS,
    person: "owner_id",
    users: { select: "readers", insert: "owner", update: "owner" },
    exported: { "tone_packs.images": { as: { file_path: "image_url" } } },
    left: { [LEFT.derived]: ["id", "pack_id", "owner_id", "created_at"] },
    erased: "by cascade",
    stays: "The images of such packs, whose addresses have the id of the account",
    grows: "with people",
  },
  "nectar.tone_pack_purchases": {
    about: { what: "Drops as money: movements, purchases, monthly awards", seenBy: "the person" },
    users: { select: "owner" },
    exported: { purchases: "all" },
    exportedAs: "rows",
    left: { [LEFT.derived]: ["transaction_id", "refunded_at"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.tone_pack_shares": {
    about: PACKS,
    users: { select: "giver and receiver", insert: "owner", delete: "giver and receiver" },
    left: "Who was given a pack is about them; one's own packs are exported.",
    erased: "by cascade",
    grows: "with time",
  },
} as const satisfies Cards;
