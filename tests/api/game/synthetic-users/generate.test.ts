import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const USERS = "/api/workout-window/admin/ai-users";
const GENERATE = `${USERS}/generate`;
const root = beforeTests(() => api.person({ role: "super_admin" }));

function tally(users: readonly Record<string, unknown>[], field: string) {
  const counts: Record<string, number> = {};
  for (const user of users) counts[String(user[field])] = (counts[String(user[field])] ?? 0) + 1;
  return counts;
}

describe("POST /api/workout-window/admin/ai-users/generate", () => {
  it("creates the requested number by the default shares, each with account, profile, location and window", async () => {
    api.at("2031-05-18T12:00:00Z");
    const body = await api.post(GENERATE, root, { count: 100 }).created();
    expect(body).toMatchObject({ created: 100, failed: 0, errors: [] });
    const regions = { "West Coast": 25, "East Coast": 30, Midwest: 20, South: 15, "Mountain West": 10 };
    expect(tally(body.users, "region")).toEqual(regions);
    const activities = { cardio: 30, strength: 25, walk: 20, meditation: 10, reading: 10, homework: 3, other: 2 };
    expect(tally(body.users, "activity_type")).toEqual(activities);
    const windows = { "06:00": 15, "08:00": 10, "12:00": 20, "14:00": 15, "16:00": 25, "18:00": 15 };
    expect(tally(body.users, "window_start")).toEqual(windows);
    expect(tally(body.users, "check_in_probability")).toEqual({ "0.85": 100 });
    expect(tally(body.users, "is_active")).toEqual({ true: 100 });

    const ids = body.users.map(({ id }) => id);
    const stored = await api.query(
      `select count(*)::int as people,
         count(*) filter (where p.is_ai and p.full_name = any ($2))::int as cards,
         count(*) filter (where a.drops_balance = 0 and a.email is null)::int as accounts,
         count(*) filter (where b.is_ai and not b.is_listed)::int as badges,
         count(*) filter (where w.away = '{}' and w.timezone = s.timezone and w.window_start_time = s.window_start
           and w.window_end_time = s.window_end and w.activity_type = s.activity_type
           and w.effective_from in ('2031-05-18', '2031-05-19'))::int as windows,
         count(*) filter (where l.latitude is not null and l.longitude is not null and l.city = s.city
           and l.region = s.state and l.country = 'US' and l.timezone = s.timezone)::int as places,
         count(*) filter (where q.area_key = 'city:' || lower(s.timezone) || ':' || lower(s.city))::int as matched_by_city,
         count(t.user_id)::int as movements
       from nectar.synthetic_users s
       join nectar.profiles p on p.id = s.user_id
       join nectar.accounts a on a.user_id = s.user_id
       join nectar.user_badges b on b.user_id = s.user_id
       join nectar.workout_windows w on w.user_id = s.user_id
       join nectar.user_locations l on l.user_id = s.user_id
       join private.player_areas q on q.user_id = s.user_id
       left join nectar.drop_transactions t on t.user_id = s.user_id
       where s.user_id = any ($1)`,
      [ids, body.users.map(({ full_name }) => full_name)],
    );
    const rows = { people: 100, cards: 100, accounts: 100, badges: 100, windows: 100, places: 100 };
    expect(stored).toEqual([{ ...rows, matched_by_city: 100, movements: 0 }]);
  });

  it("creates accounts that cannot sign in", async () => {
    const { body } = await api.post(GENERATE, root, { count: 3 });
    const rows = await api.query(
      `select u.email, u.encrypted_password, to_jsonb(u) ->> 'instance_id' as instance, u.aud, u.role,
         (select count(*)::int from auth.identities i where i.user_id = u.id) as identities
       from auth.users u where u.id = any ($1)`,
      [body.users.map(({ id }) => id)],
    );
    const nothing = { email: null, encrypted_password: null, instance: null, aud: "", role: "", identities: 0 };
    expect(rows).toEqual([nothing, nothing, nothing]);
  });

  it("draws the same users from the same seed, which is a new one by default", async () => {
    const made = async (config?: object) => {
      const { seed, users } = await api.post(GENERATE, root, { count: 20, ...(config && { config }) }).created();
      return { seed, people: users.map(({ id: _, ...rest }) => rest) };
    };
    const first = await made({ seed: "spring" });
    expect(first.seed).toBe("spring");
    expect(await made({ seed: "spring" })).toEqual(first);
    const [one, other] = [await made(), await made()];
    expect(one.seed).not.toBe(other.seed);
    expect((await made({ seed: one.seed })).people).toEqual(one.people);
  });

  it("uses the defaults for what the configuration leaves out", async () => {
    const config = { regions: { South: 0.5, Midwest: 0.4995 }, windows: { "6-8am": 1 }, checkInProbability: 0.25 };
    const { body } = await api.post(GENERATE, root, { count: 7, config });
    expect(tally(body.users, "region")).toEqual({ South: 4, Midwest: 3 });
    expect(tally(body.users, "window_start")).toEqual({ "06:00": 7 });
    expect(tally(body.users, "check_in_probability")).toEqual({ "0.25": 7 });
    expect(tally(body.users, "activity_type")).toEqual({ cardio: 2, strength: 2, walk: 1, meditation: 1, reading: 1 });
  });

  it("creates 1,000 users with one statement per table", async () => {
    const { status, body } = await api.post(GENERATE, root, { count: 1000 });
    expect([status, body.created, body.users.length]).toEqual([201, 1000, 1000]);
    expect(tally(body.users, "region")).toMatchObject({ "East Coast": 300, "Mountain West": 100 });
  });

  it("creates and matches the users of several parallel requests", async () => {
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => api.post(GENERATE, root, { count: 25, config: { regions: { South: 1 } } })),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const ids = responses.flatMap(({ body }) => body.users.map(({ id }) => id));
    expect(new Set(ids).size).toBe(100);
    const matched = await api.query`select distinct user_id from nectar.chains where user_id = any (${ids})`;
    expect(matched).toHaveLength(100);
  });

  it.each([
    [{ count: 1, config: { surprise: 1 } }, ["config"]],
    [{ count: 1, config: { regions: { Atlantis: 1 } } }, ["config.regions", "config.regions"]],
    [{ count: 1, config: { regions: { South: 0.998 } } }, ["config.regions"]],
    [{ count: 1, config: { regions: {} } }, ["config.regions"]],
    [{ count: 1, config: { activities: { walk: 1.01 } } }, ["config.activities.walk", "config.activities"]],
    [
      { count: 1, config: { activities: { walk: 2, cardio: -1 } } },
      ["config.activities.walk", "config.activities.cardio"],
    ],
    [{ count: 1, config: { windows: { "6-8am": "all" } } }, ["config.windows.6-8am"]],
  ])("refuses %j: 400 about %j, and creates no one", async (order, paths) => {
    const [before] = await api.query`select count(*)::int as n from auth.users`;
    await api.post(GENERATE, root, order).invalid(...paths);
    expect(await api.query`select count(*)::int as n from auth.users`).toEqual([before]);
  });
});
