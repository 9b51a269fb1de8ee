import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const USERS = "/api/admin/users";
const root = beforeTests(() => api.person({ role: "super_admin", fullName: "Root" }));
const admin = beforeTests(() => api.person({ role: "admin", fullName: "Admin" }));
const ada = beforeTests(() => api.person({ fullName: "Ada 100%_Lovelace", email: "Countess@Example.test" }));
const robot = beforeTests(() => api.person({ fullName: "Robot" }));
beforeAll(async () => {
  await api.query`update nectar.profiles set is_ai = true where id = ${robot.id}`;
  await api.query`update nectar.accounts set is_premium = true where user_id = ${ada.id}`;
});

async function idsOf(query: string): Promise<string[]> {
  const body = await api.get(`${USERS}?${query}`, admin).ok();
  return body.users.map(({ id }) => id);
}

describe("GET /api/admin/users", () => {
  it("neither lists nor counts the system user", async () => {
    const { body } = await api.get(USERS, admin);
    expect(body.total).toBe(4);
    expect(body.users).toHaveLength(4);
    for (const query of ["is_ai=true", "q=Nectar", "role=user", "limit=500"]) {
      expect(await idsOf(query), query).not.toContain("00000000-0000-4000-8000-000000000001");
    }
  });

  it("lists users, newest first, with balance and this month's usage by kind", async () => {
    api.at("2031-05-18T12:00:00Z");
    await api.query`insert into nectar.token_usage
        (user_id, usage_type, model, input_tokens, output_tokens, image_count, image_quality, cost_usd, created_at)
      values (${ada.id}, 'tone_analysis', 'small', 100, 200, 0, null, 0.000135, '2031-05-18T12:00:00Z'),
             (${ada.id}, 'tone_analysis', 'small', 1, 1, 0, null, 0.000001, '2031-05-18T12:00:00Z'),
             (${ada.id}, 'background_generation', 'image', 0, 0, 1, 'hd', 0.08, '2031-05-18T12:00:00Z'),
             (${ada.id}, 'tone_pack_image', 'image', 0, 0, 3, 'standard', 0.12, '2031-05-18T12:00:00Z'),
             (${ada.id}, 'assistant_drop', 'small', 10, 0, 0, null, 0.000002, '2031-05-18T12:00:00Z'),
             (${ada.id}, 'note_analysis', 'small', 0, 10, 0, null, 0.000006, '2031-05-18T12:00:00Z'),
             (${ada.id}, 'tone_analysis', 'small', 5000, 0, 0, null, 9, '2031-04-16T12:00:00Z'),
             (${robot.id}, 'tone_analysis', 'small', 7, 0, 0, null, 0.000001, '2031-05-18T12:00:00Z')`;
    const body = await api.get(USERS, admin).ok();
    expect(body).toMatchObject({ total: 4, next_cursor: null });
    expect(body.users.map(({ id }) => id)).toEqual([robot.id, ada.id, admin.id, root.id]);
    const [, shown, empty] = body.users;
    expect(shown).toMatchObject({
      email: "Countess@Example.test",
      full_name: "Ada 100%_Lovelace",
      is_ai: false,
      role: "user",
      is_premium: true,
      drops_balance: 50,
      token_usage: {
        month: "2031-05",
        total_tokens: 322,
        total_cost_usd: 0.200144,
        drops_equivalent: 0.32,
        breakdown: {
          tone: { tokens: 302, cost_usd: 0.000136, count: 2 },
          images: { tokens: 0, cost_usd: 0.08, count: 1 },
          packs: { tokens: 0, cost_usd: 0.12, count: 1 },
          assistant: { tokens: 10, cost_usd: 0.000002, count: 1 },
          analysis: { tokens: 10, cost_usd: 0.000006, count: 1 },
        },
      },
    });
    const none = { tokens: 0, cost_usd: 0, count: 0 };
    const breakdown = { tone: none, images: none, packs: none, assistant: none, analysis: none };
    const nothing = { total_tokens: 0, total_cost_usd: 0, drops_equivalent: 0, breakdown };
    expect(empty).toMatchObject({ role: "admin", token_usage: nothing });
  });

  it("finds users by part of name or address, in upper or lower case, and takes wildcards literally", async () => {
    for (const query of ["lovel", "COUNTESS%40", "100%25_"]) expect(await idsOf(`q=${query}`)).toEqual([ada.id]);
    for (const query of ["100_Love", "%5C"]) expect(await idsOf(`q=${query}`)).toEqual([]);
  });

  it("combines filters by kind of user and role with the search", async () => {
    expect(await idsOf("is_ai=true")).toEqual([robot.id]);
    expect(await idsOf("is_ai=false")).toEqual([ada.id, admin.id, root.id]);
    expect(await idsOf("role=admin")).toEqual([admin.id]);
    expect(await idsOf("role=super_admin")).toEqual([root.id]);
    expect(await idsOf("role=user")).toEqual([robot.id, ada.id]);
    expect(await idsOf("role=user&is_ai=false&q=ada")).toEqual([ada.id]);
    expect(await idsOf("role=admin&is_ai=true")).toEqual([]);
  });

  it("lists someone whose role was removed as a user", async () => {
    await api.put(`${USERS}/${ada.id}/role`, root, { role: "admin" });
    expect(await idsOf("role=admin")).toEqual([ada.id, admin.id]);
    await api.put(`${USERS}/${ada.id}/role`, root, { role: "user" });
    expect(await idsOf("role=user")).toEqual([robot.id, ada.id]);
  });

  it("has the total on every page, also on an empty one", async () => {
    const empty = { users: [], total: 0, next_cursor: null };
    expect(await api.get(`${USERS}?q=no-such-name`, admin).ok()).toEqual(empty);
    const { body } = await api.get(`${USERS}?limit=3`, admin);
    expect([body.users.length, body.total]).toEqual([3, 4]);
    const { created_at } = await api.one`select created_at::text from nectar.profiles where id = ${root.id}`;
    await api.query`update nectar.profiles set created_at = now() where id = ${root.id}`;
    const after = await api.get(`${USERS}?limit=3&cursor=${body.next_cursor}`, admin);
    await api.query`update nectar.profiles set created_at = ${created_at} where id = ${root.id}`;
    expect(after.body).toEqual({ users: [], total: 4, next_cursor: null });
  });

  it.each(["role=owner", "is_ai=yes", "q="])("refuses ?%s", async (query) => {
    await api.get(`${USERS}?${query}`, admin).refused(400);
  });
});
