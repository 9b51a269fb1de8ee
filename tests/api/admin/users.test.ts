import type { Tx } from "@nectar/database/database";
import { transactionOn } from "@nectar/database/transaction";
import { valueTypes } from "@nectar/database/value-types";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { UsersQuery } from "../../../functions/admin/schema.ts";
import { listUsers } from "../../../functions/admin/users.ts";
import { become } from "../../database/support/acting.ts";
import { useApi } from "../../support/api.ts";
import { asSuperuser, type Person } from "../../support/people.ts";

const api = useApi();
const USERS = "/api/admin/users";
let root: Person;
let admin: Person;
let ada: Person;
let robot: Person;
beforeAll(async () => {
  root = await api.person({ role: "super_admin", fullName: "Root" });
  admin = await api.person({ role: "admin", fullName: "Admin" });
  ada = await api.person({ fullName: "Ada 100%_Lovelace", email: "Countess@Example.test" });
  robot = await api.person({ fullName: "Robot" });
  await asSuperuser(api.adminUrl, async (client) => {
    await client.query("update nectar.profiles set is_ai = true where id = $1", [robot.id]);
    await client.query("update nectar.accounts set is_premium = true where user_id = $1", [ada.id]);
  });
});

async function idsOf(query: string): Promise<string[]> {
  const { status, body } = await api.get(`${USERS}?${query}`, admin);
  expect(status).toBe(200);
  return body.users.map(({ id }: { id: string }) => id);
}

describe("GET /api/admin/users", () => {
  it("shows nothing of the assistant's reserved person, and does not count it", async () => {
    const { body } = await api.get(USERS, admin);
    expect(body.total).toBe(4);
    expect(body.users).toHaveLength(4);
    for (const query of ["is_ai=true", "q=Nectar", "role=user", "limit=500"]) {
      expect(await idsOf(query), query).not.toContain("00000000-0000-4000-8000-000000000001");
    }
  });

  it("shows people, newest first, with balance and this month's usage by kind", async () => {
    await asSuperuser(api.adminUrl, (client) =>
      client.query(
        `insert into nectar.token_usage
           (user_id, usage_type, model, input_tokens, output_tokens, image_count, image_quality, cost_usd, created_at)
         values ($1, 'tone_analysis', 'small', 100, 200, 0, null, 0.000135, now()),
                ($1, 'tone_analysis', 'small', 1, 1, 0, null, 0.000001, now()),
                ($1, 'background_generation', 'image', 0, 0, 1, 'hd', 0.08, now()),
                ($1, 'tone_pack_image', 'image', 0, 0, 3, 'standard', 0.12, now()),
                ($1, 'assistant_drop', 'small', 10, 0, 0, null, 0.000002, now()),
                ($1, 'note_analysis', 'small', 0, 10, 0, null, 0.000006, now()),
                ($1, 'tone_analysis', 'small', 5000, 0, 0, null, 9, now() - interval '32 days'),
                ($2, 'tone_analysis', 'small', 7, 0, 0, null, 0.000001, now())`,
        [ada.id, robot.id],
      ),
    );
    const { status, body } = await api.get(USERS, admin);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 4, next_cursor: null });
    expect(body.users.map(({ id }: { id: string }) => id)).toEqual([robot.id, ada.id, admin.id, root.id]);
    const [, shown, empty] = body.users;
    expect(shown).toEqual({
      id: ada.id,
      email: "Countess@Example.test",
      full_name: "Ada 100%_Lovelace",
      avatar_url: null,
      is_ai: false,
      role: "user",
      is_premium: true,
      drops_balance: 50,
      created_at: shown.created_at,
      token_usage: {
        month: new Date().toISOString().slice(0, 7),
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
    expect(empty).toMatchObject({
      role: "admin",
      token_usage: {
        total_tokens: 0,
        total_cost_usd: 0,
        drops_equivalent: 0,
        breakdown: { tone: none, images: none, packs: none, assistant: none, analysis: none },
      },
    });
  });

  it("finds by part of a name or address, in any case and to the letter", async () => {
    expect(await idsOf("q=lovel")).toEqual([ada.id]);
    expect(await idsOf("q=COUNTESS%40")).toEqual([ada.id]);
    expect(await idsOf("q=100%25_")).toEqual([ada.id]);
    expect(await idsOf("q=100_Love")).toEqual([]);
    expect(await idsOf("q=%5C")).toEqual([]);
  });

  it("filters by kind of user and role, each with all the others", async () => {
    expect(await idsOf("is_ai=true")).toEqual([robot.id]);
    expect(await idsOf("is_ai=false")).toEqual([ada.id, admin.id, root.id]);
    expect(await idsOf("role=admin")).toEqual([admin.id]);
    expect(await idsOf("role=super_admin")).toEqual([root.id]);
    expect(await idsOf("role=user")).toEqual([robot.id, ada.id]);
    expect(await idsOf("role=user&is_ai=false&q=ada")).toEqual([ada.id]);
    expect(await idsOf("role=admin&is_ai=true")).toEqual([]);
  });

  it("counts somebody whose role was taken away as a user", async () => {
    await api.put(`${USERS}/${ada.id}/role`, root, { role: "admin" });
    expect(await idsOf("role=admin")).toEqual([ada.id, admin.id]);
    await api.put(`${USERS}/${ada.id}/role`, root, { role: "user" });
    expect(await idsOf("role=user")).toEqual([robot.id, ada.id]);
  });

  it("is paged, and every page knows how many there are", async () => {
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 4; page += 1) {
      const { body } = await api.get(`${USERS}?limit=1${cursor}`, admin);
      expect(body.total).toBe(4);
      seen.push(...body.users.map(({ id }: { id: string }) => id));
      cursor = `&cursor=${body.next_cursor}`;
      if (page === 3) expect(body.next_cursor).toBeNull();
    }
    expect(seen).toEqual([robot.id, ada.id, admin.id, root.id]);
    const nobody = (await api.get(`${USERS}?q=nobody-of-that-name`, admin)).body;
    expect(nobody).toEqual({ users: [], total: 0, next_cursor: null });
  });

  it("knows the total also on a page after the last person", async () => {
    const { body } = await api.get(`${USERS}?limit=3`, admin);
    await asSuperuser(api.adminUrl, (client) =>
      client.query("update nectar.profiles set created_at = now() where id = $1", [root.id]),
    );
    const after = await api.get(`${USERS}?limit=3&cursor=${body.next_cursor}`, admin);
    expect(after.body).toEqual({ users: [], total: 4, next_cursor: null });
  });

  it.each(["limit=0", "limit=x", "cursor=x", "role=owner", "is_ai=yes", "q="])("refuses ?%s", async (query) => {
    expect((await api.get(`${USERS}?${query}`, admin)).status).toBe(400);
  });

  it("is for admins alone", async () => {
    expect((await api.get(USERS, ada)).status).toBe(403);
    expect((await api.get(USERS)).status).toBe(401);
    expect((await api.get(USERS, root)).status).toBe(200);
  });
});

