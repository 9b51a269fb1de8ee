import { describe, expect, test } from "vitest";
import { ActivePackResponse, PacksResponse } from "#functions/tone-packs/schema";
import { personNamed } from "#local/demo/data";
import { useDemoData } from "./use-demo-data.ts";

const demo = useDemoData();

describe("the demo data of money and models", () => {
  test("adds up, as the comparison of the ledger sees it", async () => {
    const [{ reconciliation } = {}] = await demo.rows<{ reconciliation: object }>(
      "select to_json(private.reconcile_drops()) as reconciliation",
    );
    expect(reconciliation).toMatchObject({ ok: true, differences: [] });
  });

  test("has transactions of every kind in the ledger, over several months", async () => {
    expect(await demo.count("nectar.drop_transactions")).toBeGreaterThan(40);
    expect(await demo.kinds("type", "nectar.drop_transactions")).toEqual([
      "admin_adjustment",
      "monthly_recurring",
      "purchase",
      "refund",
      "signup_bonus",
    ]);
    expect(await demo.count("(select distinct month from nectar.monthly_drop_awards) m")).toBeGreaterThanOrEqual(4);
    // The award of this month is left to collect.
    expect(await demo.count("nectar.monthly_drop_awards where month >= date_trunc('month', now(), 'UTC')")).toBe(0);
    expect(
      await demo.count("nectar.monthly_drop_awards a where (a.created_at at time zone 'UTC')::date <> a.month"),
    ).toBe(0);
    expect(await demo.count("nectar.tone_pack_purchases where refunded_at is not null")).toBe(1);
  });

  test("has a premium member with higher awards, and a former one", async () => {
    const rows = await demo.rows(
      `select a.email, s.status, a.is_premium,
         (select t.amount from nectar.drop_transactions t
          where t.user_id = a.user_id and t.type = 'monthly_recurring' order by t.created_at desc limit 1) as newest_award
       from nectar.subscriptions s join nectar.accounts a using (user_id) order by a.email`,
    );
    expect(rows).toEqual([
      { email: personNamed("maya").email, status: "active", is_premium: true, newest_award: 250 },
      { email: personNamed("priya").email, status: "canceled", is_premium: false, newest_award: expect.any(Number) },
    ]);
    expect(
      await demo.count(`nectar.monthly_drop_awards a join nectar.accounts c using (user_id)
        where c.email = '${personNamed("priya").email}' and a.amount = 250`),
    ).toBeGreaterThan(0);
  });

  test("has some detected moods, and the costs of the models in two months", async () => {
    expect(await demo.count("nectar.journal_entries where mood_source = 'ai'")).toBeGreaterThan(9);
    const contradictions = [
      `nectar.journal_entries e where (e.mood_source is not distinct from 'ai') <> exists (
         select from nectar.token_usage u where u.reference_id = e.id and u.usage_type = 'tone_analysis')`,
      "nectar.token_usage where created_at < date_trunc('month', now(), 'UTC') - interval '2 months'",
      "nectar.token_usage where cost_usd <= 0",
    ];
    for (const rows of contradictions) expect.soft(await demo.count(rows), rows).toBe(0);
    expect(
      await demo.count(`nectar.token_usage where created_at >= date_trunc('month', now(), 'UTC') - interval '1 month'
        and created_at < date_trunc('month', now(), 'UTC')`),
    ).toBeGreaterThan(0);
  });

  test("has a history of conversion rates", async () => {
    const rows = await demo.rows<{ rate: string }>("select rate from nectar.conversion_rates order by effective_date");
    expect(rows.map(({ rate }) => Number(rate))).toEqual([1000, 800, 1200]);
  });

  test("has a bought, active tone pack for the first demo account", async () => {
    const token = await demo.demoToken();
    const { own, shared, public: published, purchased } = await demo.get("/api/tone-packs", token, PacksResponse);
    expect([own, shared, published, purchased].map((section) => section.map(({ name }) => name))).toEqual([
      [],
      ["Trail Animals"],
      ["Four Strings", "Paper Weather"],
      ["Harbor Light"],
    ]);
    const active = await demo.get("/api/tone-packs/active?mood=Joyful", token, ActivePackResponse);
    expect(active.tone_pack).toMatchObject({ name: "Harbor Light", access: "purchased", price_drops: 40 });
  });
});
