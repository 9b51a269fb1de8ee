import type { Person } from "../../support/people.ts";
import { EARLIER, type ListScene, LONG_LINK, longest, type Stage } from "./stage.ts";

type Build = (stage: Stage) => Promise<readonly ListScene[]>;

const entryFields = ["all", "excerpt", "metadata"] as const;

/** A scene for every list of the reference that has pages, by its path. */
export const PAGED: Readonly<Record<string, Build>> = {
  "/api/journal": async (stage) => {
    const { author, notebook } = await longEntries(stage);
    return entryFields.map((fields) => ({ ...author, path: `/api/journal?fields=${fields}&notebook_id=${notebook}` }));
  },
  "/api/notebooks/{id}/entries": async (stage) => {
    const { author, notebook } = await longEntries(stage);
    return entryFields.map((fields) => ({ ...author, path: `/api/notebooks/${notebook}/entries?fields=${fields}` }));
  },
  "/api/notebooks": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/notebooks", "notebook", as, {
      name: longest(100),
      description: longest(1_000),
    });
    return [await stage.copied({ path: "/api/notebooks", as }, "nectar.notebooks", id)];
  },
  "/api/organizations": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/organizations", "organization", as, LARGE_GROUP);
    const scene = await stage.copied({ path: "/api/organizations", as }, "nectar.organizations", id);
    await stage.quietly(
      `insert into nectar.organization_members (org_id, user_id)
       select o, $2 from unnest($1::uuid[]) o on conflict do nothing`,
      [scene.keys, as.id],
    );
    return [scene];
  },
  "/api/organizations/{id}/members": async (stage) => {
    const { as, orgId, members } = await largeTeam(stage);
    return [{ path: `/api/organizations/${orgId}/members`, as, keys: members, keyOf: (row) => row.user_id }];
  },
  "/api/teams": async (stage) => {
    const as = await stage.api.person();
    const organization = await stage.make("/api/organizations", "organization", as, LARGE_GROUP);
    const { id } = await stage.make("/api/teams", "team", as, { ...LARGE_GROUP, org_id: organization.id });
    const scene = await stage.copied({ path: "/api/teams", as }, "nectar.teams", id);
    return [scene, { ...scene, path: `/api/teams?org_id=${organization.id}` }];
  },
  "/api/teams/{id}/members": async (stage) => {
    const { as, teamId, members } = await largeTeam(stage);
    return [{ path: `/api/teams/${teamId}/members`, as, keys: members, keyOf: (row) => row.user_id }];
  },
  "/api/ai/backgrounds": async (stage) => {
    const as = await stage.api.person();
    const rows = await stage.quietly<{ id: string }>(
      `insert into nectar.entry_backgrounds (user_id, quality, created_at)
       select $1, 'standard', now() - n * interval '1 second' from generate_series(1, 505) n returning id`,
      [as.id],
    );
    return [{ path: "/api/ai/backgrounds", as, keys: rows.map(({ id }) => id) }];
  },
  "/api/drops/transactions": async (stage) => {
    const [as, boss] = [await stage.api.person(), await stage.api.person({ role: "super_admin" })];
    await stage.api.post("/api/admin/drops/adjust", boss, { user_id: as.id, amount: 1, description: longest(255) });
    const path = "/api/drops/transactions?type=admin_adjustment";
    const { id } = (await stage.api.get(path, as)).body.transactions[0];
    const changes = { ...EARLIER, event_key: "r.event_key || n" };
    return [await stage.copied({ path, as }, "nectar.drop_transactions", id, changes)];
  },
  "/api/admin/conversion/rates": async (stage) => {
    const as = await stage.api.person({ role: "super_admin" });
    await stage.make("/api/admin/conversion/rates", "rate", as, { rate: 9_999_999_999.5 });
    const [newest] = await stage.quietly<{ id: string }>(
      "select id from nectar.conversion_rates order by effective_date desc limit 1",
    );
    const changes = { ...EARLIER, effective_date: "r.effective_date - n * interval '1 second'" };
    await stage.copy("nectar.conversion_rates", { id: newest?.id }, 505, changes);
    return [{ path: "/api/admin/conversion/rates", as, keys: await keysOf(stage, "nectar.conversion_rates") }];
  },
  "/api/admin/users": async (stage) => {
    const as = await stage.api.person({ role: "super_admin" });
    await stage.people(505);
    const people = await keysOf(stage, "nectar.profiles");
    return [{ path: "/api/admin/users", as, keys: people.filter((id) => id !== SYSTEM_USER) }];
  },
  "/api/tone-packs": async (stage) => {
    const [as, owner] = [await stage.api.person(), await stage.api.person()];
    const pack = { name: longest(100), description: longest(1_000), theme: "watercolor" };
    const path = "/api/tone-packs";
    const mine = await stage.make(path, "tone_pack", as, pack);
    const published = await stage.make(path, "tone_pack", owner, { ...pack, is_public: true });
    const [own, shared, others] = [
      await stage.copy("nectar.tone_packs", { id: mine.id }, 200, EARLIER),
      await stage.copy("nectar.tone_packs", { id: published.id }, 310, { ...EARLIER, is_public: "false" }),
      await stage.copy("nectar.tone_packs", { id: published.id }, 200, EARLIER),
    ];
    await drawImages(stage, [mine.id, published.id, ...own, ...shared, ...others], 20);
    await stage.quietly(
      "insert into nectar.tone_pack_shares (pack_id, user_id, owner_id) select p, $2, $3 from unnest($1::uuid[]) p",
      [shared, as.id, owner.id],
    );
    return [{ path, as, keys: [mine.id, published.id, ...own, ...shared, ...others] }];
  },
  "/api/goals": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/goals", "goal", as, { title: longest(200), description: longest(5_000) });
    return [await stage.copied({ path: "/api/goals", as }, "nectar.goals", id)];
  },
  "/api/goals/{id}/check-ins": async (stage) => {
    const { as, goal, checkIn } = await checkedIn(stage);
    return [await stage.copied({ path: `/api/goals/${goal}/check-ins`, as }, "nectar.goal_check_ins", checkIn)];
  },
  "/api/wellness-entries": async (stage) => {
    const as = await stage.api.person();
    const body = { type: "action_note", content: longest(5_000) };
    const { id } = await stage.make("/api/wellness-entries", "wellness_entry", as, body);
    return [await stage.copied({ path: "/api/wellness-entries", as }, "nectar.wellness_entries", id)];
  },
  "/api/notifications": async (stage) => {
    const as = await stage.api.person();
    await stage.quietly("select private.notify($1, 'drop_received', $2, $3, jsonb_build_object('text', $4::text))", [
      as.id,
      longest(200),
      longest(1_000),
      longest(160),
    ]);
    const { id } = (await stage.api.get("/api/notifications", as)).body.notifications[0];
    return [await stage.copied({ path: "/api/notifications", as }, "nectar.notifications", id)];
  },
  "/api/encouragement-drops/templates": async (stage) => {
    await longTemplates(stage);
    const keys = await keysOf(stage, "nectar.drop_templates where is_approved");
    return [{ path: "/api/encouragement-drops/templates", as: await stage.api.person(), keys }];
  },
  "/api/encouragement-drops/admin/templates": async (stage) => {
    const as = await longTemplates(stage);
    const keys = await keysOf(stage, "nectar.drop_templates");
    return [{ path: "/api/encouragement-drops/admin/templates", as, keys }];
  },
  "/api/encouragement-drops/received": async (stage) => {
    const [as, sender] = await twoWithLargeCards(stage);
    const id = await longDrop(stage, sender, as);
    return [await stage.copied({ path: "/api/encouragement-drops/received", as }, "nectar.encouragement_drops", id)];
  },
  "/api/encouragement-drops/sent": async (stage) => {
    const [as, recipient] = await twoWithLargeCards(stage);
    const id = await longDrop(stage, as, recipient);
    return [await stage.copied({ path: "/api/encouragement-drops/sent", as }, "nectar.encouragement_drops", id)];
  },
  "/api/email/messages": async (stage) => {
    const as = await stage.api.person();
    const rows = await stage.quietly<{ id: string }>(
      `insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
       select $1, repeat('a', 242) || '@nectar.test', $2, 'sent', now() - n / 2 * interval '1 second', now()
       from generate_series(1, 505) n returning id`,
      [as.id, longest(255)],
    );
    return [{ path: "/api/email/messages", as, keys: rows.map(({ id }) => id) }];
  },
  "/api/admin/emails/received": async (stage) => {
    const as = await stage.api.person({ role: "super_admin" });
    // The first ones are as large as mail can be, up to a page each; the rest makes more pages by its number.
    const rows = await stage.quietly<{ id: string }>(
      `insert into private.email_received
         (event_id, is_verified, sender, recipients, subject, body_text, body_html, created_at)
       select n::text, true, $1, array_fill($2::text, array[50]), $1, text, text, now() - n / 2 * interval '1 second'
       from generate_series(1, 505) n
       cross join lateral (select case when n <= 4 then $3 else 'short' end as text) body returning id`,
      [longest(1_000), `${"a".repeat(242)}@nectar.test`, longest(262_144)],
    );
    return [{ path: "/api/admin/emails/received", as, keys: rows.map(({ id }) => id) }];
  },
  "/api/workout-window/battle/history": async (stage) => {
    const as = await stage.api.person();
    const result = { rounds: [], seed: "0".repeat(64), finalOutcome: longest(100) };
    const rows = await stage.quietly<{ id: string }>(
      `insert into nectar.battles (week_start_date, battle_status, winner, battle_result)
       select date '2026-01-05' - 7 * n, 'completed', 'tie', $1 from generate_series(1, 505) n returning id`,
      [{ ...result, redRobotPower: 0, blueRobotPower: 0, badGuyPower: 100 }],
    );
    return [{ path: "/api/workout-window/battle/history", as, keys: rows.map(({ id }) => id) }];
  },
  "/api/workout-window/weekly-stats": async (stage) => {
    const as = await stage.api.person();
    const rows = await stage.quietly<{ week: string }>(
      `insert into nectar.weekly_workout_stats
         (week_start_date, user_id, team_color, days_planned, completed_count, failed_count, pending_count, chips_earned)
       select date '2026-01-05' - 7 * n, $1, 'blue', 7, 5, 1, 1, 20 from generate_series(1, 505) n
       returning week_start_date::text as week`,
      [as.id],
    );
    const keys = rows.map(({ week }) => week);
    return [{ path: "/api/workout-window/weekly-stats", as, keys, keyOf: (row) => row.weekStartDate }];
  },
  "/api/workout-window/checkins/{date}": async (stage) => {
    const { as, checkIns } = await gameDay(stage);
    return [{ path: `/api/workout-window/checkins/${GAME_DATE}`, as, keys: checkIns }];
  },
  "/api/workout-window/admin/checkins": async (stage) => {
    const { as, checkIns } = await gameDay(stage);
    return [{ path: "/api/workout-window/admin/checkins", as, keys: checkIns }];
  },
  "/api/workout-window/admin/teams/{date}": async (stage) => {
    const { as, players } = await gameDay(stage);
    const path = `/api/workout-window/admin/teams/${GAME_DATE}`;
    return [{ path, as, keys: players, keyOf: (row) => row.userId }];
  },
  "/api/workout-window/admin/ai-users": async (stage) => {
    const as = await stage.api.person({ role: "super_admin" });
    await stage.api.post("/api/workout-window/admin/ai-users/generate", as, { count: 300 });
    const rows = await stage.quietly<{ id: string }>("select user_id as id from nectar.synthetic_users");
    return [{ path: "/api/workout-window/admin/ai-users", as, keys: rows.map(({ id }) => id) }];
  },
};

