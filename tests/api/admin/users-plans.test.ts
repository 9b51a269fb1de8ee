import { beforeAll, describe, expect, it } from "vitest";
import { UsersQuery } from "#functions/admin/schema";
import { listUsers } from "#functions/admin/users";
import { useApi } from "#tests/api";
import { createCrowd } from "#tests/crowd";
import { asSuperuser, type Person } from "#tests/people";
import { explainAs } from "../../database/plans/explained.ts";

const api = useApi();
const USERS = "/api/admin/users";
let admin: Person;
let ada: Person;

describe("the query of the list, with 3,000 users and 60,000 calls,", () => {
  beforeAll(async () => {
    admin = await api.person({ role: "admin" });
    ada = await api.person();
    await asSuperuser(api.adminUrl, (client) => createCrowd(client, 3_000));
    await api.query`insert into nectar.token_usage (user_id, usage_type, model, input_tokens, cost_usd, created_at)
      select p.id, 'tone_analysis', 'small', 1, 0.000001, now() - make_interval(days => n * 9)
      from nectar.profiles p cross join generate_series(0, 19) n`;
    await api.query`update nectar.profiles p set created_at = now() - random() * interval '1 year'`;
    await api.query`analyze nectar.profiles, nectar.accounts, nectar.user_roles, nectar.token_usage`;
  });

  it("reads the page by index, and only the calls of the people on it", async () => {
    const walks = await explainAs(api.adminUrl, "service", (tx) => listUsers(tx, UsersQuery.parse({}), new Date()));
    expect(walks.map(({ index }) => index)).toContain("profiles_newest_first");
    const ofCalls = walks.filter(({ table }) => table === "token_usage");
    expect(new Set(ofCalls.map(({ index }) => index))).toEqual(new Set(["token_usage_by_time"]));
    expect(ofCalls.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(51 * 20);
  });

  it("returns 500 users with their sums in one page", async () => {
    const { body } = await api.get(`${USERS}?limit=500`, admin);
    expect(body.users).toHaveLength(500);
    expect(body.total).toBe(3002);
  });

  it("reads only the rates of the month, even after a long history", async () => {
    await api.query`insert into nectar.conversion_rates (rate, effective_date)
      select 1000, timestamptz '2000-01-01' + make_interval(hours => n) from generate_series(1, 5000) n`;
    await api.query`analyze nectar.conversion_rates`;
    const { read } = await api.inTransaction(async ({ query, one }) => {
      await query`select u.* from (select id from nectar.profiles limit 50) p cross join lateral
        private.token_usage_monthly(p.id, extract(year from now())::int, extract(month from now())::int) u`;
      return one`select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
        where relname = 'conversion_rates'`;
    });
    expect(read).toBeLessThan(500);
  });

  it("finds a month of one user by index", async () => {
    const plan = await api.query`
      explain select sum(cost_usd) from nectar.token_usage
      where user_id = ${ada.id} and created_at >= date_trunc('month', now()) group by usage_type`;
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("token_usage_by_time");
  });
});
