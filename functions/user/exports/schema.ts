import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { PHOTO_URL_SECONDS } from "#core/limits";
import { KEPT_DAYS } from "#core/retention";
import { inWords } from "#core/text/numbers";
import { Uuid } from "#core/text/uuid";
import { NextCursor } from "#http/response/paging";

const Timestamp = z.iso.datetime({ precision: 3 });

export const ExportId = Uuid.meta({ description: "The id of the export." });

export const Export = z
  .object({
    id: z.guid(),
    status: z.enum(ENUMS.export_status).meta({
      description:
        "pending: being built. ready: can be downloaded. failed: could not be built; create another one. expired: its file was removed.",
    }),
    created_at: Timestamp,
    ready_at: Timestamp.nullable(),
    expires_at: Timestamp.nullable().meta({
      description: `${KEPT_DAYS.exportFiles} days after it was ready, or earlier if someone whose words are in it erased their account. null if it never was.`,
    }),
    size_bytes: z.int().nullable(),
    sha256: z.string().nullable().meta({ description: "SHA-256 of the file, in hexadecimal." }),
    url: z
      .string()
      .nullable()
      .meta({
        description: `Download the zip file here within ${inWords(PHOTO_URL_SECONDS)}. null in lists, and unless the export is ready.`,
      }),
  })
  .meta({ id: "Export" });
export type Export = z.infer<typeof Export>;

export const ExportResponse = z.object({ export: Export });
export const ExportsResponse = z.object({ exports: z.array(Export), next_cursor: NextCursor });
