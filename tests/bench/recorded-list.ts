import { transactionOn } from "@nectar/database/transaction";
import { MAX_PAGE_BYTES } from "@nectar/http/paging";
import { readEntryPage } from "@nectar/journal/entry-list";
import pg from "pg";

/** The journal list as the service sends it to PostgreSQL. */
export interface RecordedList {
  /** Opens the transaction as the reader, in one round trip. */
  readonly opening: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Records the query with which the service reads the first page of a reader. */
export async function recordList(adminUrl: string, readerId: string, limit: number): Promise<RecordedList> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const asked: { sql: string; parameters: readonly unknown[] }[] = [];
  const recorder = new Proxy(client, {
    get(target, property) {
      if (property !== "query") return Reflect.get(target, property);
      return (sql: string, parameters: unknown[]) => {
        asked.push({ sql, parameters });
        return target.query(sql, parameters);
      };
    },
  });
  try {
    await client.query("set search_path = nectar");
    const page = {
      scope: "all",
      order: "newest first",
      cursor: undefined,
      limit: limit + 1,
      fields: "all",
      maxContentBytes: MAX_PAGE_BYTES,
    } as const;
    await readEntryPage(transactionOn(recorder), page, {});
  } finally {
    await client.end();
  }
  const [list] = asked;
  if (list === undefined || asked.length > 1) throw new Error("The list is expected to be one query.");
  const claims = pg.escapeLiteral(JSON.stringify({ sub: readerId, role: "authenticated" }));
  return {
    opening: `begin; select set_config('role', 'nectar_user', true), set_config('request.jwt.claims', ${claims}, true), set_config('search_path', 'nectar', true), set_config('timezone', 'UTC', true)`,
    ...list,
  };
}
