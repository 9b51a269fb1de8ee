import { checkedIn } from "./scenes-of-goals.ts";
import { longEntries } from "./scenes-of-journal.ts";
import { illustratedPack } from "./scenes-of-tone-packs.ts";
import { type ListScene, longest, type Stage } from "./stage.ts";

/** A scene for every list of the reference without pages, which must fit into one response. */
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
  "/api/journal/on-this-day": async (stage) => {
    const { author } = await longEntries(stage);
    await stage.quietly("update nectar.journal_entries set entry_date = '2020-05-05' where user_id = $1", [
      author.as.id,
    ]);
    return { path: "/api/journal/on-this-day?date=2026-05-05", as: author.as };
  },
  "/api/journal/stats": async (stage) => {
    const as = await stage.api.person();
    await stage.quietly(
      `insert into nectar.journal_entries (user_id, title, mood, mood_source, tags, entry_date, metadata_audience_id, content_audience_id)
       select $1, 'T', $2 || lpad(n::text, 6, '0'), 'user', array[$2 || lpad(n::text, 6, '0')], date '2020-01-01' + n % 366, $1, $1
       from generate_series(1, 5000) n`,
      [as.id, longest(44)],
    );
    return { path: "/api/journal/stats?from=2020-01-01&to=2020-12-31", as };
  },
  "/api/pictures": async (stage) => {
    const as = await stage.api.person();
    const entries = await stage.quietly<{ id: string }>(
      `insert into nectar.journal_entries (user_id, title, metadata_audience_id, content_audience_id)
       select $1, 'T', $1, $1 from generate_series(1, 100) returning id`,
      [as.id],
    );
    await stage.quietly(
      `insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, caption, width, height, size_bytes)
       select gen_random_uuid(), gen_random_uuid(), $1, e.id, n, $2, 1, 1, 1
       from unnest($3::uuid[]) e (id), generate_series(0, 19) n`,
      [as.id, longest(500), entries.map(({ id }) => id)],
    );
    return { path: `/api/pictures?${entries.map(({ id }) => `entry_id=${id}`).join("&")}`, as };
  },
  "/api/goals/{id}": async (stage) => {
    const { as, goal } = await checkedIn(stage);
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
  "/health/jobs": "names of scheduled jobs, which are part of the code",
  "/api/payment/prices": "prices that the operator has created at the processor",
  "/api/admin/jobs": "one for each scheduled job; a run returns short results",
  "/api/admin/drops/reconcile": "at most 100 differences, of an id and two numbers",
  "/api/user/account/erasure": "the organizations that one owns, with nothing but id and name",
  "/api/journal/imports/{id}": "at most 100 problems, each with a path and a sentence",
  "/api/users/{id}": "at most 500 organizations, with nothing but id and name",
  "/api/journal/{id}": "at most 20 pictures of an entry",
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
  "/api/workout-window/mosaic/{date}": "tests/api/workout-window/mosaics/mosaic.test.ts",
};
