import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { Uuid } from "#core/text/uuid";

/** The maximum size of an archive in bytes. */
const MAX_ARCHIVE_BYTES = 200 * 1024 * 1024;

export const ImportId = Uuid.meta({ description: "The id of the import." });

const ImportSource = z.enum(ENUMS.import_source);
export type ImportSource = z.infer<typeof ImportSource>;

const ImportStatus = z.enum(ENUMS.import_status).meta({
  description:
    "waiting: not started. running: it reads the archive, and then creates entries. done: all of the archive was read. failed: the archive cannot be imported, `problems` says why.",
});

export const NewImport = z
  .object({
    source: ImportSource.meta({
      description:
        "nectar: an export of this service. day_one: an export of Day One as JSON. markdown: Markdown files, with or without front matter.",
    }),
    size: z.int().min(1).max(MAX_ARCHIVE_BYTES).meta({ description: "The size of the archive in bytes." }),
  })
  .meta({ id: "NewImport" });
export type NewImport = z.output<typeof NewImport>;

export const NewImportResponse = z
  .object({
    import: z.object({
      id: z.guid(),
      status: ImportStatus,
      upload_url: z.string().meta({
        description: "Send the archive here with PUT, as `application/zip` and with exactly the size that you named.",
      }),
      upload_expires_at: z.iso.datetime().meta({ description: "upload_url works until then." }),
    }),
  })
  .meta({ id: "NewImportResponse" });
export type NewImportResponse = z.output<typeof NewImportResponse>;

export const ImportStart = z
  .object({
    dry_run: z.boolean().default(false).meta({
      description: "true: create nothing, and count what would be created. You can start the import again afterwards.",
    }),
  })
  .meta({ id: "ImportStart" });

const ImportProblem = z.object({
  path: z.string().nullable().meta({ description: "The file in the archive; null if it is about the whole archive." }),
  code: z.string().meta({ description: "As in `invalid_date`. New codes may be added." }),
  message: z.string(),
});

export const Import = z
  .object({
    id: z.guid(),
    source: ImportSource,
    status: ImportStatus,
    dry_run: z.boolean(),
    found: z.int().meta({ description: "Entries in the archive, as far as it was read." }),
    created: z.int().meta({ description: "Entries that were created; of a dry run, those that would be." }),
    skipped: z.int().meta({ description: "Entries that you have or imported already." }),
    failed: z.int().meta({ description: "Entries that cannot be imported." }),
    problems: z
      .array(ImportProblem)
      .meta({ description: `Why entries failed, or the archive; the first ${LENGTHS.journal_imports.problems.max}.` }),
  })
  .meta({ id: "Import" });
export type Import = z.output<typeof Import>;

export const ImportResponse = z.object({ import: Import }).meta({ id: "ImportResponse" });
