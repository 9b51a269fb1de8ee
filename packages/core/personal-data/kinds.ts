/** Names of columns, separated by spaces. `found_mood>mood`: the exported field has another name. */
type Columns = string;

/** What we do with the columns of a table, and with its rows when an account is erased. */
export interface PersonalTable {
  /** The exported columns by where they are: `entries` is a row of data/entries.json, `goals.check_ins` a list inside of a row. */
  readonly exported?: Readonly<Record<string, Columns>>;
  /** The columns that are not exported, by the reason. */
  readonly left?: Readonly<Record<string, Columns>>;
  /** What becomes of a person's rows: deleted by foreign keys, deleted by something else, or kept for a reason. */
  readonly erased: "by cascade" | { readonly by: string } | { readonly kept: string };
  /** What of a person stays in rows of others. */
  readonly stays?: string;
  /** Columns that become null when the person whom they name is erased. */
  readonly cleared?: Columns;
}

/** What we do with one kind of file. */
export interface PersonalFile {
  /** Where the files are: a bucket, and the first folder in it if there are several kinds. */
  readonly store: string;
  /** The folder of the export with these files; without it, `left` says why they are not exported. */
  readonly exported?: string;
  readonly left?: string;
  readonly erased: { readonly by: string } | { readonly kept: string };
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

/** A table without a row about anyone. */
export function aboutNobody(columns: Columns): PersonalTable {
  return { left: { [LEFT.noPerson]: columns }, erased: { kept: LEFT.noPerson } };
}
