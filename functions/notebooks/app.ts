import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, query } from "@nectar/http/validate";
import {
  createNotebook,
  deleteNotebook,
  listNotebookEntries,
  listNotebooks,
  readNotebook,
  updateNotebook,
} from "./notebooks.ts";
import {
  DeletedNotebookResponse,
  EntriesResponse,
  NewNotebook,
  NotebookEntriesQuery,
  NotebookQuery,
  NotebookResponse,
  NotebooksResponse,
  NotebookUpdate,
} from "./schema.ts";

/** Notebooks, from which entries inherit their visibility. */
export function notebooksApp(services: Services) {
  return createApp(services)
    .get(
      "/api/notebooks",
      describe({ summary: "List notebooks that the caller may see", response: NotebooksResponse }),
      user,
      query(NotebookQuery),
      async (c) => {
        const page = await c.var.asUser((tx) => listNotebooks(tx, c.var.actor.userId, c.req.valid("query")));
        return answer(c, 200, page);
      },
    )
    .get(
      "/api/notebooks/:id",
      describe({ summary: "Read one notebook", response: NotebookResponse, errors: [404] }),
      user,
      idParam,
      async (c) => {
        const notebook = await c.var.asUser((tx) => readNotebook(tx, c.req.valid("param").id));
        return answer(c, 200, { notebook });
      },
    )
    .get(
      "/api/notebooks/:id/entries",
      describe({ summary: "List entries of a notebook", response: EntriesResponse, errors: [404] }),
      user,
      idParam,
      query(NotebookEntriesQuery),
      async (c) => {
        const { id } = c.req.valid("param");
        const { userId } = c.var.actor;
        const page = await c.var.asUser((tx) => listNotebookEntries(tx, userId, id, c.req.valid("query")));
        return answer(c, 200, page);
      },
    )
    .post(
      "/api/notebooks",
      describe({ summary: "Start a notebook", status: 201, response: NotebookResponse, errors: [403, 404, 409] }),
      user,
      json(NewNotebook),
      (c) => respondOnce(c, 201, async (tx) => ({ notebook: await createNotebook(tx, c.req.valid("json")) })),
    )
    .put(
      "/api/notebooks/:id",
      describe({ summary: "Change a notebook", response: NotebookResponse, errors: [403, 404] }),
      user,
      json(NotebookUpdate),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const notebook = await c.var.asUser((tx) => updateNotebook(tx, id, c.req.valid("json")));
        return answer(c, 200, { notebook });
      },
    )
    .delete(
      "/api/notebooks/:id",
      describe({
        summary: "Delete a notebook, keep its entries",
        response: DeletedNotebookResponse,
        errors: [403, 404],
      }),
      user,
      idParam,
      async (c) => {
        const detached = await c.var.asUser((tx) => deleteNotebook(tx, c.req.valid("param").id));
        return answer(c, 200, { message: "The notebook was deleted.", entries_detached: detached });
      },
    );
}
