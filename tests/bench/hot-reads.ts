import * as z from "zod";
import { badgeOfLevel, badgeProgress } from "#core/people/badges";
import { encodeCursor } from "#http/response/paging";

/** A read that an app makes all the time. */
export interface HotRead {
  readonly name: string;
  readonly path: string;
  /** The best SQL that we can write for it without row-level security. Its only parameter is the reader's id. */
  readonly sql: string;
  /** The response for the rows. A comparison first checks that it is the service's. */
  readonly body: (rows: readonly Row[]) => object;
}

type Row = Readonly<Record<string, unknown>>;

/** The date whose chain is read. `fillReads` makes its players, and the entry. */
export const CHAIN_DATE = "2026-11-18";
export const READ_ENTRY = "00000000-0000-4000-b000-000000000001";

const LIMIT = 20;

const AUDIENCES = `
  select m.team_id as id from nectar.team_members m where m.user_id = $1
  union all select m.org_id from nectar.organization_members m where m.user_id = $1
  union all select '00000000-0000-0000-0000-000000000000'`;

const ENTRY = `
  e.id, e.user_id, e.title, e.tags, e.notebook_id, e.entry_date, e.ai_excluded, e.metadata_visibility, e.content_visibility, e.inherit_visibility,
  e.team_id, e.org_id, e.effective_metadata_visibility, e.effective_content_visibility, e.created_at, e.updated_at,
  coalesce(e.mood, c.found_mood) as mood,
  case when e.mood is not null then 'user' when c.found_mood is not null then 'ai' end as mood_source,
  c.entry_id is null as content_hidden, case when e.hidden_at is not null then 'hidden' end as moderation, c.content`;

/** The ids of the newest rows of a table that are the reader's or of one of their audiences. */
function newestVisible(table: "journal_entries" | "notebooks"): string {
  const newest = `order by r.created_at desc, r.id desc limit ${LIMIT + 1}`;
  return `
    (select r.id, r.created_at from nectar.${table} r where r.user_id = $1 ${newest})
    union
    (select v.id, v.created_at from (${AUDIENCES}) a cross join lateral (
      select r.id, r.created_at from nectar.${table} r where r.metadata_audience_id = a.id ${newest}
    ) v)
    order by created_at desc, id desc limit ${LIMIT + 1}`;
}

