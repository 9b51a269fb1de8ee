import { PLAYED, READ_ENTRY } from "./data.ts";

/** A read that an app makes all the time. */
export interface HotRead {
  readonly name: string;
  readonly path: string;
  /** The best SQL that we can write for its rows without row-level security. Its only parameter is the reader's id. */
  readonly sql: string;
}

const LIMIT = 20;
const NEWEST = `order by created_at desc, id desc limit ${LIMIT + 1}`;

const AUDIENCES = `
  select m.team_id as id from nectar.team_members m where m.user_id = $1
  union all select m.org_id from nectar.organization_members m where m.user_id = $1
  union all select '00000000-0000-0000-0000-000000000000'`;

const ENTRY = `
  select e.*, c.content
  from nectar.journal_entries e
  left join nectar.journal_entry_contents c on c.entry_id = e.id`;

/** The ids of the newest rows of a table that are the reader's or of one of their audiences. */
function newestVisible(table: "journal_entries" | "notebooks"): string {
  return `
    (select id, created_at from nectar.${table} where user_id = $1 ${NEWEST})
    union
    (select v.id, v.created_at from (${AUDIENCES}) a cross join lateral (
      select id, created_at from nectar.${table} where metadata_audience_id = a.id ${NEWEST}
    ) v)
    ${NEWEST}`;
}

export const LIST: HotRead = {
  name: `journal list of ${LIMIT}`,
  path: `/api/journal?limit=${LIMIT}`,
  sql: `${ENTRY} join (${newestVisible("journal_entries")}) page on page.id = e.id
    order by page.created_at desc, page.id desc`,
};

export const HOT_READS: readonly HotRead[] = [
  LIST,
  {
    name: "one entry",
    path: `/api/journal/${READ_ENTRY}`,
    sql: `${ENTRY} where e.id = '${READ_ENTRY}' and (e.user_id = $1 or e.metadata_audience_id in (${AUDIENCES}))`,
  },
  {
    name: `notebooks, page of ${LIMIT}`,
    path: `/api/notebooks?limit=${LIMIT}`,
    sql: `
      with page as (${newestVisible("notebooks")}), audiences as materialized (${AUDIENCES})
      select n.*, (
          select count(*) from nectar.journal_entries e
          where e.notebook_id = n.id and (e.user_id = $1 or e.metadata_audience_id in (select id from audiences))
        ) as entry_count
      from page
      join nectar.notebooks n on n.id = page.id
      order by page.created_at desc, page.id desc`,
  },
  {
    name: "profile",
    path: "/api/user/profile",
    sql: `
      select p.*, a.*, r.role
      from nectar.profiles p
      join nectar.accounts a on a.user_id = p.id
      left join nectar.user_roles r on r.user_id = p.id
      where p.id = $1`,
  },
  {
    name: `goals, page of ${LIMIT}`,
    path: `/api/goals?limit=${LIMIT}`,
    sql: `
      select g.*, c.description, p.full_name, p.avatar_url, p.is_ai
      from nectar.goals g
      join nectar.goal_contents c on c.goal_id = g.id
      join nectar.profiles p on p.id = g.user_id
      where g.user_id = $1 order by g.created_at desc, g.id desc limit ${LIMIT + 1}`,
  },
  {
    name: `notifications, page of ${LIMIT}`,
    path: `/api/notifications?limit=${LIMIT}`,
    sql: `
      select *, (
          select count(*)
          from (select from nectar.notifications where user_id = $1 and read_at is null limit 1000) unread
        ) as unread_count
      from nectar.notifications where user_id = $1 ${NEWEST}`,
  },
  {
    name: `received drops, page of ${LIMIT}`,
    path: `/api/encouragement-drops/received?limit=${LIMIT}`,
    sql: `
      select d.*, p.full_name, p.avatar_url, (
          select count(*) from nectar.encouragement_drops where recipient_id = $1 and read_at is null and hidden_at is null
        ) as unread_count
      from nectar.encouragement_drops d
      join nectar.profiles p on p.id = d.sender_id
      where d.recipient_id = $1 and d.hidden_at is null order by d.created_at desc, d.id desc limit ${LIMIT + 1}`,
  },
  {
    name: "balance",
    path: "/api/drops/balance",
    sql: "select drops_balance from nectar.accounts where user_id = $1",
  },
  {
    name: "my window",
    path: "/api/workout-window/my-window",
    sql: `
      select * from nectar.workout_windows w join nectar.user_locations l on l.user_id = w.user_id where w.user_id = $1`,
  },
  {
    name: "chain of a date",
    path: `/api/workout-window/chain/${PLAYED.date}`,
    // A row for each player on a card, with the check-in of the reader and of the neighbors.
    sql: `
      select own.before_user_id, own.after_user_id, own.team_color, q.*, p.*, c.*, k.*, f.location_lat, f.location_lng,
        f.flags
      from nectar.chains own
      left join nectar.squads q on q.id = own.squad_id
      join nectar.chains c on c.date = own.date and c.user_id = any (array[
        own.user_id, own.before_user_id, own.after_user_id, q.user_1_id, q.user_2_id, q.user_3_id
      ])
      join nectar.profiles p on p.id = c.user_id
      left join nectar.workout_checkins k on k.date = c.date and k.user_id = c.user_id
        and c.user_id in (own.user_id, own.before_user_id, own.after_user_id)
      left join nectar.workout_checkin_photos f on f.checkin_id = k.id and f.user_id = own.user_id
      where own.date = '${PLAYED.date}' and own.user_id = $1
      order by k.created_at, k.id`,
  },
  {
    name: "leaderboard with my rank",
    path: "/api/encouragement-drops/leaderboard",
    sql: `
      select b.*, p.full_name, p.avatar_url, mine.rank as my_rank, mine.as_of
      from nectar.user_badges b
      join nectar.profiles p on p.id = b.user_id
      cross join private.leaderboard_rank($1) mine
      where b.is_listed order by b.leaderboard_key, b.user_id limit 50`,
  },
  {
    name: "badge",
    path: "/api/encouragement-drops/badge",
    sql: "select * from nectar.user_badges where user_id = $1",
  },
];
