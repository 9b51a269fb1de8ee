import { TABLES } from "#core/cards/all";
import { AGE, type Copies, longest } from "../../world/longest.ts";

/** A list of the reference, whose rows are those of a table. Its SQL may name the people and things of the test. */
export interface List {
  /** The table with a condition, such as `nectar.goals where user_id = :reader`. */
  readonly rows?: string;
  /** The column whose values are the keys of the rows, and the field of the response that has it. */
  readonly key?: readonly [column: string, field: string];
  /** The value of the parameter of the path, as SQL. */
  readonly at?: string;
  /** Queries, each of which shows all rows; SQL in braces is replaced by its value. */
  readonly queries?: readonly string[];
  readonly as?: "reader" | "friend" | "guest" | "root";
  /** The names in `GROWN` of what is copied before; the table of `rows` if left out. */
  readonly grown?: readonly string[];
}

const GAME_DATE = "'2026-03-04'";
const comment = { team_id: "null", squad_id: "null", entry_id: "null", goal_id: "null", sender_id: ":reader" };
const player = { user_id: "x.id", date: GAME_DATE };
const media = { media_type: "'youtube'", media_url: "rpad('https://www.youtube.com/watch?v=', 2048, 'a')" };
const file_path = "r.owner_id || '/' || r.pack_id || '/' || repeat('p', 900)";
const images = {
  "nectar.tone_pack_images": { key: "pack_id", changes: { file_path: file_path.replace("r.pack_id", "o.id") } },
};
const numbered = `${longest(44)} || lpad(n::text, 6, '0')`;

/**
 * How rows are copied, by the name of the table, or by another name if a table has several kinds of rows. Copies of tables
 * that are not here differ in id and time only.
 */
