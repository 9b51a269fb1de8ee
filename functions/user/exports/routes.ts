import { PHOTO_URL_SECONDS } from "#core/limits";
import { KEPT_DAYS } from "#core/retention";
import { user } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { wake } from "#http/jobs/wake";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import { configured } from "#http/services/configured";
import { createExport, deleteExport, listExports, presentExport, readExport, resumeExports } from "./exports.ts";
import { ExportId, ExportResponse, ExportsResponse } from "./schema.ts";

/** Exports of the caller's data. */
export const exportRoutes = [
  endpoint(
    "POST /api/user/exports",
    {
      id: "createExport",
      summary: "Export all your data",
      description:
        "A zip file with everything of yours is built in the background; you are notified when it is ready. It has `manifest.json` with size and SHA-256 of every file, `data/` with your data as the API shows it (a JSON file for each kind, lists with a row per line), `journal/` with a Markdown file for each entry, and `files/` with your photos, backgrounds and tone images, to which `photo_url` and `image_url` refer by path. One at a time.",
      guard: user,
      access: "write while closing",
      status: 201,
      response: ExportResponse,
      quota: "export",
      errors: ["export.in_progress", "provider.not_configured"],
    },
    async ({ tx, services, afterCommit }) => {
      configured(services.privateFiles);
      const created = await createExport(tx);
      afterCommit(() => wake(services, { name: "export", id: created.id }));
      return { export: created };
    },
  ),
  endpoint(
    "GET /api/user/exports",
    {
      id: "listExports",
      summary: "List your exports",
      description: `Newest first. Exports of more than ${KEPT_DAYS.exports} days ago are not listed.`,
      guard: user,
      replica: "own",
      query: PageQuery,
      response: ExportsResponse,
    },
    ({ tx, actor, query }) => listExports(tx, actor.userId, query),
  ),
  endpointInSteps(
    "GET /api/user/exports/:id",
    {
      id: "readExport",
      summary: "Read an export, with the address of its file",
      guard: user,
      replica: "own",
      params: { id: ExportId },
      response: ExportResponse,
      errors: ["export.not_found", "provider.not_configured", "provider.failed"],
    },
    async ({ read, params, services }) => {
      const row = await read((tx) => readExport(tx, params.id));
      const isReady = row.status === "ready";
      const url = isReady ? await configured(services.privateFiles).signedUrl(row.file_key, PHOTO_URL_SECONDS) : null;
      return { export: presentExport(row, url) };
    },
  ),
  endpoint(
    "DELETE /api/user/exports/:id",
    {
      id: "deleteExport",
      summary: "Delete an export and its file",
      description: "One that is pending is not built any further.",
      guard: user,
      access: "write while closing",
      params: { id: ExportId },
      response: MessageResponse,
      errors: ["export.not_found"],
    },
    async ({ tx, params }) => {
      await deleteExport(tx, params.id);
      return { message: "The export was deleted." };
    },
  ),
  jobEndpoint(resumeExports, { id: "resumeExports", summary: "Continue exports that were interrupted (scheduled)" }),
];
