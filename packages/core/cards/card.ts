import type { COLUMNS } from "./columns.generated.ts";

/** The name of a table with its schema. */
export type TableName = keyof typeof COLUMNS;

/** Cards of some tables, whose columns the compiler knows. */
export type Cards = { readonly [Name in TableName]?: Card<(typeof COLUMNS)[Name][number]> };

/** A command that a role may have a privilege for. */
export type Command = "select" | "insert" | "update" | "delete";

/**
 * The rows that a user reads or writes: `owner` is the person that the card names, `readers` those that the author shares
 * a row with.
 */
export type Reach =
  | "owner"
  | "signed in"
  | "readers"
  | "members"
  | "members and super admins"
  | "owner and super admins"
  | "super admins"
  | "admins and the member"
  | "sender and recipient"
  | "recipient"
  | "giver and receiver";

/** How long rows are kept. */
export interface Kept<Column extends string = string> {
  /** The name in docs/privacy.md of the rows that are kept so long. */
  readonly what: string;
  readonly days?: number;
  readonly hours?: number;
  /** The column with the time from which a row is kept so long. Housekeeping deletes by it. */
  readonly since?: Column;
  /** The column with the time until which a row is kept. Housekeeping deletes by it. */
  readonly until?: Column;
  /** The columns by which housekeeping deletes a row; `id` if left out. */
  readonly key?: readonly Column[];
  /** A column that is null in these rows. */
  readonly without?: Column;
  /** The count of them in the results of housekeeping; the name of the table if left out. */
  readonly countedAs?: string;
  /** The function of the schema private that has the same period. */
  readonly in?: string;
  /** The job that deletes these rows, if it is not housekeeping. */
  readonly by?: string;
}

/** How the rows in a place of the export differ from those of the table. */
export interface Exceptions<Column extends string = string> {
  /** The fields that have another name than their column, such as `streak.current`. */
  readonly as?: Readonly<Partial<Record<Column, string>>>;
  /** Columns that are in another place only. */
  readonly without?: readonly Column[];
}

type Value = string | number | boolean | null;
type Sample<Column extends string> = string extends Column
  ? Readonly<Record<string, Value>>
  : Readonly<Partial<Record<Column, Value>>>;

/** Everything that is said about a table: who may do what, what leaves with a person, and how long it stays. */
export interface Card<Column extends string = string> {
  /** The content of the rows and who sees it, for docs/privacy.md; null if they say nothing about anyone. */
  readonly about: { readonly what: string; readonly seenBy: string } | null;
  /** The column that names whose a row is; `user_id` if left out. */
  readonly person?: Column;
  /** The commands of signed-in users, and whose rows they reach. */
  readonly users?: Readonly<Partial<Record<Command, Reach>>>;
  /**
   * The places in the export that have all columns but those in `left`: `entries` is a row of data/entries.json,
   * `goals.check_ins` a list inside of a row.
   */
  readonly exported?: Readonly<Record<string, "all" | Exceptions<Column>>>;
  /** Set if an export writes the rows as they are stored; otherwise functions/workers/exports/contents.ts has a step. */
  readonly exportedAs?: "rows";
  /** Why nothing is exported, or the columns that are not, by the reason. */
  readonly left?: string | Readonly<Record<string, readonly Column[] | "the rest">>;
  /** How a person's rows are erased: by foreign keys, by something else, or not at all, as `stays` says. */
  readonly erased: "by cascade" | "kept" | { readonly by: string };
  /** The rest that stays after the erasure of an account, for docs/privacy.md. */
  readonly stays?: string;
  /** How long rows are kept; forever if left out. `until done` for a queue whose rows are deleted once they are done. */
  readonly kept?: readonly Kept<Column>[] | "until done";
  /**
   * Whether there are a few rows for each person, more and more of them, or few in all. Responses never read a table that
   * grows as a whole. Nothing but jobs, webhooks and triggers reads the last kind.
   */
  readonly grows: "with people" | "with time" | "few rows" | "with time, for jobs";
  /**
   * Values of a typical row beside the person; `:n` in a text is the number of the row, `:person` the person's id. Tests fill
   * the table with it. What it leaves out follows from the catalogue, or stands in tests/world.
   */
  readonly sample?: Sample<Column>;
  /** The list of the API that shows a person's own rows, newest first. */
  readonly list?: `/api/${string}`;
}

/** Everything that is said about one kind of file. */
export interface FileCard {
  /** The bucket of the files, and the first folder in it if there are several kinds. */
  readonly store: string;
  /** The folder of the export with these files; without it, `left` says why they are not exported. */
  readonly exported?: string;
  readonly left?: string;
  readonly erased: { readonly by: string } | { readonly kept: string };
  readonly kept?: Kept;
}

/** Reasons why a column is not exported. */
export const LEFT = {
  derived: "It follows from what is exported.",
  internal: "It makes the service work and says nothing about the person.",
  secret: "It is a secret that gives access to something.",
  others: "It is about other people.",
  noPerson: "It is about no person.",
  game: "The game's own bookkeeping; the results are exported.",
  cost: "What a call cost; GET /api/user/usage has the sums.",
  auth: "Supabase Auth needs it for signing in.",
} as const;

/** The part of a card that says that the rows are about no one. */
export const ABOUT_NO_ONE = { about: null, left: LEFT.noPerson, erased: "kept" } as const;