/** The reads that the benchmark compares with bare SQL. */
export const HOT_READS: readonly HotRead[] = [
  {
    name: `journal list of ${LIMIT}`,
    path: `/api/journal?limit=${LIMIT}`,
    sql: `
      with page as (${newestVisible("journal_entries")})
      select ${ENTRY}
      from page
      join nectar.journal_entries e on e.id = page.id
      left join nectar.journal_entry_contents c on c.entry_id = e.id
      order by page.created_at desc, page.id desc`,
    body: (rows) => paged("entries", rows),
  },
  {
    name: "one entry",
    path: `/api/journal/${READ_ENTRY}`,
    sql: `
      select ${ENTRY}
      from nectar.journal_entries e
      left join nectar.journal_entry_contents c on c.entry_id = e.id
      where e.id = '${READ_ENTRY}' and (e.user_id = $1 or e.metadata_audience_id in (${AUDIENCES}))`,
    body: ([entry]) => ({ entry }),
  },
  {
    name: `notebooks, page of ${LIMIT}`,
    path: `/api/notebooks?limit=${LIMIT}`,
    sql: `
      with page as (${newestVisible("notebooks")}), audiences as materialized (${AUDIENCES})
      select n.id, n.user_id, n.name, n.description, n.metadata_visibility, n.content_visibility, n.team_id, n.org_id,
        n.ai_excluded_default, case when n.hidden_at is not null then 'hidden' end as moderation, n.created_at, n.updated_at, (
          select count(*) from nectar.journal_entries e
          where e.notebook_id = n.id and (e.user_id = $1 or e.metadata_audience_id in (select id from audiences))
        ) as entry_count
      from page
      join nectar.notebooks n on n.id = page.id
      order by page.created_at desc, page.id desc`,
    body: (rows) => paged("notebooks", rows),
  },
  {
    name: "profile",
    path: "/api/user/profile",
    sql: `
      select p.id, a.email, p.full_name, p.avatar_url, p.is_ai, coalesce(r.role, 'user') as role,
        a.preferences || jsonb_build_object('active_tone_pack_id', a.active_tone_pack_id) as preferences, a.drops_balance,
        a.read_notes_enabled, a.check_in_enabled, a.timezone, a.leaderboard_visible, a.is_premium,
        case when a.suspended_until > now() then a.suspended_until end as suspended_until, p.created_at,
        greatest(p.updated_at, a.updated_at) as updated_at
      from nectar.profiles p
      join nectar.accounts a on a.user_id = p.id
      left join nectar.user_roles r on r.user_id = p.id
      where p.id = $1`,
    body: ([profile]) => ({ profile }),
  },
  {
    name: `goals, page of ${LIMIT}`,
    path: `/api/goals?limit=${LIMIT}`,
    sql: `
      select id, user_id, title, description, target_date, status, created_at, updated_at
      from nectar.goals where user_id = $1 order by created_at desc, id desc limit ${LIMIT + 1}`,
    body: (rows) => paged("goals", rows),
  },
  {
    name: `notifications, page of ${LIMIT}`,
    path: `/api/notifications?limit=${LIMIT}`,
    sql: `
      select id, type, data, created_at, read_at, (
          select count(*)
          from (select from nectar.notifications where user_id = $1 and read_at is null limit 1000) unread
        ) as unread_count
      from nectar.notifications where user_id = $1 order by created_at desc, id desc limit ${LIMIT + 1}`,
    body: (rows) => counted("notifications", "unread_count", rows),
  },
  {
    name: `received drops, page of ${LIMIT}`,
    path: `/api/encouragement-drops/received?limit=${LIMIT}`,
    sql: `
      select d.id, d.sender_id, d.recipient_id, d.drop_type, d.is_custom, d.template_id, d.title, d.content, d.media_type,
        d.media_url, d.thumbnail_url, d.date_sent, d.created_at, d.read_at, d.entry_id,
        json_build_object('id', p.id, 'full_name', p.full_name, 'avatar_url', p.avatar_url,
          'is_assistant', p.id = '00000000-0000-4000-8000-000000000001') as sender,
        (
          select count(*) from nectar.encouragement_drops where recipient_id = $1 and read_at is null and hidden_at is null
        ) as unread_count
      from nectar.encouragement_drops d
      join nectar.profiles p on p.id = d.sender_id
      where d.recipient_id = $1 and d.hidden_at is null order by d.created_at desc, d.id desc limit ${LIMIT + 1}`,
    body: (rows) => counted("drops", "unread_count", rows),
  },
  {
    name: "balance",
    path: "/api/drops/balance",
    sql: "select drops_balance as balance, drops_balance from nectar.accounts where user_id = $1",
    body: ([balance = {}]) => balance,
  },
  {
    name: "my window",
    path: "/api/workout-window/my-window",
    sql: `
      select w.id, w.user_id, w.activity_type, w.custom_activity, w.timezone, w.effective_from, w.created_at, w.updated_at,
        to_char(w.window_start_time, 'HH24:MI') as window_start_time,
        to_char(w.window_end_time, 'HH24:MI') as window_end_time, w.away, w.previous_activity_type,
        w.previous_custom_activity, w.previous_timezone, w.previous_window_start_time, w.previous_window_end_time,
        host(l.ip_address) as ip_address, l.latitude::float8 as latitude, l.longitude::float8 as longitude, l.city,
        l.region, l.country, l.timezone as location_timezone, l.updated_at as last_updated
      from nectar.workout_windows w
      join nectar.user_locations l on l.user_id = w.user_id
      where w.user_id = $1`,
    body: ([row = {}]) => windowAndLocation(row),
  },
  {
    name: "chain of a date",
    path: `/api/workout-window/chain/${CHAIN_DATE}`,
    // A row for each player on a card, with the check-in of the reader and of the neighbors.
    sql: `
      select own.user_id as own_id, own.before_user_id, own.after_user_id, own.team_color as own_color,
        q.user_1_id, q.user_2_id, q.user_3_id, q.team_color as squad_color,
        p.id as card_id, p.full_name, p.avatar_url, p.is_ai, c.activity_type, c.custom_activity, c.timezone,
        to_char(c.window_start_time, 'HH24:MI') as start, to_char(c.window_end_time, 'HH24:MI') as "end",
        k.id, k.user_id, k.chain_id, k.date, k.activity_type as done_activity, k.photo_timestamp, k.status,
        k.battle_chips_earned, k.chip_breakdown, k.chain_status, k.team_color, k.battle_week_start, k.created_at,
        k.reviewed_at, k.review_reason, f.location_lat::float8 as location_lat, f.location_lng::float8 as location_lng,
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
      where own.date = '${CHAIN_DATE}' and own.user_id = $1
      order by k.created_at, k.id`,
    body: chainAndCheckIns,
  },
  {
    name: "leaderboard with my rank",
    path: "/api/encouragement-drops/leaderboard",
    sql: `
      select b.user_id, p.full_name, p.avatar_url, b.level as badge_level, b.total_drops_sent, b.engagement_increases,
        b.success_rate, mine.rank as my_rank, mine.as_of
      from nectar.user_badges b
      join nectar.profiles p on p.id = b.user_id
      cross join private.leaderboard_rank($1) mine
      where b.is_listed order by b.leaderboard_key, b.user_id limit 50`,
    body: (rows) => ({
      leaderboard: rows.map(({ my_rank, as_of, ...row }, index) => {
        const { badge_level, success_rate } = Badge.parse({ ...row, level: row.badge_level });
        const { name, emoji, color } = badgeOfLevel(badge_level ?? 1);
        return { rank: index + 1, ...row, badge_name: name, emoji, color, success_rate };
      }),
      my_rank: rows[0]?.my_rank ?? null,
      as_of: rows[0]?.as_of ?? null,
    }),
  },
  {
    name: "badge",
    path: "/api/encouragement-drops/badge",
    sql: `
      select user_id, level, total_drops_sent, engagement_increases, success_rate, bonus_drops_earned,
        case when last_sent_on >= (now() at time zone 'UTC')::date - 1 then run_days else 0 end as consecutive_days
      from nectar.user_badges where user_id = $1`,
    body: ([row = {}]) => {
      const { level, success_rate, engagement_increases } = Badge.parse(row);
      const { name, emoji, color } = badgeOfLevel(level);
      const progress = badgeProgress(engagement_increases, level);
      return { badge: { ...row, name, emoji, color, success_rate, progress } };
    },
  },
];

