import { limitField, NextCursor } from "@nectar/http/paging";
import * as z from "zod";
import { TeamColor } from "../schema.ts";

/** Sections on one page; a response must stay below 6 MB. */
export const MAX_SECTIONS = 20_000;

export const MosaicQuery = z.object({
  limit: limitField({ default: MAX_SECTIONS, max: MAX_SECTIONS }),
  cursor: z
    .string()
    .transform((text, context): string => {
      const userId = decodeCursor(text);
      if (userId === null) {
        context.addIssue({ code: "custom", message: "must be a nextCursor of this list" });
        return z.NEVER;
      }
      return userId;
    })
    .optional()
    .meta({ type: "string", description: "nextCursor of the previous page." }),
});
export type MosaicQuery = z.output<typeof MosaicQuery>;

const Section = z.object({
  userId: z.guid(),
  userName: z.string().nullable(),
  status: z.enum(["completed", "failed", "pending"]).meta({ description: "As of when the mosaic was drawn." }),
  coordinates: z
    .object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
    .meta({ description: "In pixels, from the top left corner of the image." }),
  teamColor: TeamColor,
});
export type Section = z.infer<typeof Section>;

export const Mosaic = z
  .object({
    imageUrl: z.url().meta({ description: "A PNG. The link works for one hour." }),
    date: z.iso.date(),
    sections: z.array(Section),
    stats: z
      .object({ totalParticipants: z.int(), completed: z.int(), failed: z.int(), pending: z.int() })
      .meta({ description: "Counts over all participants, on whatever page." }),
  })
  .meta({ id: "Mosaic" });
export type Mosaic = z.infer<typeof Mosaic>;

export const MosaicResponse = z.object({ mosaic: Mosaic, nextCursor: NextCursor });
export type MosaicResponse = z.infer<typeof MosaicResponse>;

export const GenerateMosaicResponse = z.object({ mosaic: Mosaic, nextCursor: NextCursor, message: z.string() });
export type GenerateMosaicResponse = z.infer<typeof GenerateMosaicResponse>;

/** The cursor of the page after a participant. Sections are in the order of user ids, so it still works after the mosaic was drawn again. */
export function encodeCursor(userId: string): string {
  return Buffer.from(`after ${userId}`).toString("base64url");
}

/** Reads the user id; null if this is not one of our cursors. */
function decodeCursor(text: string): string | null {
  const id = /^after (.+)$/.exec(Buffer.from(text, "base64url").toString("utf8"))?.[1];
  return z.guid().safeParse(id).data ?? null;
}
