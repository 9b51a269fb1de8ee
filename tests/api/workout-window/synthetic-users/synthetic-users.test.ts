import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";

const api = useApi();
const USERS = "/api/workout-window/admin/ai-users";
const GENERATE = `${USERS}/generate`;

let root: Person;
let ada: Person;
beforeAll(async () => {
  root = await api.person({ role: "super_admin" });
  ada = await api.person();
});

/** Each table that a synthetic user has rows in, with how many. */
async function rowsOf(id: string) {
  const tables = await api.query<{ name: string; column: string }>(
    `select distinct n.nspname || '.' || c.relname as name, a.attname as column
     from pg_catalog.pg_attribute a
     join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind = 'r'
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname in ('nectar', 'private')
     where a.attname in ('user_id', 'before_user_id', 'after_user_id') and not a.attisdropped
     union select 'auth.users', 'id' union select 'nectar.profiles', 'id'
     order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name, column } of tables) {
    const { n } = await api.one<{ n: number }>(`select count(*)::int as n from ${name} where ${column} = $1`, [id]);
    if (n > 0) counts[name] = n;
  }
  return counts;
}

function tally(users: readonly Record<string, unknown>[], field: string) {
  const counts: Record<string, number> = {};
  for (const user of users) counts[String(user[field])] = (counts[String(user[field])] ?? 0) + 1;
  return counts;
}

describe("POST /api/workout-window/admin/ai-users/generate", () => {
  it("creates the requested number by the default shares, each with account, profile, location and window", async () => {
    const { status, body } = await api.post(GENERATE, root, { count: 100 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ created: 100, failed: 0, errors: [] });
    expect(tally(body.users, "region")).toEqual({
      "West Coast": 25,
      "East Coast": 30,
      Midwest: 20,
      South: 15,
      "Mountain West": 10,
    });
    expect(tally(body.users, "activity_type")).toEqual({
      cardio: 30,
      strength: 25,
      walk: 20,
      meditation: 10,
      reading: 10,
      homework: 3,
      other: 2,
    });
    expect(tally(body.users, "window_start")).toEqual({
      "06:00": 15,
      "08:00": 10,
      "12:00": 20,
      "14:00": 15,
      "16:00": 25,
      "18:00": 15,
    });
    expect(tally(body.users, "check_in_probability")).toEqual({ "0.85": 100 });
    expect(tally(body.users, "is_active")).toEqual({ true: 100 });

    const [user] = body.users;
    expect(Object.keys(user).toSorted()).toEqual([
      "activity_type",
      "check_in_probability",
      "city",
      "full_name",
      "id",
      "is_active",
      "region",
      "state",
      "timezone",
      "window_end",
      "window_start",
    ]);
    const ids = body.users.map(({ id }: { id: string }) => id);
    const stored = await api.query(
      `select count(*)::int as people,
         count(*) filter (where p.is_ai and p.full_name = any ($2))::int as cards,
         count(*) filter (where a.drops_balance = 0 and a.email is null)::int as accounts,
         count(*) filter (where b.is_ai and not b.is_listed)::int as badges,
         count(*) filter (where w.away = '{}' and w.timezone = s.timezone and w.window_start_time = s.window_start
           and w.window_end_time = s.window_end and w.activity_type = s.activity_type
           and w.effective_from - (now() at time zone w.timezone)::date in (0, 1))::int as windows,
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
    expect(stored).toEqual([
      {
        people: 100,
        cards: 100,
        accounts: 100,
        badges: 100,
        windows: 100,
        places: 100,
        matched_by_city: 100,
        movements: 0,
      },
    ]);
  });

  it("creates accounts that cannot sign in", async () => {
    const { body } = await api.post(GENERATE, root, { count: 3 });
    const rows = await api.query(
      `select u.email, u.encrypted_password, to_jsonb(u) ->> 'instance_id' as instance, u.aud, u.role,
         (select count(*)::int from auth.identities i where i.user_id = u.id) as identities
       from auth.users u where u.id = any ($1)`,
      [body.users.map(({ id }: { id: string }) => id)],
    );
    const nothing = { email: null, encrypted_password: null, instance: null, aud: "", role: "", identities: 0 };
    expect(rows).toEqual([nothing, nothing, nothing]);
  });

  it("draws the same users from the same seed, and others from another seed or none", async () => {
    const made = async (config?: object) => {
      const { status, body } = await api.post(GENERATE, root, { count: 20, ...(config && { config }) });
      expect(status).toBe(201);
      return { seed: body.seed, people: body.users.map(({ id: _, ...rest }: { id: string }) => rest) };
    };
    const first = await made({ seed: "spring" });
    expect(first.seed).toBe("spring");
    expect(await made({ seed: "spring" })).toEqual(first);
    expect((await made({ seed: 7 })).people).toEqual((await made({ seed: "7" })).people);
    const [one, other] = [await made(), await made()];
    expect(one.seed).not.toBe(other.seed);
    expect(one.people).not.toEqual(other.people);
    expect((await made({ seed: one.seed })).people).toEqual(one.people);
  });

  it("uses the defaults for what the configuration leaves out", async () => {
    const { body } = await api.post(GENERATE, root, {
      count: 7,
      config: {
        regions: { South: 0.5, Midwest: 0.4995 },
        windows: { "6-8am": 1 },
        checkInProbability: 0.25,
      },
    });
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

  it("creates users once for one Idempotency-Key", async () => {
    const key = { "idempotency-key": randomUUID() };
    const first = await api.post(GENERATE, root, { count: 2 }, key);
    const again = await api.post(GENERATE, root, { count: 2 }, key);
    expect(again.body).toEqual(first.body);
    const row = await api.one("select count(*)::int as n from nectar.synthetic_users where seed = $1", [
      first.body.seed,
    ]);
    expect(row.n).toBe(2);
  });

  it("creates users once when the same Idempotency-Key arrives many times in parallel", async () => {
    const key = { "idempotency-key": randomUUID() };
    const order = { count: 3, config: { seed: `at once ${randomUUID()}` } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(GENERATE, root, order, key)));
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const made = await api.query("select from nectar.synthetic_users where seed = $1", [order.config.seed]);
    expect(made).toHaveLength(3);
  });

  it("creates and matches the users of several parallel requests", async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.post(GENERATE, root, { count: 25, config: { regions: { South: 1 } } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const ids = answers.flatMap(({ body }) => body.users.map(({ id }: { id: string }) => id));
    expect(new Set(ids).size).toBe(100);
    const matched = await api.query("select distinct user_id from nectar.chains where user_id = any ($1)", [ids]);
    expect(matched).toHaveLength(100);
  });

  it.each([
    [{}, ["count"]],
    [{ count: 0 }, ["count"]],
    [{ count: 1001 }, ["count"]],
    [{ count: 1.5 }, ["count"]],
    [{ count: "10" }, ["count"]],
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
    [{ count: 1, config: { checkInProbability: 1.1 } }, ["config.checkInProbability"]],
    [{ count: 1, config: { checkInProbability: -0.1 } }, ["config.checkInProbability"]],
    [{ count: 1, config: { seed: "" } }, ["config.seed"]],
    [{ count: 1, config: { seed: "x".repeat(101) } }, ["config.seed"]],
    [{ count: 1, config: [] }, ["config"]],
  ])("refuses %j: 400 about %j, and creates no one", async (order, paths) => {
    const [before] = await api.query("select count(*)::int as n from auth.users");
    const { status, body } = await api.post(GENERATE, root, order);
    expect([status, body.code]).toEqual([400, "request.invalid"]);
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(await api.query("select count(*)::int as n from auth.users")).toEqual([before]);
  });
});