export const GROWN: Readonly<Record<string, Copies & { readonly table?: string }>> = {
  "nectar.personal_tokens": { changes: { token_hash: "sha256((r.id::text || n)::bytea)" } },
  "nectar.moderation_decisions": {
    parts: { "nectar.moderation_appeals": { key: "decision_id" } },
  },
  "nectar.drop_templates": { count: 1_010, changes: { ...media, type: "'media'", is_approved: "n % 2 = 0" } },
  drops: {
    table: "nectar.encouragement_drops",
    count: 1_010,
    changes: {
      ...media,
      drop_type: "'media'",
      date_sent: `((r.created_at - ${AGE}) at time zone 'UTC')::date`,
      sender_id: "case n % 2 when 0 then :reader::uuid else :friend end",
      recipient_id: "case n % 2 when 0 then :friend::uuid else :reader end",
    },
  },
  "nectar.badge_milestones": { count: 6, changes: { level: "n + 1" } },
  "nectar.battles": {
    changes: {
      week_start_date: "r.week_start_date - 7 * n",
      battle_status: "'completed'",
      winner: "'tie'",
      battle_result: `jsonb_build_object('rounds', '[]'::jsonb, 'seed', repeat('0', 64), 'finalOutcome', ${longest(100)},
        'redRobotPower', 0, 'blueRobotPower', 0, 'badGuyPower', 100)`,
    },
  },
  "nectar.weekly_workout_stats": { changes: { week_start_date: "r.week_start_date - 7 * n" } },
  "nectar.workout_checkins": { count: 2_010, changes: { ...player, activity_type: "'other'", chain_id: "null" } },
  "nectar.chains": {
    count: 2_010,
    changes: {
      ...player,
      squad_id: "null",
      window_starts_at: `${GAME_DATE}::date + time '06:00'`,
      window_ends_at: `${GAME_DATE}::date + time '08:00'`,
      day_ends_at: `${GAME_DATE}::date + 1`,
    },
  },
  "nectar.synthetic_users": { changes: { user_id: "x.id" } },
  squadMessages: { table: "nectar.team_messages", changes: { ...comment, squad_id: ":squad" } },
  teamMessages: { table: "nectar.team_messages", changes: { ...comment, team_id: ":team" } },
  entryComments: { table: "nectar.team_messages", changes: { ...comment, entry_id: ":entry" } },
  goalComments: { table: "nectar.team_messages", changes: { ...comment, goal_id: ":goal" } },
  "nectar.goals": { of: "id = :goal", parts: { "nectar.goal_contents": { key: "goal_id" } } },
  "nectar.goal_check_ins": {
    of: "goal_id = :goal",
    parts: { "nectar.goal_check_in_contents": { key: "check_in_id" } },
  },
  "nectar.journal_entries": {
    of: "id = :entry",
    changes: {
      notebook_id: ":notebook",
      entry_date: "'2020-05-05'",
      tags: `(select array_agg(${longest(48)} || (n + 10)) from generate_series(1, 20) n)`,
    },
    parts: {
      "nectar.journal_entry_contents": { key: "entry_id" },
      "nectar.note_analysis_sources": { key: "entry_id" },
    },
  },
  taggedEntries: {
    table: "nectar.journal_entries",
    of: "id = :entry",
    // So many that all of their tags, or all of their moods, would not fit into a response.
    count: 12_500,
    changes: {
      user_id: ":friend",
      metadata_audience_id: ":friend",
      content_audience_id: ":friend",
      entry_date: "date '2020-01-01' + n % 366",
      title: "'T'",
      mood: numbered,
      mood_source: "'user'",
      tags: `array[${numbered}]`,
    },
  },
  "nectar.entry_pictures": {
    count: 2_000,
    changes: {
      thumbnail_id: "gen_random_uuid()",
      position: "n % 20",
      entry_id: "(select array_agg(id order by id) from nectar.journal_entries where user_id = :reader)[1 + n / 20]",
    },
  },
  "nectar.trashed_entries": {
    changes: { title: longest(255), deleted_at: `r.deleted_at - ${AGE}` },
  },
  "nectar.notebooks": { of: "id = :notebook", parts: { "nectar.notebook_contents": { key: "notebook_id" } } },
  "nectar.organizations": {
    of: "id = :organization",
    changes: { settings: `jsonb_build_object('text', repeat('"', 8000))` },
    parts: { "nectar.organization_members": { key: "org_id" } },
  },
  "nectar.organization_members": { of: "org_id = :organization", changes: { user_id: "x.id" } },
  "nectar.member_names": {
    of: "org_id = :organization",
    changes: { user_id: "x.id", search_text: "'ada'", full_name: longest(100) },
  },
  "nectar.teams": { of: "id = :team", changes: { settings: `jsonb_build_object('text', repeat('"', 8000))` } },
  "nectar.team_members": { of: "team_id = :team", changes: { user_id: "x.id" } },
  "nectar.invitations": {
    of: "org_id = :organization",
    changes: {
      token_hash: "sha256((r.id::text || n)::bytea)",
      email: ":address",
      email_status: "'sent'",
      team_ids: "array_fill(:team::uuid, array[20])",
    },
  },
  ownPacks: { table: "nectar.tone_packs", of: "id = :pack", count: 150, parts: { ...images } },
  sharedPacks: {
    table: "nectar.tone_packs",
    of: "owner_id = :friend",
    count: 150,
    parts: { ...images, "nectar.tone_pack_shares": { key: "pack_id" } },
  },
  publicPacks: {
    table: "nectar.tone_packs",
    of: "owner_id = :friend",
    count: 150,
    changes: { is_public: "true" },
    parts: { ...images },
  },
  "nectar.tone_pack_shares": {
    of: "pack_id = :pack",
    count: 1_010,
    changes: { user_id: "x.id", by_address: "n % 2 = 0", email: `case when n % 2 = 0 then ${longest(320)} end` },
  },
  "nectar.tone_pack_images": {
    of: "pack_id = :pack",
    count: 500,
    changes: { file_path, tone: "'tone ' || repeat(chr(97 + n % 26), 1 + n / 26)" },
  },
  "nectar.drop_transactions": {
    changes: { event_key: "r.event_key || n", description: longest(255) },
  },
  "nectar.conversion_rates": {
    changes: { rate: "9999999999.5", effective_date: `r.effective_date - ${AGE}` },
  },
  "private.logged_reads": { changes: { reader_id: "x.id" } },
  "nectar.token_usage": { changes: { model: `${longest(190)} || n` } },
  "nectar.push_subscriptions": {
    changes: {
      service: "'apns'",
      endpoint: "null",
      p256dh: "null",
      auth: "null",
      token: "repeat('0a', 32) || to_char(n, 'FM0000')",
      app: longest(255),
      renewed_at: `r.renewed_at - ${AGE}`,
    },
  },
  "nectar.notifications": {
    changes: { type: "'badge_earned'", data: `jsonb_build_object('badge_name', ${longest(160)})` },
  },
  "nectar.blocks": { of: "user_id = :friend", changes: { blocked_id: "x.id", is_named: "true" } },
  "nectar.reports": { changes: { target_id: "gen_random_uuid()" } },
  "private.email_received": {
    changes: {
      event_id: "n::text",
      recipients: "array_fill(lpad('@nectar.test', case when n < 5 then 254 else 20 end, 'a'), array[50])",
    },
  },
};

const entryQueries = ["all", "excerpt", "metadata"].map((fields) => `fields=${fields}`);

