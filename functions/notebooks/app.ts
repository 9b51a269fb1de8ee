import { userOrProgram } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { wakeShares } from "#http/jobs/wake";
import { createOnce } from "#http/request/chosen-id";
import type { Services } from "#http/services/services";
import { SHARING_ERRORS, updateProblems } from "#journal/sharing";
import {
  createNotebook,
  deleteNotebook,
  listNotebookEntries,
  listNotebooks,
  previewNotebook,
  readNotebook,
  updateNotebook,
} from "./notebooks.ts";
import {
  DeletedNotebookResponse,
  EntriesResponse,
  NewNotebook,
  NotebookAudiencePreview,
  NotebookEntriesQuery,
  NotebookId,
  NotebookPreviewResponse,
  NotebookQuery,
  NotebookResponse,
  NotebooksResponse,
  NotebookUpdate,
} from "./schema.ts";
import { settleLeftShares } from "./settling.ts";

/** Notebooks, from which entries inherit their visibility. */
export function notebooksApp(services: Services) {
  return groupApp(services, "notebooks", [
    endpoint(
      "GET /api/notebooks",
      {
        id: "listNotebooks",
        summary: "List the notebooks that you may see",
        description: "Newest first.",
        guard: userOrProgram("journal:read"),
        access: "read once, logged",
        replica: "shared",
        query: NotebookQuery,
        response: NotebooksResponse,
      },
      ({ tx, query }) => listNotebooks(tx, query),
    ),
    endpoint(
      "GET /api/notebooks/:id",
      {
        id: "readNotebook",
        summary: "Read a notebook",
        guard: userOrProgram("journal:read"),
        access: "read once, logged",
        replica: "shared",
        params: { id: NotebookId },
        versioned: "notebook",
        response: NotebookResponse,
        errors: ["notebook.not_found"],
      },
      async ({ tx, tagged, params }) => ({ notebook: tagged(await readNotebook(tx, params.id)) }),
    ),
    endpoint(
      "GET /api/notebooks/:id/entries",
      {
        id: "listNotebookEntries",
        summary: "List the entries of a notebook",
        description: "Newest first.",
        guard: userOrProgram("journal:read"),
        access: "read, logged",
        replica: "shared",
        params: { id: NotebookId },
        query: NotebookEntriesQuery,
        response: EntriesResponse,
        errors: ["notebook.not_found"],
      },
      ({ tx, params, query }) => listNotebookEntries(tx, params.id, query),
    ),
    endpoint(
      "POST /api/notebooks",
      {
        id: "createNotebook",
        summary: "Create a notebook",
        guard: userOrProgram("journal:write"),
        body: NewNotebook,
        maxBodyKb: 1024,
        status: "201 or 200",
        versioned: "notebook",
        response: NotebookResponse,
        errors: ["sync.id_taken", ...SHARING_ERRORS],
      },
      async ({ tx, existed, tagged, body }) => {
        const notebook = await createOnce(tx, { type: "notebook", id: body.id }, existed, {
          read: (id) => readNotebook(tx, id),
          create: () => createNotebook(tx, body),
        });
        return { notebook: tagged(notebook) };
      },
    ),
    endpoint(
      "PUT /api/notebooks/:id",
      {
        id: "updateNotebook",
        summary: "Update a notebook",
        guard: userOrProgram("journal:write"),
        params: { id: NotebookId },
        body: NotebookUpdate,
        maxBodyKb: 1024,
        storedProblems: (tx, body, { id }) => updateProblems(tx, "notebooks", body, id),
        versioned: "notebook",
        response: NotebookResponse,
        errors: ["notebook.not_yours", "notebook.not_found", ...SHARING_ERRORS],
      },
      async ({ tx, tagged, params, body, afterCommit }) => {
        const notebook = tagged(await updateNotebook(tx, params.id, body));
        afterCommit(() => wakeShares(services));
        return { notebook };
      },
    ),
    endpoint(
      "POST /api/notebooks/:id/audience-preview",
      {
        id: "previewNotebookAudience",
        summary: "Preview who could see the entries of a notebook",
        description:
          "What an update of its visibility would change. Fails with the errors of the update. Changes nothing.",
        guard: userOrProgram("journal:read"),
        access: "read",
        params: { id: NotebookId },
        body: NotebookAudiencePreview,
        storedProblems: (tx, body, { id }) => updateProblems(tx, "notebooks", body, id),
        response: NotebookPreviewResponse,
        errors: ["notebook.not_yours", "notebook.not_found", ...SHARING_ERRORS],
      },
      async ({ tx, params, body }) => ({ preview: await previewNotebook(tx, params.id, body) }),
    ),
    endpoint(
      "DELETE /api/notebooks/:id",
      {
        id: "deleteNotebook",
        summary: "Delete a notebook",
        description: "Its entries are kept and are in no notebook afterwards.",
        guard: userOrProgram("journal:write"),
        params: { id: NotebookId },
        versioned: "notebook",
        response: DeletedNotebookResponse,
        errors: ["notebook.not_yours", "notebook.not_found"],
      },
      async ({ tx, params, afterCommit }) => {
        const entries_detached = await deleteNotebook(tx, params.id);
        afterCommit(() => wakeShares(services));
        return { message: "The notebook was deleted.", entries_detached };
      },
    ),
    jobEndpoint(settleLeftShares, {
      id: "runShares",
      summary: "Apply changed sharing to the remaining entries (scheduled)",
    }),
  ]);
}