/** A scene for every response of the reference that holds rows without pages: it must fit as it is. */
export const WITHOUT_PAGES: Readonly<Record<string, (stage: Stage) => Promise<Pick<ListScene, "path" | "as">>>> = {
  "/api/journal/tags": async (stage) => {
    const as = await stage.api.person();
    await stage.quietly(
      `insert into nectar.journal_entries (user_id, title, tags, metadata_audience_id, content_audience_id)
       select $1, 'T', (select array_agg($2 || lpad((20 * n + t)::text, 6, '0')) from generate_series(1, 20) t), $1, $1
       from generate_series(1, 300) n`,
      [as.id, longest(44)],
    );
    return { path: "/api/journal/tags", as };
  },
  "/api/goals/{id}": async (stage) => {
    const { as, goal, checkIn } = await checkedIn(stage);
    await stage.copied({ path: `/api/goals/${goal}/check-ins`, as }, "nectar.goal_check_ins", checkIn);
    return { path: `/api/goals/${goal}`, as };
  },
  "/api/tone-packs/{id}": async (stage) => {
    const { as, id } = await illustratedPack(stage);
    return { path: `/api/tone-packs/${id}`, as };
  },
  "/api/tone-packs/active": async (stage) => {
    const { as, id } = await illustratedPack(stage);
    await stage.api.post(`/api/tone-packs/${id}/activate`, as);
    return { path: "/api/tone-packs/active", as };
  },
  "/api/encouragement-drops/leaderboard": async (stage) => {
    const ids = await stage.people(105);
    await stage.quietly("update nectar.user_badges set total_drops_sent = 1 where user_id = any ($1::uuid[])", [ids]);
    return { path: "/api/encouragement-drops/leaderboard?limit=1000", as: await stage.api.person() };
  },
};

