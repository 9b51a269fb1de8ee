import { sql } from "kysely";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#database/database";
import { listCheckIns } from "#functions/game/check-ins/check-ins";
import { readReviews } from "#functions/game/check-ins/review";
import { CheckInsQuery, ReviewQuery } from "#functions/game/check-ins/schema";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
const ID = "('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid";
const READER = "00000000-0000-4000-9000-000000000001";
const PEOPLE = 1_000;
const DAYS = 40;
const LIMIT = 20;

beforeAll(async () => {
  const { admin } = acting;
  await admin.query("set session_replication_role = replica");
  await admin.query(`insert into nectar.profiles (id) select ${ID} from generate_series(1, $1::int) n`, [PEOPLE]);
  // One of a thousand waits for an admin, and one was refused.
  await admin.query(
    `insert into nectar.workout_checkins (user_id, date, activity_type, status, chain_status,
       battle_week_start, verified_at, created_at)
     select ${ID}, d, 'walk', case n when 7 then 'pending' when 8 then 'rejected' else 'verified' end::nectar.checkin_status,
       'continued', date_trunc('week', d)::date, d, d + n * interval '1 minute'
     from generate_series(1, $1::int) n
     cross join lateral (select date '2031-01-01' + k as d from generate_series(1, $2::int) k) days`,
    [PEOPLE, DAYS],
  );
  await admin.query(
    `insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash)
     select id, user_id, id, (('x' || substr(md5(id::text), 1, 16))::bit(64)) from nectar.workout_checkins`,
  );
  // A chain of all of them on each day.
  await admin.query(
    `insert into nectar.chains (date, user_id, before_user_id, after_user_id, team_color, area_key, activity_type, timezone,
       window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select d, ${ID}, lag(${ID}) over (partition by d order by n), lead(${ID}) over (partition by d order by n), 'red',
       'city:x', 'walk', 'UTC', '06:00', '08:00', d + time '06:00', d + time '08:00', d + 1
     from generate_series(1, $1::int) n
     cross join lateral (select date '2031-01-01' + k as d from generate_series(1, $2::int) k) days`,
    [PEOPLE, DAYS],
  );
  await admin.query("set session_replication_role = origin");
  await admin.query("vacuum analyze");
});

const walks = async (actor: string, work: (tx: Tx) => Promise<unknown>) =>
  (await explainAs(acting.adminUrl, actor, work)).filter(({ table }) => table === "workout_checkins");

describe("lists of check-ins", () => {
  it.each([{}, { status: "pending" }, { status: "rejected" }, { status: "verified" }])(
    "an admin's page of %o reads only its own rows",
    async (filter) => {
      const query = ReviewQuery.parse({ limit: String(LIMIT), ...filter });
      const [walk, ...others] = await walks("service", (tx) => readReviews(tx, query, new Date()));
      expect(others).toEqual([]);
      expect(walk?.index).not.toBeNull();
      expect(walk?.rows).toBeLessThanOrEqual(LIMIT + 1);
    },
  );

  it("a page of a date reads only its own rows, and its counts only that date", async () => {
    const query = CheckInsQuery.parse({ limit: String(LIMIT) });
    const found = await walks(READER, (tx) =>
      listCheckIns(tx, "2031-01-20", query, { now: new Date(), graceMinutes: 15 }),
    );
    expect(found.every(({ index, rows }) => index !== null && rows <= PEOPLE)).toBe(true);
    expect(found.some(({ rows }) => rows <= LIMIT + 1)).toBe(true);
  });
});

describe("photos that were seen before", () => {
  it("are searched by parts of their hashes, not among all photos, also in a new session", async () => {
    const session = new pg.Client({ connectionString: acting.adminUrl });
    await session.connect();
    try {
      await session.query("begin");
      await session.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify({ sub: READER })]);
      await session.query(
        `select * from private.record_check_in(
           jsonb_build_object(
             'date', now()::date, 'activity_type', 'walk', 'is_early', false, 'file_id', gen_random_uuid(),
             'perceptual_hash', 'x0123456789abcdef', 'flags', '{}'::text[]
           ), now(), 15)`,
      );
      const { rows } = await session.query(
        `select seq_scan::int, idx_scan::int from pg_stat_xact_user_tables where relname = 'workout_checkin_photos'`,
      );
      expect(rows).toEqual([{ seq_scan: 0, idx_scan: 1 }]);
    } finally {
      await session.end();
    }
  });
});

it("the next person of a check-in is found by person and date, however long their history", async () => {
  // As private.recount_check_ins joins them.
  const found = await explainAs(acting.adminUrl, "service", (tx) =>
    sql`
      select c.user_id from unnest(array[${READER}]::uuid[], array['2031-01-20']::date[]) r (user_id, date)
      join chains c on c.before_user_id = r.user_id and c.date = r.date
    `.execute(tx),
  );
  expect(found).toEqual([{ table: "chains", index: "chains_before", rows: 1 }]);
});
