import { sql } from "kysely";
import { ENUMS } from "#core/enums.generated";
import { AppError } from "#core/errors";
import { call, type Row } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { unversioned } from "#database/unversioned";
import { hasScope } from "#http/access/programs";
import { etagOf, type Versioned } from "#http/request/conditions";
import { MAX_PAGE_BYTES, pageOf } from "#http/response/paging";
import type { Services } from "#http/services/services";
import type { Actor } from "#http/services/tokens";
import { readGoals } from "../goals/goals.ts";
import { CheckIn } from "../goals/schema.ts";
import { readProfile } from "../user/profile.ts";
import { VERSIONED } from "../wellness/wellness-entries.ts";
import { openCursor, sealCursor, type Walk } from "./cursor.ts";
import { type Change, type ChangesQuery, SCOPE_OF, StoredPicture, type ThingType } from "./schema.ts";

type Position = Row<"list_changes">;

/**
 * A page of what changed of the caller's own things.
 * @throws AppError 403 if a program may read none of the types, 410 if the cursor has expired
 */
export async function listChanges(tx: Tx, { random }: Services, actor: Actor, query: ChangesQuery, now: Date) {
  const { limit, cursor, types: asked = ENUMS.thing_type } = query;
  const types = ENUMS.thing_type.filter((type) => asked.includes(type) && hasScope(actor, SCOPE_OF[type]));
  if (types.length === 0) throw new AppError("auth.scope_missing");
  const { epoch, oldest, next } = await call(tx, "change_horizon");
  const owner = { userId: actor.userId, types, epoch };
  const start =
    cursor === undefined
      ? { after: "0", afterId: FIRST_PAGE.id, bound: null, isFirst: true, startedAt: 0 }
      : openCursor(cursor, owner, next, now);
  const walk: Walk & { bound: string } =
    start.bound === null ? { ...start, bound: oldest, startedAt: now.getTime() } : { ...start, bound: start.bound };
  const listed = await call(tx, "list_changes", {
    types,
    after: walk.after,
    afterId: walk.afterId,
    bound: walk.bound,
    isFirst: walk.isFirst,
    max: limit + 1,
  });
  const page = await readPage(tx, actor, listed, limit, now);
  const last = page.next;
  const nextWalk: Walk =
    last === null
      ? { after: walk.bound, afterId: FIRST_PAGE.id, bound: null, isFirst: false, startedAt: walk.startedAt }
      : { ...walk, after: last.version, afterId: last.id };
  return { changes: page.changes, next_cursor: sealCursor(nextWalk, owner, random), has_more: last !== null };
}

/** Reads the things of a page. It ends after `limit` of them, or at the size of a page. */
async function readPage(tx: Tx, actor: Actor, listed: readonly Position[], limit: number, now: Date) {
  const entries = listed.slice(0, limit).filter(({ type, removed }) => type === "entry" && !removed);
  // Cut in the database, so that a page of long entries is never loaded as a whole.
  const small = await idsOfFirst(
    tx,
    entries.map(({ id }) => id),
  );
  const end = listed.findIndex(({ type, id, removed }) => type === "entry" && !removed && !small.has(id));
  const taken = listed.slice(0, Math.min(limit, end === -1 ? limit : end));
  const found = await readThings(tx, actor, taken, now);
  const rows = taken.map((position) => ({ position, change: changeOf(position, found.get(position.id)) }));
  const fitting = pageOf(rows, rows.length, ({ position }) => ({ at: position.version, id: position.id })).rows;
  const last = fitting.at(-1)?.position;
  return {
    // A thing that was deleted after it was listed comes as removed in the next walk.
    changes: fitting.flatMap(({ change }) => change ?? []),
    next: last !== undefined && fitting.length < listed.length ? last : null,
  };
}

async function idsOfFirst(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  return new Set(await call(tx, "entries_within_bytes", { ids: [...ids], maxBytes: MAX_PAGE_BYTES }));
}

function changeOf({ type, id, removed }: Position, thing: Versioned | undefined): Change | null {
  // The rows were read by the type.
  if (removed) return { type, id, removed, etag: null, data: null } as Change;
  if (thing === undefined) return null;
  return { type, id, removed, etag: etagOf(thing), data: unversioned(thing) } as Change;
}

/** The things of a page by their ids, each as its GET shows it. */
async function readThings(tx: Tx, actor: Actor, page: readonly Position[], now: Date): Promise<Map<string, Versioned>> {
  const things = new Map<string, Versioned>();
  for (const type of new Set(page.map((one) => one.type))) {
    const ids = page.filter((one) => one.type === type && !one.removed).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const thing of await READ[type](tx, ids, actor, now)) things.set(thing.id, thing);
  }
  return things;
}

type Read = (tx: Tx, ids: readonly string[], actor: Actor, now: Date) => Promise<readonly Versioned[]>;
const among = (ids: readonly string[]) => sql<boolean>`id = any (${ids}::uuid[])`;

const READ: Readonly<Record<ThingType, Read>> = {
  entry: (tx, ids) => tx.selectFrom("readable_entries").selectAll().where(among(ids)).execute(),
  notebook: (tx, ids) => tx.selectFrom("readable_notebooks").selectAll().where(among(ids)).execute(),
  goal: (tx, ids, _, now) => readGoals(tx, ids, now),
  goal_check_in: (tx, ids) =>
    tx
      .selectFrom("readable_goal_check_ins")
      .select([...CheckIn.keyof().options, "version"])
      .where(among(ids))
      .execute(),
  wellness_entry: (tx, ids) => tx.selectFrom("wellness_entries").select(VERSIONED).where(among(ids)).execute(),
  picture: (tx, ids) =>
    tx
      .selectFrom("entry_pictures")
      .select([...StoredPicture.keyof().options, "version"])
      .where(among(ids))
      .where("entry_id", "is not", null)
      .execute(),
  profile: async (tx, _, { userId }) => [await readProfile(tx, userId)],
};
