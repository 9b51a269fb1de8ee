import { beforeAll, describe, expect, it } from "vitest";
import { useActing } from "../support/acting.ts";
import { resetReadCounts } from "../support/read-counts.ts";

const PEOPLE = 10_000;
const acting = useActing();
beforeAll(async () => {
  // Without triggers, which would sign up one after the other. Everyone lets the assistant do everything, wrote yesterday,
  // and had both their turns the day before.
  await acting.admin.query("set session_replication_role = replica");
  await acting.admin.query(
    "create temp table people as select gen_random_uuid() as id, n from generate_series(1, $1::int) n",
    [PEOPLE],
  );
  await acting.admin.query("insert into auth.users (id, email) select id, n || '@example.test' from people");
  await acting.admin.query("insert into nectar.profiles (id) select id from people");
  await acting.admin.query(
    `insert into nectar.accounts (user_id, email, read_notes_enabled, check_in_enabled)
     select id, n || '@example.test', true, true from people`,
  );
  await acting.admin.query(
    `insert into nectar.journal_entries (user_id, title, metadata_audience_id, content_audience_id, created_at)
     select id, 'Day', id, id, now() - interval '1 day' from people`,
  );
  await acting.admin.query(
    `insert into private.assistant_turns (user_id, job, day, attempts, finished_at)
     select id, job, (now() at time zone 'UTC')::date - 1, 0, now() - interval '1 day'
     from people cross join unnest(enum_range(null::nectar.assistant_job)) job`,
  );
  await acting.admin.query("set session_replication_role = origin");
  await acting.admin.query("vacuum analyze");
});

/** Pages of tables and indexes that one claim after so many people looks at. */
async function pagesOfClaim(job: string, after: number, size: number): Promise<number> {
  await acting.admin.query("begin");
  try {
    const { rows } = await acting.admin.query(
      `explain (analyze, buffers, format json)
       select * from private.claim_assistant_turns(
         $1, now(), (select id from people order by id offset $2::int limit 1), $3
       )`,
      [job, after, size],
    );
    const plan = rows[0]["QUERY PLAN"][0].Plan;
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  } finally {
    await acting.admin.query("rollback");
  }
}

it("reads no texts of people whose notes were not saved since their analysis of the day", async () => {
  await resetReadCounts(acting.admin);
  await acting.admin.query("begin");
  try {
    await acting.admin.query(
      `update private.assistant_turns t
       set day = (now() at time zone 'UTC')::date, finished_at = now(), analyses = 1,
         notes_since = private.notes_since(now()), notes_version = private.notes_version(t.user_id, private.notes_since(now()))
       where t.job = 'note_analysis'`,
    );
    const { rows: claims } = await acting.admin.query(
      "select claimed, seen from private.claim_assistant_turns('note_analysis', now(), null, 5)",
    );
    expect(claims).toEqual([{ claimed: [], seen: 200 }]);
    const { rows } = await acting.admin.query(
      `select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as scans
       from pg_stat_xact_user_tables where relname = 'journal_entry_contents'`,
    );
    expect(rows).toEqual([{ scans: 0 }]);
  } finally {
    await acting.admin.query("rollback");
  }
});

describe.each(["note_analysis", "daily_drop"])("with 10,000 people, a claim of %s", (job) => {
  it("reads only the people that it claims, from any cursor", async () => {
    // The first calls plan; from the sixth on a plan is kept for any place.
    for (let n = 0; n < 6; n += 1) await pagesOfClaim(job, n, 5);
    const [early, late] = [await pagesOfClaim(job, 100, 5), await pagesOfClaim(job, PEOPLE - 1_000, 5)];
    expect(late).toBeLessThan(1_000);
    expect(late).toBeLessThan(2 * early);
    // Many at once show that it is the people who cost pages.
    expect(await pagesOfClaim(job, PEOPLE - 1_000, 190)).toBeGreaterThan(2 * late);
  });
});
