import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";

const api = useApi();
const MONTH = "2031-05";
beforeAll(() => api.at(`${MONTH}-18T12:00:00Z`));

describe("GET /api/drops/balance", () => {
  it("returns the balance under both names, equal to the profile's", async () => {
    const ada = await api.person();
    expect(await api.get("/api/drops/balance", ada).ok()).toEqual({ balance: 50, drops_balance: 50 });
    expect((await api.get("/api/user/profile", ada)).body.profile.drops_balance).toBe(50);
  });
});

describe("GET /api/drops/transactions", () => {
  const book = (person: string, type: string, amount: number, event: string) =>
    api.query(
      "select private.post_drop_transaction($1, $2::nectar.drop_transaction_type, $3, $4, $4, $1, 'tone_pack')",
      [person, type, amount, event],
    );

  it("lists the caller's own transactions with every field, newest first", async () => {
    const [ada, ben] = [await api.person(), await api.person()];
    await book(ada.id, "purchase", -20, "a pack");
    await book(ben.id, "purchase", -10, "another pack");
    const pack = { item_id: ada.id, item_type: "tone_pack", description: "a pack" };
    const welcome = { item_id: null, item_type: null, description: "Welcome to Nectar" };
    expect((await api.get("/api/drops/transactions", ada).ok()).transactions).toMatchObject([
      { type: "purchase", amount: -20, balance_after: 30, ...pack },
      { type: "signup_bonus", amount: 50, balance_after: 50, ...welcome },
    ]);
  });

  it("lists those of one type", async () => {
    const ada = await api.person();
    await book(ada.id, "refund", 1, "a refund");
    await book(ada.id, "purchase", -1, "a purchase");
    for (const type of ["refund", "purchase"]) {
      expect((await api.get(`/api/drops/transactions?type=${type}`, ada).ok()).transactions).toMatchObject([{ type }]);
    }
    expect((await api.get("/api/drops/transactions?type=monthly_recurring", ada).ok()).transactions).toEqual([]);
    for (const type of ["gift", ""]) await api.get(`/api/drops/transactions?type=${type}`, ada).invalid("type");
  });
});

describe("POST /api/drops/award-monthly", () => {
  it("gives 30 drops once a month", async () => {
    const ada = await api.person();
    const body = await api.post("/api/drops/award-monthly", ada).ok();
    expect(body).toEqual({ awarded: true, amount: 30, balance: 80, month: MONTH });
    const again = await api.post("/api/drops/award-monthly", ada).ok();
    expect(again).toEqual({ awarded: false, amount: 0, balance: 80, month: MONTH });
    const { transactions } = (await api.get("/api/drops/transactions?type=monthly_recurring", ada)).body;
    expect(transactions).toMatchObject([{ amount: 30, balance_after: 80 }]);
  });

  it("gives premium users 250, and nothing more to a user who becomes premium later in the month", async () => {
    const [ada, ben] = [await api.person(), await api.person()];
    const upgrade = (id: string) => api.query`update nectar.accounts set is_premium = true where user_id = ${id}`;
    await upgrade(ada.id);
    expect((await api.post("/api/drops/award-monthly", ada)).body.balance).toBe(300);
    await api.post("/api/drops/award-monthly", ben);
    await upgrade(ben.id);
    expect((await api.post("/api/drops/award-monthly", ben)).body).toMatchObject({ awarded: false, balance: 80 });
  });

  it("gives again if the last award was for another month", async () => {
    const ada = await api.person();
    const awards = JSON.stringify([{ user_id: ada.id, amount: 30 }]);
    await api.query`select private.book_monthly_awards(${awards}, '2020-02-01')`;
    expect((await api.post("/api/drops/award-monthly", ada)).body).toMatchObject({ awarded: true, balance: 110 });
  });

  it("gives a synthetic user nothing", async () => {
    const ada = await api.person();
    await api.query`update nectar.profiles set is_ai = true where id = ${ada.id}`;
    expect((await api.post("/api/drops/award-monthly", ada)).body).toMatchObject({ awarded: false, balance: 50 });
  });

  it("gives one award to 64 requests at the same time", async () => {
    const times = LONG ? 1_000 : 10;
    for (let time = 0; time < times; time += 1) {
      const ada = await api.person();
      const responses = await Promise.all(Array.from({ length: 64 }, () => api.post("/api/drops/award-monthly", ada)));
      expect(responses.map(({ status }) => status)).toEqual(Array(64).fill(200));
      expect(responses.filter(({ body }) => body.awarded)).toHaveLength(1);
      expect(responses.every(({ body }) => body.balance === 80)).toBe(true);
    }
    const wrong = await api.query`select a.user_id from nectar.accounts a
        join (select user_id, sum(amount) as sum from nectar.drop_transactions group by user_id) t using (user_id)
        where a.drops_balance <> t.sum`;
    expect(wrong).toEqual([]);
  });
});