/** Responses without pages whose rows are always few. */
export const FEW_ROWS: Readonly<Record<string, string>> = {
  "/api/moods": "the suggested moods are part of the code",
  "/api/encouragement-drops/badge/milestones": "one for each of the seven levels",
  "/api/encouragement-drops/badge-definitions": "one for each of the seven levels",
  "/api/workout-window/chain/{date}": "oneself and two neighbours",
  "/api/workout-window/squad/{date}": "a squad of three",
  "/api/workout-window/battle/week/{weekStartDate}": "the days of a week",
  "/api/workout-window/my-window": "recent absences only: what is long over is dropped",
};

/** Lists of the game with pages and a cursor of their own, whose tests are beside them. */
export const OWN_PAGES: Readonly<Record<string, string>> = {
  "/api/workout-window/mosaic/{date}": "tests/api/workout-window/mosaics/mosaic.test.ts",
};

const SYSTEM_USER = "00000000-0000-4000-8000-000000000001";

/** The largest name, description and settings of an organization or a team. */
const LARGE_GROUP = {
  name: longest(100),
  description: longest(1_000),
  settings: { text: '"'.repeat(8_000) },
};

async function keysOf(stage: Stage, source: string): Promise<string[]> {
  return (await stage.quietly<{ id: string }>(`select id from ${source}`)).map(({ id }) => id);
}

