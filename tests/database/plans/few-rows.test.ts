import { beforeAll, expect, it } from "vitest";
import { call } from "#database/call";
import { claimNextWork } from "#database/work";
import { readMosaic } from "#functions/game/mosaics/mosaic";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

// These plans are of jobs and of parts of responses. The other reads of the API are in every-endpoint.test.ts.
const acting = useActing();
const ID = "('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid";
const READER = "00000000-0000-4000-9000-000000000001";
const DATE = "2031-01-20";
const LIMIT = 20;

beforeAll(async () => {
  const { admin } = acting;
  await admin.query("set session_replication_role = replica");
  await admin.query(`insert into nectar.profiles (id) select ${ID} from generate_series(1, 20000) n`);
  await admin.query(
    `insert into nectar.user_badges (user_id, total_drops_sent)
     select ${ID}, 1 + n * 7919 % 300 from generate_series(1, 20000) n`,
  );
  await admin.query(
    `insert into nectar.mosaics (date, image_key, total_participants, completed_count, digest, seen_at)
     values ('${DATE}', 'key', 5000, 5000, 'digest', now())`,
  );
  await admin.query(
    `insert into nectar.mosaic_sections (date, position, user_id, status, team_color)
     select '${DATE}', n - 1, ${ID}, 'completed', 'red' from generate_series(1, 5000) n`,
  );
  await admin.query(
    `insert into private.email_received
       (event_id, is_verified, provider_id, sender, recipients, subject, body_text, created_at)
     select n::text, n % 2 = 0, n::text, 'x', '{y}', 'z', 'Hi', now() - n * interval '1 minute'
     from generate_series(1, 20000) n`,
  );
  await admin.query(
    `insert into private.work (kind, key, due_at)
     select 'received-mail', n::text, now() + (n - 5000) * interval '1 minute' from generate_series(1, 20000) n`,
  );
  await admin.query(
    `with decision as (
       insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, decided_at)
       select ${ID}, 'user', ${ID}, 'warn', 'A reason that is long enough.', now() from generate_series(1, 20000) n
       returning *
     ),
     appeal as (
       insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at, status, answer, decided_at)
       select id, owner_id, reason, now(), 'upheld', reason, now() from decision
     )
     insert into nectar.reports
       (reporter_id, owner_id, target_type, target_id, reason, status, decision_id, created_at, decided_at)
     select gen_random_uuid(), owner_id, target_type, target_id, 'spam', 'actioned', id, now(), now() from decision`,
  );
  await admin.query(
    `insert into nectar.workout_checkins
       (user_id, date, activity_type, status, chain_status, battle_week_start, verified_at)
     select ${ID}, '${DATE}', 'cardio', 'verified', 'broken', '${DATE}', now() from generate_series(1, 20000) n`,
  );
  await admin.query("set session_replication_role = origin");
  await admin.query("select private.count_leaderboard(now())");
  await admin.query("vacuum analyze");
});

it("of 20,000 rows of work, the next one to claim is found at once", async () => {
  const walks = await explainAs(acting.adminUrl, "service", (tx) => claimNextWork(tx, "received-mail", new Date()));
  expect(walks.map(({ index }) => index)).toContain("work_due");
  expect(walks.filter(({ rows }) => rows > 1)).toEqual([]);
});

it("beside 20,000 reports, appeals and check-ins that are decided, the oldest open ones are found at once", async () => {
  await acting.admin.query(
    `insert into nectar.reports (reporter_id, owner_id, target_type, target_id, reason)
     select '${READER}', id, 'user', id, 'spam' from nectar.profiles where id <> '${READER}' limit 3`,
  );
  const walks = await explainAs(acting.adminUrl, "service", (tx) => call(tx, "oldest_reviews"));
  expect(walks.map(({ index }) => index).toSorted()).toEqual([
    "moderation_appeals_open",
    "reports_of_status",
    "workout_checkins_pending",
  ]);
  expect(walks.filter(({ rows }) => rows > 1)).toEqual([]);
});

it("a page of a mosaic of 5,000 people reads only its own sections", async () => {
  const walks = await explainAs(acting.adminUrl, READER, async (tx) => {
    const { mosaic } = await readMosaic(tx, DATE, { limit: LIMIT });
    expect(mosaic.sections).toHaveLength(LIMIT);
  });
  expect(walks.filter(({ rows }) => rows > LIMIT + 1)).toEqual([]);
});

it("a rank among 20,000 badges reads a few pages, where counting reads many", async () => {
  // Eight ranks after a checkpoint: each row may cost a page of its own, whether the index alone will do or not.
  const { rows } = await acting.admin.query(
    "select user_id from nectar.user_badges where is_listed order by leaderboard_key, user_id offset 9968 limit 1",
  );
  const middle = rows[0].user_id;
  const pagesOf = async (statement: string) => {
    const { rows } = await acting.admin.query(`explain (analyze, buffers, format json) ${statement}`, [middle]);
    const { Plan } = rows[0]["QUERY PLAN"][0];
    return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
  };
  // The first calls plan, and from the sixth on a plan is kept for any person; whenever statistics are renewed meanwhile,
  // one of them plans again and reads the catalogue. What it takes is what the best of them took.
  const pages: number[] = [];
  for (let n = 0; n < 12; n += 1) pages.push(await pagesOf("select private.leaderboard_rank($1)"));
  expect(Math.min(...pages)).toBeLessThan(30);
  const counted = `select count(*) from nectar.user_badges b where is_listed
    and (leaderboard_key, user_id) < (select m.leaderboard_key, m.user_id from nectar.user_badges m where m.user_id = $1)`;
  expect(await pagesOf(counted)).toBeGreaterThan(60);
});