/** All lists with pages, by their path. */
export const PAGED: Readonly<Record<string, List>> = {
  ...Object.fromEntries(
    Object.entries(TABLES).flatMap(([table, { list, person = "user_id" }]) =>
      list === undefined ? [] : [[list, { rows: `${table} where ${person} = :reader` }]],
    ),
  ),
  "/api/moderation-decisions": { rows: "nectar.moderation_decisions where owner_id = :reader" },
  "/api/admin/appeals": {
    rows: "nectar.moderation_appeals",
    queries: ["status=upheld"],
    as: "root",
    grown: ["nectar.moderation_decisions"],
  },
  "/api/encouragement-drops/templates": { rows: "nectar.drop_templates where is_approved" },
  "/api/encouragement-drops/admin/templates": { rows: "nectar.drop_templates", as: "root" },
  "/api/encouragement-drops/received": {
    rows: "nectar.encouragement_drops where recipient_id = :reader",
    grown: ["drops"],
  },
  "/api/encouragement-drops/sent": { rows: "nectar.encouragement_drops where sender_id = :reader", grown: ["drops"] },
  "/api/encouragement-drops/badge/milestones": { rows: "nectar.badge_milestones where user_id = :reader" },
  "/api/workout-window/battle/history": { rows: "nectar.battles where battle_status = 'completed'" },
  "/api/workout-window/weekly-stats": {
    rows: "nectar.weekly_workout_stats where user_id = :reader",
    key: ["week_start_date", "weekStartDate"],
  },
  "/api/workout-window/checkins/{date}": { rows: `nectar.workout_checkins where date = ${GAME_DATE}`, at: GAME_DATE },
  "/api/workout-window/admin/checkins": { rows: "nectar.workout_checkins", as: "root" },
  "/api/workout-window/admin/teams/{date}": {
    rows: `nectar.chains where date = ${GAME_DATE}`,
    key: ["user_id", "userId"],
    at: GAME_DATE,
    as: "root",
  },
  "/api/workout-window/squad/{date}/messages": {
    rows: "nectar.team_messages where squad_id = :squad",
    at: "(select date::text from nectar.squads where id = :squad)",
    grown: ["squadMessages"],
  },
  "/api/workout-window/admin/ai-users": {
    rows: "nectar.synthetic_users",
    key: ["user_id", "id"],
    as: "root",
  },
  "/api/goals": { rows: "nectar.goals where user_id = :reader" },
  "/api/goals/{id}/check-ins": { rows: "nectar.goal_check_ins where goal_id = :goal", at: ":goal" },
  "/api/goals/{id}/comments": {
    rows: "nectar.team_messages where goal_id = :goal",
    at: ":goal",
    grown: ["goalComments"],
  },
  "/api/journal": {
    rows: "nectar.journal_entries where notebook_id = :notebook",
    queries: entryQueries.flatMap((query) =>
      ["-created_at", "entry_date"].map((sort) => `${query}&sort=${sort}&notebook_id={:notebook}`),
    ),
  },
  "/api/journal/{id}/comments": {
    rows: "nectar.team_messages where entry_id = :entry",
    at: ":entry",
    grown: ["entryComments"],
  },
  "/api/notebooks/{id}/entries": {
    rows: "nectar.journal_entries where notebook_id = :notebook",
    at: ":notebook",
    queries: entryQueries,
  },
  "/api/journal/trash": { rows: "nectar.trashed_entries where user_id = :reader" },
  "/api/notebooks": { rows: "nectar.notebooks where user_id = :reader" },
  "/api/organizations": { rows: "nectar.organizations where owner_id = :reader" },
  "/api/organizations/{id}/members": {
    rows: "nectar.organization_members where org_id = :organization",
    key: ["user_id", "user_id"],
    at: ":organization",
  },
  "/api/users": {
    rows: "nectar.organization_members where org_id = :organization and user_id <> :reader",
    key: ["user_id", "id"],
    queries: ["org_id={:organization}", "q=ada"],
    grown: ["nectar.organization_members", "nectar.member_names"],
  },
  "/api/organizations/{id}/invitations": {
    rows: "nectar.invitations where org_id = :organization",
    at: ":organization",
  },
  "/api/invitations": { rows: "nectar.invitations where email = :address", as: "guest" },
  "/api/teams": {
    rows: "nectar.teams where org_id = :organization",
    queries: ["", "org_id={:organization}"],
  },
  "/api/teams/{id}/members": {
    rows: "nectar.team_members where team_id = :team",
    key: ["user_id", "user_id"],
    at: ":team",
  },
  "/api/teams/{id}/messages": {
    rows: "nectar.team_messages where team_id = :team",
    at: ":team",
    grown: ["teamMessages"],
  },
  "/api/tone-packs": { rows: "nectar.tone_packs", grown: ["ownPacks", "sharedPacks", "publicPacks"] },
  "/api/tone-packs/{id}/shares": { rows: "nectar.tone_pack_shares where pack_id = :pack", at: ":pack" },
  "/api/user/exports": { rows: "nectar.exports where user_id = :reader" },
  "/api/ai/backgrounds": { rows: "nectar.entry_backgrounds where user_id = :reader" },
  "/api/drops/transactions": { rows: "nectar.drop_transactions where user_id = :reader" },
  "/api/admin/conversion/rates": { rows: "nectar.conversion_rates", as: "root" },
  "/api/admin/audit": { rows: "nectar.audit_events", as: "root" },
  "/api/admin/users": { rows: "nectar.profiles where id <> private.system_user_id()", as: "root", grown: [] },
  "/api/user/access-log": {
    rows: "private.logged_reads where user_id = :reader",
    key: ["reader_id", "by.id"],
  },
  "/api/user/ai-use": { rows: "nectar.token_usage where user_id = :reader", key: ["model", "model"] },
  "/api/chat/analysis/sources": {
    rows: "nectar.note_analysis_sources where user_id = :reader",
    key: ["entry_id", "id"],
    grown: ["nectar.journal_entries"],
  },
  "/api/notifications": { rows: "nectar.notifications where user_id = :reader" },
  "/api/notifications/devices": { rows: "nectar.push_subscriptions where user_id = :reader" },
  "/api/blocks": { rows: "nectar.blocks where user_id = :friend", key: ["blocked_id", "user_id"], as: "friend" },
  "/api/reports": { rows: "nectar.reports where reporter_id = :reader" },
  "/api/admin/reports": { rows: "nectar.reports", as: "root" },
  "/api/email/messages": { rows: "private.email_messages where user_id = :reader" },
  "/api/admin/emails/received": { rows: "private.email_received", as: "root" },
};