/** Entries of an author in one notebook, each with the longest content, title and tags. */
async function longEntries(stage: Stage) {
  const as = await stage.api.person();
  const notebook = await stage.make("/api/notebooks", "notebook", as, { name: "N" });
  const { id } = await stage.make("/api/journal", "entry", as, {
    title: longest(255),
    content: longest(100_000),
    mood: longest(50),
    tags: Array.from({ length: 20 }, (_, n) => longest(48) + String(n + 10)),
    notebook_id: notebook.id,
  });
  const copies = await stage.copy("nectar.journal_entries", { id }, 505, EARLIER);
  // The first ones are longer than a page together; the rest makes more pages by its number.
  await stage.quietly(
    `insert into nectar.journal_entry_contents (entry_id, user_id, content, metadata_audience_id, content_audience_id)
     select e.id, e.user_id, case when e.n <= 12 then c.content else 'short' end, e.user_id, e.user_id
     from (select *, row_number() over (order by created_at desc) as n from nectar.journal_entries where id = any ($1::uuid[])) e
     cross join (select content from nectar.journal_entry_contents where entry_id = $2) c`,
    [copies, id],
  );
  return { author: { as, keys: [id, ...copies] }, notebook: notebook.id };
}

/** A team and its organization with more members than a page holds, all with the largest cards. */
async function largeTeam(stage: Stage) {
  const as = await stage.api.person();
  const { id: orgId } = await stage.make("/api/organizations", "organization", as, { name: "O" });
  const { id: teamId } = await stage.make("/api/teams", "team", as, { name: "T", org_id: orgId });
  const people = await stage.people(505);
  const joined = "now() - (row_number() over () / 2) * interval '1 second'";
  await stage.quietly(
    `insert into nectar.organization_members (org_id, user_id, joined_at) select $1, p, ${joined} from unnest($2::uuid[]) p`,
    [orgId, people],
  );
  await stage.quietly(
    `insert into nectar.team_members (org_id, team_id, user_id, joined_at)
     select $1, $2, p, ${joined} from unnest($3::uuid[]) p`,
    [orgId, teamId, people],
  );
  return { as, orgId, teamId, members: [as.id, ...people] };
}

/** A goal with one check-in with the longest notes. */
async function checkedIn(stage: Stage) {
  const as = await stage.api.person();
  const body = { title: longest(200), description: longest(5_000) };
  const { id: goal } = await stage.make("/api/goals", "goal", as, body);
  const path = `/api/goals/${goal}/check-ins`;
  const { id: checkIn } = await stage.make(path, "check_in", as, { status: "partial", notes: longest(2_000) });
  return { as, goal, checkIn };
}

