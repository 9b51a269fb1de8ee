import { createHash } from "node:crypto";
import { sql } from "kysely";
import { AppError } from "#core/errors";
import type { Tx } from "#database/database";

/**
 * The things with a version: their table, the column of their id, and the table of their content, which not everyone who
 * sees them may see.
 */
const THINGS = {
  entry: { table: "journal_entries", key: "id", content: ["journal_entry_contents", "entry_id"] },
  notebook: { table: "notebooks", key: "id", content: ["notebook_contents", "notebook_id"] },
  goal: { table: "goals", key: "id", content: ["goal_contents", "goal_id"] },
  wellness_entry: { table: "wellness_entries", key: "id", content: undefined },
  profile: { table: "accounts", key: "user_id", content: undefined },
} as const;
export type VersionedThing = keyof typeof THINGS;

/** What the etag of a thing is computed from. */
export interface Versioned {
  readonly id: string;
  /** The transaction that last changed it. */
  readonly version: string;
  /** Whether the reader may not see the content. */
  readonly content_hidden?: boolean;
}

/** The etag of a thing for a reader. It is a hash, because a version reveals how much everyone writes. */
export function etagOf({ id, version, content_hidden = false }: Versioned): string {
  const hash = createHash("sha256").update(`${id} ${version} ${content_hidden}`).digest("base64url");
  return `"${hash.slice(0, 22)}"`;
}

/** Whether a reader has the present state already, by `If-None-Match`. Proxies that compress make etags weak. */
export function hasPresentState(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")));
}

/** @returns undefined without the header, and for `*`, which any state matches @throws AppError 400 */
export function expectedEtag(ifMatch: string | undefined): string | undefined {
  if (ifMatch === undefined || ifMatch === "*") return undefined;
  if (/^"[\x21\x23-\x7e]*"$/.test(ifMatch)) return ifMatch;
  throw new AppError("request.invalid", { issues: [{ path: "If-Match", message: "must be one strong etag, or *" }] });
}

/** Reads what the caller's etag of a thing is computed from, in one statement; undefined if they do not see it. */
export async function readVersion(tx: Tx, thing: VersionedThing, id: string): Promise<Versioned | undefined> {
  const { key, table, content } = THINGS[thing];
  const isHidden =
    content === undefined
      ? sql<boolean>`false`
      : sql<boolean>`not exists (select from ${sql.table(content[0])} where ${sql.ref(content[1])} = ${id})`;
  return tx
    .selectFrom(table)
    .select([sql<string>`${sql.ref(key)}`.as("id"), "version", isHidden.as("content_hidden")])
    .where(sql<boolean>`${sql.ref(key)} = ${id}`)
    .executeTakeFirst();
}

/**
 * Locks a thing of the caller for a command with `If-Match`.
 * @returns a check to run after the command, whose other refusals come first; it throws 412 for another state
 */
export async function lockVersion(tx: Tx, thing: VersionedThing, id: string, expected: string): Promise<() => void> {
  const { key, table } = THINGS[thing];
  const own = await tx
    .selectFrom(table)
    .select("version")
    .where(sql<boolean>`${sql.ref(key)} = ${id} and user_id = private.actor_id()`)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return () => {
    if (own !== undefined && etagOf({ id, ...own }) !== expected) throw new AppError("sync.changed_meanwhile");
  };
}
