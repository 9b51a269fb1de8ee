import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const USERS = "/api/workout-window/admin/ai-users";
const GENERATE = `${USERS}/generate`;
const SYSTEM_USER = "00000000-0000-4000-8000-000000000001";
const root = beforeTests(() => api.person({ role: "super_admin" }));
const ada = beforeTests(() => api.person());

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

describe("GET /api/workout-window/admin/ai-users", () => {
  it("lists all synthetic users and no one else", async () => {
    const { n } = await api.one<{ n: number }>`select count(*)::int as n from nectar.synthetic_users`;
    await api.post(GENERATE, root, { count: 5, config: { seed: "list" } });
    const { users, nextCursor } = await api.get(USERS, root).ok();
    expect([users.length, nextCursor]).toEqual([n + 5, null]);
    expect(users.map(({ id }) => id)).not.toContain(ada.id);
  });
});

describe("PUT /api/workout-window/admin/ai-users/:id/toggle", () => {
  it("deactivates and activates a user together with their window", async () => {
    const { body } = await api.post(GENERATE, root, { count: 1 });
    const [user] = body.users;
    const active = async () =>
      api.query`select s.is_active, w.away = '{}' as window_active
        from nectar.synthetic_users s join nectar.workout_windows w on w.user_id = s.user_id
          where s.user_id = ${user.id}`;
    for (const isActive of [false, false, true]) {
      const toggled = await api.put(`${USERS}/${user.id}/toggle`, root, { isActive }).ok();
      expect(toggled).toEqual({ user: { ...user, is_active: isActive } });
      expect(await active()).toEqual([{ is_active: isActive, window_active: isActive }]);
    }
  });

  it("is 404 for people and the system user", async () => {
    for (const id of [ada.id, root.id, SYSTEM_USER]) {
      await api.put(`${USERS}/${id}/toggle`, root, { isActive: false }).refused(404, "synthetic_user.not_found");
    }
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
    await api.query`insert into nectar.team_colors (user_id, week_start_date, color)
      values (${one.id}, '2040-01-02', 'red')`;
    expect(Object.keys(await rowsOf(one.id))).toEqual(
      expect.arrayContaining(["auth.users", "nectar.chains", "nectar.profiles", "nectar.synthetic_users"]),
    );
    await api.delete(`${USERS}/${one.id}`, root).ok();
    expect(await rowsOf(one.id)).toEqual({});
    // The next player is matched again with those who are there.
    const rows = await api.query`select before_user_id = ${one.id} as gone from nectar.chains
      where user_id = ${other.id} and date = '2040-01-02'`;
    expect(rows).not.toMatchObject([{ gone: true }]);
    expect((await rowsOf(other.id))["nectar.chains"]).toBeGreaterThan(0);
    await api.delete(`${USERS}/${one.id}`, root).refused(404);
    expect((await rowsOf(other.id))["nectar.synthetic_users"]).toBe(1);
  });

  it("never deletes a person or the system user", async () => {
    for (const id of [ada.id, root.id, SYSTEM_USER]) {
      await api.delete(`${USERS}/${id}`, root).refused(404, "synthetic_user.not_found");
    }
    expect(await api.query`select from auth.users where id = ${ada.id}`).toHaveLength(1);
    expect(await api.query`select from auth.users where id = private.system_user_id()`).toHaveLength(1);
  });
});

it("synthetic users are given no drops, neither at sign-up nor monthly", async () => {
  const { users } = await api.post(GENERATE, root, { count: 1 }).created();
  await api.query`select private.award_monthly_batch('2026-11-01', null, 100000)`;
  const balanceOf = (id = "") => api.one`select drops_balance as balance from nectar.accounts where user_id = ${id}`;
  expect([await balanceOf(users[0]?.id), await balanceOf(ada.id)]).toEqual([{ balance: 0 }, { balance: 80 }]);
});
