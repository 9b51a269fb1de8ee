import * as z from "zod";
import { encodeCursor } from "#http/response/paging";
import type { TestCluster, TestDatabase } from "#local/database/test-cluster";
import { asSuperuser, tokenFor } from "#tests/people";
import { VIEWERS } from "./data.ts";
import { largeDatabase, smallDatabase } from "./databases.ts";
import type { Bar, Figure } from "./figures.ts";
import { load } from "./load.ts";
import { compareLatencies } from "./load-figures.ts";
import { startServer } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const PAGE = "/api/journal?limit=20";

interface List {
  readonly url: string;
  /** The minimum number of entries on its page: one with fewer rows would be faster. */
  readonly entries: number;
}

/** How much slower the list is with a thousand times as many entries of others, on pages far down, and with filters. */
export async function growthFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const [small, large] = [await smallDatabase(cluster, note), await largeDatabase(cluster, note)];
  const onSmall = await startServer("api", environmentOf(small));
  const onLarge = await startServer("api", environmentOf(large));
  const page = (query = "", entries = 20): List => ({ url: `${onLarge.url}${PAGE}${query}`, entries });
  try {
    const figures: Figure[] = [];
    const compare = async (name: string, readerId: string, bar: Bar, list: List, other: List) => {
      note(name);
      figures.push(await compareLists(name, readerId, bar, list, other));
    };
    for (const [reader, readerId] of [
      ["in 3 teams", VIEWERS.calm],
      ["in 500 teams", VIEWERS.busy],
    ] as const) {
      const name = `list, reader ${reader}: 1,000,000 / 1,000 entries`;
      await compare(name, readerId, { atMost: 1.5 }, page(), { url: onSmall.url + PAGE, entries: 20 });
    }
    const deep = page(`&cursor=${await cursorAtDepth(large, 100_000)}`);
    await compare("page at depth 100,000 / first page", VIEWERS.diarist, { atMost: 1.2 }, deep, page());
    for (const [what, query, entries, atMost] of [
      ["list with q, a common word", "&q=walk", 20, 4],
      ["list with q, a rare word", "&q=heron", 1, 4],
      ["list with q, a word that is nowhere", "&q=zeppelin", 0, 4],
      ["list with tag", "&tag=tag3", 20, 2],
      ["list with mood", "&mood=glad", 20, 2],
      ["list with tag and mood", "&tag=tag3&mood=proud", 20, 2],
    ] as const) {
      const name = `${what}, reader in 500 teams, 1,000,000 entries / the list`;
      await compare(name, VIEWERS.busy, { atMost }, page(query, entries), page());
    }
    return figures;
  } finally {
    await Promise.all([onSmall.stop(), onLarge.stop()]);
  }
}

async function compareLists(name: string, readerId: string, bar: Bar, list: List, other: List): Promise<Figure> {
  const token = await tokenFor({ sub: readerId });
  for (const one of [list, other]) await requireEntries(one, token);
  const loading = (url: string) => () => load(url, { connections: 1, until: { seconds: 2 }, token });
  return compareLatencies({ name, bar, rounds: 5, ours: loading(list.url), theirs: loading(other.url) });
}

async function requireEntries({ url, entries: expected }: List, token: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { entries } = z.object({ entries: z.array(z.unknown()) }).parse(await response.json());
  if (entries.length < expected) throw new Error(`${url} has only ${entries.length} entries`);
}

async function cursorAtDepth(database: TestDatabase, depth: number): Promise<string> {
  const rows = await asSuperuser(database.adminUrl, (client) =>
    client.query(
      `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, id
       from nectar.journal_entries where user_id = $1
       order by created_at desc, id desc offset $2 limit 1`,
      [VIEWERS.diarist, depth],
    ),
  );
  return encodeCursor(z.object({ at: z.string(), id: z.string() }).parse(rows.rows[0]));
}