/** All lists without pages, which must fit into one response. */
export const WITHOUT_PAGES: Readonly<Record<string, List>> = {
  "/api/journal/tags": { as: "friend", grown: ["taggedEntries"] },
  "/api/journal/stats": { as: "friend", queries: ["from=2020-01-01&to=2020-12-31"], grown: ["taggedEntries"] },
  "/api/journal/on-this-day": { queries: ["date=2026-05-05"], grown: ["nectar.journal_entries"] },
  "/api/pictures": {
    queries: [
      "{(select string_agg('entry_id=' || id, '&') from (select distinct entry_id as id from nectar.entry_pictures where user_id = :reader limit 100) e)}",
    ],
    grown: ["nectar.journal_entries", "nectar.entry_pictures"],
  },
  "/api/goals/{id}": { at: ":goal", grown: ["nectar.goal_check_ins"] },
  "/api/tone-packs/{id}": { at: ":pack", grown: ["nectar.tone_pack_images"] },
  "/api/tone-packs/active": { grown: ["nectar.tone_pack_images"] },
  "/api/encouragement-drops/leaderboard": { queries: ["limit=1000"], grown: [] },
};

/** Responses without pages whose rows are always few. */
export const FEW_ROWS: Readonly<Record<string, string>> = {
  "/health/jobs": "names of scheduled jobs, which are part of the code",
  "/api/payment/prices": "prices that the operator has created at the processor",
  "/api/admin/jobs": "one for each scheduled job; a run returns short results",
  "/api/admin/drops/reconcile": "at most 100 differences, of an id and two numbers",
  "/api/user/account/erasure": "the organizations that one owns, with nothing but id and name",
  "/api/journal/imports/{id}": "at most 100 problems, each with a path and a sentence",
  "/api/users/{id}": "at most 500 organizations, with nothing but id and name",
  "/api/journal/{id}": "at most 20 pictures of an entry",
  "/api/chat/analysis": "at most ten moods, each a word and a number",
  "/api/moods": "the suggested moods are part of the code",
  "/api/encouragement-drops/badge-definitions": "one for each of the seven levels",
  "/api/workout-window/chain/{date}": "the caller and two neighbors",
  "/api/workout-window/squad/{date}": "a squad of three",
  "/api/workout-window/battle/week/{weekStartDate}": "the days of a week",
  "/api/workout-window/battle/week/{weekStartDate}/proof": "three to five rounds",
  "/api/workout-window/calendar": "at most 366 days, with a state and two numbers each",
  "/api/workout-window/my-window": "absences of one person",
  "/api/today": "at most 50 goals, with nothing but title and streak",
};

/** Lists of the game with pages and a cursor of their own, whose tests are beside them. */
export const OWN_PAGES: Readonly<Record<string, string>> = {
  "/api/workout-window/mosaic/{date}": "tests/api/game/mosaics/mosaic.test.ts",
  "/api/changes": "tests/api/changes/changes.test.ts",
};

/** The rows of a response: those of its lists, of its sections, or of its teams. */
export function rowsOf(body: object): Readonly<Record<string, unknown>>[] {
  return Object.values(body).flatMap((value) => {
    if (Array.isArray(value)) return value;
    return typeof value === "object" && value !== null && "members" in value ? rowsOf([value.members]) : [];
  });
}
