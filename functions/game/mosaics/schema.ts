import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { PICTURE_URL_SECONDS } from "#core/limits";
import { inWords } from "#core/text/numbers";
import { NextCursor, pageFields } from "#http/response/paging";
import { TeamColor } from "../schema.ts";

/** Sections on one page; a response must stay below 6 MB. */
export const MAX_SECTIONS = 20_000;

export const MosaicQuery = z.object(pageFields({ default: MAX_SECTIONS, max: MAX_SECTIONS }));
export type MosaicQuery = z.output<typeof MosaicQuery>;

const Section = z.object({
  userId: z.guid(),
  userName: z.string().nullable(),
  status: z.enum(ENUMS.mosaic_status).meta({ description: "As of when the mosaic was drawn." }),
  coordinates: z
    .object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
    .meta({ description: "In pixels, from the top left corner of the image." }),
  teamColor: TeamColor,
});
export type Section = z.infer<typeof Section>;

const Mosaic = z
  .object({
    imageUrl: z.url().meta({ description: `A PNG. The link works for ${inWords(PICTURE_URL_SECONDS)}.` }),
    date: z.iso.date(),
    sections: z.array(Section),
    stats: z
      .object({ totalParticipants: z.int(), completed: z.int(), failed: z.int(), pending: z.int() })
      .meta({ description: "Counts over all participants, on whatever page." }),
  })
  .meta({ id: "Mosaic" });

export const MosaicResponse = z.object({ mosaic: Mosaic, nextCursor: NextCursor });
export type MosaicResponse = z.infer<typeof MosaicResponse>;

export const GenerateMosaicResponse = z.object({ mosaic: Mosaic, nextCursor: NextCursor, message: z.string() });
export type GenerateMosaicResponse = z.infer<typeof GenerateMosaicResponse>;
