import { asSuperuser } from "#tests/people";
import { VIEWERS } from "./data.ts";
import { fillCheckIns, fillGame } from "./game-data.ts";
import { CHAIN_DATE, READ_ENTRY } from "./hot-reads.ts";

/** So many goals, notifications and drops belong to everyone together, and to the reader alone. */
const OF_EVERYONE = 200_000;
const OF_READER = 60;

/**
 * Adds to a database that `fill` has filled what the hot reads read: goals, notifications, drops, badges, and a date of the
 * game on which everyone plays. The reader is the viewer in 3 teams.
 */
export async function fillReads(adminUrl: string): Promise<void> {
  await asSuperuser(adminUrl, async (client) => {
    const run = (sql: string, values: unknown[] = []) => client.query(sql, values);
    await run("set session_replication_role = replica");
    await run(
      `create temp table people as
       select id, row_number() over (order by id) as n from nectar.profiles where id <> private.system_user_id()`,
    );
    await run("create index on people (n)");
    await run("analyze people");
    // An owner for each row, another user, and a time.
    await run(
      `create temp table rows as
       select i.n, case when i.n <= ${OF_READER} then $1::uuid else owner.id end as owner_id, other.id as other_id,
         now() - make_interval(mins => i.n::int) as at
       from generate_series(1, ${OF_EVERYONE}::bigint) i (n)
       cross join (select count(*) as all from people) count
       join people owner on owner.n = 2 + i.n % (count.all - 2)
       join people other on other.n = 3 + i.n * 7919 % (count.all - 3)
       where owner.id <> other.id`,
      [VIEWERS.calm],
    );
    await run(
      `insert into nectar.goals (user_id, title, description, created_at, updated_at)
       select owner_id, 'Goal ' || n, repeat('A little every day. ', 5), at, at from rows`,
    );
    await run(
      `insert into nectar.notifications (user_id, type, data, created_at, read_at)
       select owner_id, 'drop_received',
         jsonb_build_object('drop_id', gen_random_uuid(), 'full_name', 'Bench'), at, case when n % 2 = 0 then now() end
       from rows`,
    );
    await run(
      `insert into nectar.encouragement_drops
         (sender_id, recipient_id, content, is_custom, date_sent, created_at, read_at, engagement_until, engagement)
       select other_id, owner_id, 'Well done, and on it goes', true, (at at time zone 'UTC')::date, at,
         case when n % 2 = 0 then now() end, at + interval '1 day', 'expired'
       from rows`,
    );
    await run(
      `insert into nectar.user_badges (user_id, total_drops_sent, engagement_increases, run_days, last_sent_on)
       select id, 1 + n % 100, n % 100, 3, current_date from people`,
    );
    await run("select private.count_leaderboard(now())");
    await run(
      `with entry as (
         insert into nectar.journal_entries
           (id, user_id, title, tags, metadata_visibility, content_visibility, inherit_visibility, team_id,
            effective_metadata_visibility, effective_content_visibility, metadata_audience_id, content_audience_id,
            created_at)
         select $1, other.id, 'A walk', array['day'], 'team', 'team', false, t.team_id, 'team', 'team', t.team_id,
           t.team_id, now() - interval '1 year'
         from (select team_id from nectar.team_members where user_id = $2 limit 1) t
         cross join (select id from people where n = 4) other
         returning id, user_id, metadata_audience_id, content_audience_id
       )
       insert into nectar.journal_entry_contents (entry_id, user_id, content, metadata_audience_id, content_audience_id)
       select id, user_id, repeat('Along the lake and back. ', 12), metadata_audience_id, content_audience_id from entry`,
      [READ_ENTRY, VIEWERS.calm],
    );
    await fillGame(client, { date: CHAIN_DATE, start: "06:00" });
    await fillCheckIns(client, CHAIN_DATE);
    await run("set session_replication_role = origin");
    await run("vacuum analyze");
  });
}