describe("the statement behind the page, with 3,000 people and 60,000 calls,", () => {
  beforeAll(async () => {
    await asSuperuser(api.adminUrl, async (client) => {
      await client.query(
        `insert into auth.users (id, email) select gen_random_uuid(), 'many' || n || '@example.test'
         from generate_series(1, 3000) n`,
      );
      await client.query(
        `insert into nectar.token_usage (user_id, usage_type, model, input_tokens, cost_usd, created_at)
         select p.id, 'tone_analysis', 'small', 1, 0.000001, now() - make_interval(days => n * 9)
         from nectar.profiles p cross join generate_series(0, 19) n`,
      );
      await client.query("update nectar.profiles p set created_at = now() - random() * interval '1 year'");
      await client.query("analyze nectar.profiles, nectar.accounts, nectar.user_roles, nectar.token_usage");
    });
  });

  it("is one, reads the page by index and never walks through the calls", async () => {
    const { texts, plans } = await explain((tx) => listUsers(tx, UsersQuery.parse({}), new Date()));
    expect(texts).toHaveLength(1);
    const plan = plans.join("\n");
    expect(plan).toContain("profiles_newest_first");
    expect(plan).not.toContain("Seq Scan on token_usage");
    expect(plan).toMatch(/Function Scan on token_usage_monthly u .*loops=51\)/);
  });

  it("answers 500 people with their sums at once", async () => {
    const { body } = await api.get(`${USERS}?limit=500`, admin);
    expect(body.users).toHaveLength(500);
    expect(body.total).toBe(3004);
  });

  it("reads the rates of the month alone, however long their history is", async () => {
    const { rows } = await asSuperuser(api.adminUrl, async (client) => {
      await client.query(
        `insert into nectar.conversion_rates (rate, effective_date)
         select 1000, timestamptz '2000-01-01' + make_interval(hours => n) from generate_series(1, 5000) n`,
      );
      await client.query("analyze nectar.conversion_rates");
      await client.query("begin");
      await client.query(
        `select u.* from (select id from nectar.profiles limit 50) p
         cross join lateral private.token_usage_monthly(p.id, extract(year from now())::int, extract(month from now())::int) u`,
      );
      return client.query(
        `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
         where relname = 'conversion_rates'`,
      );
    });
    expect(rows[0].read).toBeLessThan(500);
  });

  it("finds a month of one person among all by index", async () => {
    const plan = await asSuperuser(api.adminUrl, async (client) => {
      const { rows } = await client.query(
        `explain select sum(cost_usd) from nectar.token_usage
         where user_id = $1 and created_at >= date_trunc('month', now()) group by usage_type`,
        [ada.id],
      );
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    expect(plan).toContain("token_usage_by_month");
  });
});

/** Runs work as the service and returns each statement with its plan. */
async function explain(work: (tx: Tx) => Promise<unknown>): Promise<{ texts: string[]; plans: string[] }> {
  const client = new pg.Client({ connectionString: api.apiUrl, types: valueTypes });
  await client.connect();
  const texts: string[] = [];
  const plans: string[] = [];
  const query = client.query.bind(client);
  try {
    await query("begin");
    await become(client, "service");
    await query("select set_config('search_path', 'nectar', true)");
    client.query = new Proxy(client.query, {
      async apply(_target, _self, [text, values]: [string, unknown[]]) {
        const { rows } = await query(`explain (analyze) ${text}`, values);
        texts.push(text);
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
        return query(text, values);
      },
    });
    await work(transactionOn(client));
  } finally {
    await client.end();
  }
  return { texts, plans };
}
