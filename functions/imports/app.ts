import { ARCHIVE_UPLOAD_SECONDS, IMPORT_TURN_SECONDS, UNUSED_ARCHIVE_SECONDS } from "#core/limits";
import { KEPT_DAYS } from "#core/retention";
import { inWords } from "#core/text/numbers";
import { user } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { wake } from "#http/jobs/wake";
import type { Services } from "#http/services/services";
import { continueImports } from "./continue.ts";
import { archiveToImport, createImport, presentUpload, readImport, requireArchive, startImport } from "./imports.ts";
import { ImportId, ImportResponse, ImportStart, NewImport, NewImportResponse } from "./schema.ts";

/** Importing entries that were written elsewhere. */
export function importsApp(services: Services) {
  return groupApp(services, "imports", [
    endpointInSteps(
      "POST /api/journal/imports",
      {
        id: "createImport",
        summary: "Get an address to upload an archive of entries",
        description: `Send the zip archive to \`upload_url\` with PUT within ${inWords(ARCHIVE_UPLOAD_SECONDS)}, and then start the import within ${inWords(UNUSED_ARCHIVE_SECONDS)}.`,
        guard: user,
        body: NewImport,
        status: 201,
        response: NewImportResponse,
        quota: "journal_import",
        errors: ["provider.failed", "provider.not_configured"],
      },
      async ({ commit, body }) => presentUpload(services, await commit((tx) => createImport(tx, services, body)), body),
    ),
    endpointInSteps(
      "POST /api/journal/imports/:id/start",
      {
        id: "startImport",
        summary: "Start an import, or a dry run of it",
        description: `The whole archive is read before the first entry is created. Imported entries are private and excluded from AI, whatever the archive says; they keep their dates, moods and tags, and go into your notebook of the same name, which is created if there is none. Their pictures come along; one that cannot be used is a problem of its own, and counts in none of the numbers. What you imported once is skipped, also if you deleted it since. Read the import to follow its progress. One of your imports can run at a time, and after ${inWords(IMPORT_TURN_SECONDS)} it goes behind those of others. An import ends as failed if your account is suspended or closed meanwhile; what it created stays.`,
        guard: user,
        params: { id: ImportId },
        body: ImportStart,
        quota: { name: "journal_import_start", counted: "by the handler", further: "import_picture" },
        response: ImportResponse,
        errors: [
          "import.not_found",
          "import.not_uploaded",
          "import.in_progress",
          "import.ended",
          "provider.failed",
          "provider.not_configured",
        ],
      },
      async ({ commit, respond, params: { id }, body }) => {
        const archive = await requireArchive(services, await commit((tx) => archiveToImport(tx, id)));
        const started = await respond(async (tx) => ({ import: await startImport(tx, id, archive, body.dry_run) }));
        await wake(services, { name: "import", id });
        return started;
      },
    ),
    endpoint(
      "GET /api/journal/imports/:id",
      {
        id: "readImport",
        summary: "Read the progress of an import",
        description: `An import can be read for ${KEPT_DAYS.imports} days.`,
        guard: user,
        replica: "own",
        params: { id: ImportId },
        response: ImportResponse,
        errors: ["import.not_found"],
      },
      async ({ tx, params }) => ({ import: await readImport(tx, params.id) }),
    ),
    jobEndpoint(continueImports, {
      id: "continueImports",
      summary: "Continue imports that were interrupted (scheduled)",
    }),
  ]);
}