/** A pack with the longest texts and more images than any real pack. */
async function illustratedPack(stage: Stage) {
  const as = await stage.api.person();
  const body = { name: longest(100), description: longest(1_000), theme: "watercolor" };
  const { id } = await stage.make("/api/tone-packs", "tone_pack", as, body);
  await drawImages(stage, [id], 500);
  return { as, id };
}

/** Gives each pack so many images, with the longest paths. */
async function drawImages(stage: Stage, packs: readonly string[], each: number): Promise<void> {
  await stage.quietly(
    `insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path)
     select p.id, p.owner_id, 'tone ' || repeat(chr(97 + n % 26), 1 + n / 26),
       p.owner_id || '/' || p.id || '/' || repeat('p', 900)
     from nectar.tone_packs p cross join generate_series(0, $2::int - 1) n where p.id = any ($1::uuid[])`,
    [packs, each],
  );
}

/** Templates with the longest texts and links, half of them approved. @returns the admin who made them */
async function longTemplates(stage: Stage): Promise<Person> {
  const admin = await stage.api.person({ role: "admin" });
  const link = "https://www.youtube.com/watch?v=";
  const { id } = await stage.make("/api/encouragement-drops/admin/templates", "template", admin, {
    type: "media",
    title: longest(100),
    content: longest(500),
    media_url: link + "a".repeat(2_048 - link.length),
    thumbnail_url: LONG_LINK,
  });
  await stage.copy("nectar.drop_templates", { id }, 1_010, { ...EARLIER, is_approved: "n % 2 = 0" });
  return admin;
}

async function twoWithLargeCards(stage: Stage): Promise<[Person, Person]> {
  const pair: [Person, Person] = [await stage.api.person(), await stage.api.person()];
  await stage.quietly("update nectar.profiles set full_name = $2, avatar_url = $3 where id = any ($1::uuid[])", [
    pair.map(({ id }) => id),
    longest(100),
    LONG_LINK,
  ]);
  return pair;
}

/** Sends a drop with the longest text and link. @returns its id */
async function longDrop(stage: Stage, sender: Person, recipient: Person): Promise<string> {
  const link = "https://www.youtube.com/watch?v=";
  const answer = await stage.make("/api/encouragement-drops/send", "drop", sender, {
    recipient_id: recipient.id,
    drop_type: "media",
    content: longest(500),
    media_url: link + "a".repeat(2_048 - link.length),
  });
  return answer.id;
}

const GAME_DATE = "2026-03-04";
const days = new WeakMap<Stage, ReturnType<typeof buildGameDay>>();

/** A date on which more people with the largest cards play, in squads, and checked in, than fit on a page. */
function gameDay(stage: Stage): ReturnType<typeof buildGameDay> {
  const day = days.get(stage) ?? buildGameDay(stage);
  days.set(stage, day);
  return day;
}

async function buildGameDay(stage: Stage) {
  const as = await stage.api.person({ role: "super_admin" });
  const players = await stage.people(2_010);
  await stage.quietly(
    `insert into nectar.chains
       (date, user_id, team_color, area_key, activity_type, custom_activity, timezone, window_start_time, window_end_time,
        window_starts_at, window_ends_at, day_ends_at)
     select $1::date, p, 'red', 'place', 'other', $3, 'America/Argentina/ComodRivadavia', '06:00', '08:00',
       $1::date + time '06:00', $1::date + time '08:00', $1::date + interval '1 day'
     from unnest($2::uuid[]) p`,
    [GAME_DATE, players, longest(100)],
  );
  await stage.quietly(
    `insert into nectar.squads (date, team_color, user_1_id, user_2_id, user_3_id)
     select $1::date, 'red', $2[n], $2[n + 1], $2[n + 2] from generate_series(1, 2008, 3) n`.replaceAll(
      "$2[",
      "($2::uuid[])[",
    ),
    [GAME_DATE, players],
  );
  const rows = await stage.quietly<{ id: string }>(
    `insert into nectar.workout_checkins
       (user_id, date, activity_type, status, chain_status, team_color, battle_week_start, verified_at, reviewed_at,
        review_reason)
     select p, $1::date, 'other', 'verified', 'continued', 'red', '2026-03-02', now(), now(), $3
     from unnest($2::uuid[]) p returning id`,
    [GAME_DATE, players, longest(1_000)],
  );
  return { as, players, checkIns: rows.map(({ id }) => id) };
}