const Badge = z.object({
  level: z.int(),
  badge_level: z.int().optional(),
  success_rate: z.coerce.number(),
  engagement_increases: z.int(),
});

const Created = z.object({ created_at: z.string(), id: z.string() });

function paged(name: string, rows: readonly Row[]): object {
  const last = rows.length > LIMIT ? Created.parse(rows[LIMIT - 1]) : undefined;
  const next_cursor = last === undefined ? null : encodeCursor({ at: last.created_at, id: last.id });
  return { [name]: rows.slice(0, LIMIT), next_cursor };
}

function counted(name: string, count: string, rows: readonly Row[]): object {
  return {
    ...paged(
      name,
      rows.map(({ [count]: _, ...row }) => row),
    ),
    [count]: rows[0]?.[count] ?? 0,
  };
}

/** The reader of the comparison has not changed the window and was never away. */
function windowAndLocation(row: Row): object {
  const { ip_address, latitude, longitude, city, region, country, location_timezone, last_updated, ...window } = row;
  const settings = Object.entries(window).filter(([name]) => !name.startsWith("previous_"));
  return {
    window: { ...Object.fromEntries(settings), away: [], is_active: window.away === "{}", previous: null },
    location: {
      user_id: row.user_id,
      ip_address,
      latitude,
      longitude,
      city,
      region,
      country,
      timezone: location_timezone,
      last_updated,
    },
  };
}

/** The reader of the comparison has a squad, and no check-in was reviewed or stored with a photo that may be read. */
function chainAndCheckIns(rows: readonly Row[]): object {
  const cards = new Map(
    rows.map(({ card_id, full_name, avatar_url, is_ai, activity_type, custom_activity, timezone, start, end }) => [
      card_id,
      { id: card_id, full_name, avatar_url, is_ai, activity_type, custom_activity, window: { start, end, timezone } },
    ]),
  );
  const card = (id: unknown) => cards.get(id) ?? null;
  const [own = {}] = rows;
  return {
    chain: {
      beforeUser: card(own.before_user_id),
      currentUser: card(own.own_id),
      afterUser: card(own.after_user_id),
      teamColor: own.own_color,
      squad: {
        user1: card(own.user_1_id),
        user2: card(own.user_2_id),
        user3: card(own.user_3_id),
        teamColor: own.squad_color,
      },
    },
    checkins: rows
      .filter(({ id }) => id !== null)
      .map((row) => ({
        id: row.id,
        user_id: row.user_id,
        chain_id: row.chain_id,
        date: row.date,
        activity_type: row.done_activity,
        custom_activity: row.custom_activity,
        photo_url: null,
        photo_timestamp: row.photo_timestamp,
        location_lat: row.location_lat,
        location_lng: row.location_lng,
        status: row.status,
        battle_chips_earned: row.battle_chips_earned,
        chip_breakdown: row.chip_breakdown,
        chain_status: row.chain_status,
        team_color: row.team_color,
        battle_week_start: row.battle_week_start,
        flags: row.flags,
        review: null,
        created_at: row.created_at,
      })),
  };
}