describe("GET /api/workout-window/admin/ai-users", () => {
  it("lists all synthetic users and no one else, by pages", async () => {
    const { n } = await api.one<{ n: number }>("select count(*)::int as n from nectar.synthetic_users");
    await api.post(GENERATE, root, { count: 5, config: { seed: "list" } });
    const { status, body } = await api.get(USERS, root);
    expect([status, body.users.length, body.nextCursor]).toEqual([200, n + 5, null]);
    expect(body.users.some(({ id }: { id: string }) => id === ada.id)).toBe(false);
    const seen: string[] = [];
    let cursor: string | null = "";
    do {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await api.get(`${USERS}?limit=400${after}`, root);
      expect(page.body.users.length).toBeLessThanOrEqual(400);
      seen.push(...page.body.users.map(({ id }: { id: string }) => id));
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(body.users.map(({ id }: { id: string }) => id));
  });
});

describe("PUT /api/workout-window/admin/ai-users/:id/toggle", () => {
  it("deactivates and activates a user together with their window", async () => {
    const { body } = await api.post(GENERATE, root, { count: 1 });
    const [user] = body.users;
    const active = async () =>
      api.query(
        `select s.is_active, w.away = '{}' as window_active
         from nectar.synthetic_users s join nectar.workout_windows w on w.user_id = s.user_id where s.user_id = $1`,
        [user.id],
      );
    for (const isActive of [false, false, true]) {
      const toggled = await api.put(`${USERS}/${user.id}/toggle`, root, { isActive });
      expect([toggled.status, toggled.body]).toEqual([200, { user: { ...user, is_active: isActive } }]);
      expect(await active()).toEqual([{ is_active: isActive, window_active: isActive }]);
    }
  });

  it.each([{}, { isActive: "yes" }, { is_active: true }])("refuses %j", async (body) => {
    expect((await api.put(`${USERS}/${ada.id}/toggle`, root, body)).status).toBe(400);
  });

  it("is 404 for people and unknown ids, and 400 for an invalid id", async () => {
    for (const id of [ada.id, root.id, randomUUID(), "00000000-0000-4000-8000-000000000001"]) {
      const { status, body } = await api.put(`${USERS}/${id}/toggle`, root, { isActive: false });
      expect([status, body.code]).toEqual([404, "synthetic_user.not_found"]);
    }
    expect((await api.put(`${USERS}/x/toggle`, root, { isActive: false })).status).toBe(400);
  });
});

describe("DELETE /api/workout-window/admin/ai-users/:id", () => {
  it("deletes all their data and nothing of their neighbors", async () => {
    const { body } = await api.post(GENERATE, root, { count: 2 });
    const [one, other] = body.users;
    await api.query(
      `insert into nectar.chains (date, user_id, before_user_id, after_user_id, team_color, area_key, activity_type,
         timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
       select '2040-01-02', c.id, c.before, c.after, 'red', 'city:x', 'walk', 'UTC', '06:00', '08:00',
         '2040-01-02T06:00Z', '2040-01-02T08:00Z', '2040-01-03T00:00Z'
       from (values ($1::uuid, null::uuid, $2::uuid), ($2, $1, null)) c (id, before, after)`,
      [one.id, other.id],
    );
    await api.query(
      "insert into nectar.team_colors (user_id, week_start_date, color) values ($1, '2040-01-02', 'red')",
      [one.id],
    );
    expect(Object.keys(await rowsOf(one.id))).toEqual(
      expect.arrayContaining(["auth.users", "nectar.chains", "nectar.profiles", "nectar.synthetic_users"]),
    );
    const deleted = await api.delete(`${USERS}/${one.id}`, root);
    expect([deleted.status, Object.keys(deleted.body)]).toEqual([200, ["message"]]);
    expect(await rowsOf(one.id)).toEqual({});
    // Who came after is matched anew, with whoever is there.
    expect(
      await api.query(
        "select before_user_id = $2 as gone from nectar.chains where user_id = $1 and date = '2040-01-02'",
        [other.id, one.id],
      ),
    ).not.toMatchObject([{ gone: true }]);
    expect((await rowsOf(other.id))["nectar.chains"]).toBeGreaterThan(0);
    expect((await api.delete(`${USERS}/${one.id}`, root)).status).toBe(404);
    expect((await rowsOf(other.id))["nectar.synthetic_users"]).toBe(1);
  });

  it("never deletes a person or the system user", async () => {
    for (const id of [ada.id, root.id, randomUUID(), "00000000-0000-4000-8000-000000000001"]) {
      const { status, body } = await api.delete(`${USERS}/${id}`, root);
      expect([status, body.code]).toEqual([404, "synthetic_user.not_found"]);
    }
    expect(await api.query("select from auth.users where id = $1", [ada.id])).toHaveLength(1);
    expect(await api.query("select from auth.users where id = private.system_user_id()")).toHaveLength(1);
  });
});

describe("access", () => {
  it.each([
    ["POST", GENERATE, { count: 1 }],
    ["GET", USERS, undefined],
    ["DELETE", `${USERS}/00000000-0000-4000-8000-000000000009`, undefined],
    ["PUT", `${USERS}/00000000-0000-4000-8000-000000000009/toggle`, { isActive: true }],
    ["GET", "/api/workout-window/admin/teams/2026-11-21", undefined],
  ])("%s %s allows only super admins", async (method, path, body) => {
    const admin = await api.person({ role: "admin" });
    expect((await api.send(method, path, { body })).status).toBe(401);
    for (const as of [ada, admin]) {
      const answer = await api.send(method, path, { as, body });
      expect([answer.status, answer.body.code]).toEqual([403, "auth.forbidden"]);
    }
    expect((await api.send(method, path, { as: root, body })).status).not.toBe(403);
  });
});

describe("drops of synthetic users", () => {
  it("are not given: neither at sign-up nor monthly", async () => {
    const { body } = await api.post(GENERATE, root, { count: 1 });
    const ids = body.users.map(({ id }: { id: string }) => id);
    await api.query("select private.award_monthly_slice('2026-11-01', null, 100000)");
    expect(await api.query("select drops_balance from nectar.accounts where user_id = any ($1)", [ids])).toEqual([
      { drops_balance: 0 },
    ]);
    expect(await api.query("select drops_balance from nectar.accounts where user_id = $1", [ada.id])).toEqual([
      { drops_balance: 80 },
    ]);
  });
});
