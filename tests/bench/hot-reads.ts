import assert from "node:assert/strict";
import * as z from "zod";
import { PLAYED, READ_ENTRY, VIEWERS } from "./data.ts";

/** A read that an app makes all the time. */
interface HotRead {
  readonly name: string;
  readonly path: string;
  /** Who reads. */
  readonly sub: string;
  /** For the hottest reads: the best SQL that we can write for its rows without row-level security, and the bar against it. */
  readonly twin?: {
    /** Its only parameter is the reader's id. */
    readonly sql: string;
    readonly atLeast: number;
  };
  /** Reads what the request needs that is measured, such as an etag. */
  readonly prepare?: (read: Read) => Promise<{ readonly path?: string; readonly headers?: Record<string, string> }>;
}

/** Reads a path as the reader. */
type Read = (path: string, headers?: Record<string, string>) => Promise<Response>;

const LIMIT = 20;
const NEWEST = `order by created_at desc, id desc limit ${LIMIT + 1}`;

const AUDIENCES = `
  select m.team_id as id from nectar.team_members m where m.user_id = $1
  union all select m.org_id from nectar.organization_members m where m.user_id = $1
  union all select '00000000-0000-0000-0000-000000000000'`;

/** The journal list, for a reader in 3 and in 500 teams. */
export const LIST = {
  path: `/api/journal?limit=${LIMIT}`,
  twin: {
    atLeast: 0.45,
    sql: `
      select e.*, c.content
      from (
        (select id, created_at from nectar.journal_entries where user_id = $1 ${NEWEST})
        union
        (select v.id, v.created_at from (${AUDIENCES}) a cross join lateral (
          select id, created_at from nectar.journal_entries where metadata_audience_id = a.id ${NEWEST}
        ) v)
        ${NEWEST}
      ) page
      join nectar.journal_entries e on e.id = page.id
      left join nectar.journal_entry_contents c on c.entry_id = e.id
      order by page.created_at desc, page.id desc`,
  },
} as const;

const ENTRY = `/api/journal/${READ_ENTRY}`;
const CHANGES = "/api/changes?limit=200";
const ChangesPage = z.object({ changes: z.array(z.unknown()), next_cursor: z.string(), has_more: z.boolean() });

/** Walks through everything that a person has. @returns the path that reads what changed since */
async function pathAfterAll(read: Read): Promise<string> {
  let path = CHANGES;
  for (let hasMore = true; hasMore; ) {
    const page = ChangesPage.parse(await (await read(path)).json());
    path = `${CHANGES}&cursor=${page.next_cursor}`;
    hasMore = page.has_more;
  }
  const after = ChangesPage.parse(await (await read(path)).json());
  assert.deepEqual(after.changes, [], "Something changed during the benchmark.");
  return path;
}

/** Paths of hot reads by their names; the reader is in 3 teams. */
const OTHERS = {
  "one entry": ENTRY,
  [`notebooks, page of ${LIMIT}`]: `/api/notebooks?limit=${LIMIT}`,
  profile: "/api/user/profile",
  [`received drops, page of ${LIMIT}`]: `/api/encouragement-drops/received?limit=${LIMIT}`,
  today: "/api/today",
  "my window": "/api/workout-window/my-window",
  "chain of a date": `/api/workout-window/chain/${PLAYED.date}`,
  "leaderboard with my rank": "/api/encouragement-drops/leaderboard",
  badge: "/api/encouragement-drops/badge",
};

export const HOT_READS: readonly HotRead[] = [
  { name: `journal list of ${LIMIT}, reader in 3 teams`, sub: VIEWERS.calm, ...LIST },
  { name: `journal list of ${LIMIT}, reader in 500 teams`, sub: VIEWERS.busy, ...LIST },
  {
    name: `goals, page of ${LIMIT}`,
    path: `/api/goals?limit=${LIMIT}`,
    sub: VIEWERS.calm,
    twin: {
      atLeast: 0.35,
      sql: `
        select g.*, c.description, p.full_name, p.avatar_url, p.is_ai
        from nectar.goals g
        join nectar.goal_contents c on c.goal_id = g.id
        join nectar.profiles p on p.id = g.user_id
        where g.user_id = $1 order by g.created_at desc, g.id desc limit ${LIMIT + 1}`,
    },
  },
  {
    name: `notifications, page of ${LIMIT}`,
    path: `/api/notifications?limit=${LIMIT}`,
    sub: VIEWERS.calm,
    twin: {
      atLeast: 0.45,
      sql: `
        select *, (
            select count(*)
            from (select from nectar.notifications where user_id = $1 and read_at is null limit 1000) unread
          ) as unread_count
        from nectar.notifications where user_id = $1 ${NEWEST}`,
    },
  },
  {
    name: "balance",
    path: "/api/drops/balance",
    sub: VIEWERS.calm,
    twin: { atLeast: 0.3, sql: "select drops_balance from nectar.accounts where user_id = $1" },
  },
  ...Object.entries(OTHERS).map(([name, path]) => ({ name, path, sub: VIEWERS.calm })),
  {
    name: "one entry, 304 by its etag",
    path: ENTRY,
    sub: VIEWERS.calm,
    async prepare(read) {
      const headers = { "if-none-match": (await read(ENTRY)).headers.get("etag") ?? "" };
      assert.equal((await read(ENTRY, headers)).status, 304);
      return { headers };
    },
  },
  {
    name: "changes, none since the last walk, reader with the most entries",
    path: CHANGES,
    sub: VIEWERS.diarist,
    prepare: async (read) => ({ path: await pathAfterAll(read) }),
  },
];
