import { expect } from "vitest";
import type { NotebookPreview } from "#functions/notebooks/schema";
import type { Audience } from "#journal/audience";
import { groupsOf, isAllWithin, narrowest } from "./audience-reference.ts";
import type { Send } from "./client.ts";
import { audienceOf, viewsOf } from "./compare-audiences.ts";
import { hasBlock, type World } from "./reference.ts";

/**
 * Sends the same requests, and before each one that writes an entry, a goal or a notebook its preview: the change must fail with
 * the same error, or do what the preview said.
 * @param note called with each kind of preview that occurred
 */
export function previewing(world: World, send: Send, note: (event: string) => void): Send {
  return async (person, method, path, body = {}) => {
    const notebookId = method === "PUT" ? /^\/api\/notebooks\/([^/]+)$/.exec(path)?.[1] : undefined;
    if (notebookId !== undefined) return shareNotebook(world, send, note, person, notebookId, body);
    const isNew = `${method} ${path}` === "POST /api/journal";
    const [, noun, id] = (method === "PUT" && /^\/api\/(journal|goals)\/([^/]+)$/.exec(path)) || [
      null,
      "journal",
      null,
    ];
    if (id === null && !isNew) return send(person, method, path, body);
    const [idField, field] = noun === "goals" ? ["goal_id", "goal"] : ["entry_id", "entry"];
    const change = { ...visibilityFields(body), ...(id === null ? {} : { [idField]: id }) };
    const preview = await send(person, "POST", `/api/${noun}/audience-preview`, change);
    const response = await send(person, method, path, body);
    if (preview.status !== 200) {
      expect([preview.status, preview.body.code], path).toEqual([response.status, response.body.code]);
      note(`preview of a shared ${field}: refused`);
    } else {
      const written = JSON.parse(response.text)[field];
      const audience = await audienceOf(send, person, `/api/${noun}/${written.id}`);
      expect(audience).toEqual(JSON.parse(preview.text).audience);
      note(`preview of a ${isNew ? "new" : "shared"} ${field}: done`);
    }
    return response;
  };
}

const VISIBILITY_FIELDS = [
  "metadata_visibility",
  "content_visibility",
  "team_id",
  "org_id",
  "inherit_visibility",
  "notebook_id",
];

function visibilityFields(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([field]) => VISIBILITY_FIELDS.includes(field)));
}

/** Previews and makes an update of a notebook, and compares every entry before and after with what the preview said. */
async function shareNotebook(
  world: World,
  send: Send,
  note: (event: string) => void,
  author: string,
  notebookId: string,
  body: object,
) {
  const path = `/api/notebooks/${notebookId}`;
  const entries = [...world.entries.values()].filter(({ notebook }) => notebook === notebookId);
  const readAudiences = async () => {
    const audiences: Audience[] = [];
    for (const { id } of entries) audiences.push(await audienceOf(send, author, `/api/journal/${id}`));
    return audiences;
  };
  const [before, viewsBefore] = [await readAudiences(), await viewsOf(world, send)];
  const previewed = await send(author, "POST", `${path}/audience-preview`, body);
  const response = await send(author, "PUT", path, body);
  if (previewed.status !== 200) {
    expect([previewed.status, previewed.body.code], path).toEqual([response.status, response.body.code]);
    note("preview of a notebook: refused");
    return response;
  }
  const [after, viewsAfter] = [await readAudiences(), await viewsOf(world, send)];
  const changes = entries.flatMap(({ id, title }, index) =>
    (["metadata", "content"] as const).flatMap((axis) => {
      const [was, is] = [before[index], after[index]];
      if (was === undefined || is === undefined) return [];
      const groups = [groupsOf(was, axis), groupsOf(is, axis)] as const;
      const widened = !isAllWithin(world, groups[1], groups[0]);
      const narrowed = !isAllWithin(world, groups[0], groups[1]);
      for (const person of world.people) {
        const [saw, sees] = [viewsBefore.get(person)?.get(id)?.[axis], viewsAfter.get(person)?.get(id)?.[axis]];
        // Previews compare groups: what is public has the members of a team in it, blocked or not.
        if (hasBlock(world, author, person) || world.superAdmins.has(person)) continue;
        if (sees === true && saw !== true) expect(widened, `${person} sees more than before`).toBe(true);
        if (saw === true && sees !== true) expect(narrowed, `${person} sees less than before`).toBe(true);
      }
      if (!widened && !narrowed) return [];
      note(`preview of a notebook: ${widened ? (narrowed ? "both" : "widened") : "narrowed"}`);
      const example = { entry_id: id, title, axis, from: narrowest(was, axis), to: narrowest(is, axis) };
      return [{ ...example, widened, narrowed }];
    }),
  );
  const { preview }: { preview: NotebookPreview } = JSON.parse(previewed.text);
  const { examples, ...counts } = preview;
  expect(counts).toEqual({
    approximate: false,
    entries: new Set(changes.map(({ entry_id }) => entry_id)).size,
    widened: changes.filter(({ widened }) => widened).length,
    narrowed: changes.filter(({ narrowed }) => narrowed).length,
  });
  const shown = changes.map(({ widened: _, narrowed: __, ...example }) => example);
  expect(byEntryAndAxis(examples)).toEqual(byEntryAndAxis(shown));
  const isWidened = examples.map(
    ({ entry_id, axis }) => changes.find((change) => change.entry_id === entry_id && change.axis === axis)?.widened,
  );
  expect(isWidened, "widened ones first").toEqual(isWidened.toSorted((one, other) => Number(other) - Number(one)));
  return response;
}

function byEntryAndAxis<Change extends { entry_id: string; axis: string }>(changes: readonly Change[]): Change[] {
  const keyOf = ({ entry_id, axis }: Change) => `${entry_id} ${axis}`;
  return changes.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
