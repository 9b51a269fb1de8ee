import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const RATES = "/api/admin/conversion/rates";
const root = beforeTests(() => api.person({ role: "super_admin" }));
const admin = beforeTests(() => api.person({ role: "admin" }));
const ada = beforeTests(() => api.person());
beforeEach(() => api.query`delete from nectar.conversion_rates where rate <> 1000`);

describe("conversion rates", () => {
  it("start with 1,000 tokens per drop, without a creator", async () => {
    const body = await api.get(RATES, admin).ok();
    expect(body.current).toMatchObject({ rate: 1000, created_by: null });
    expect(body).toEqual({ current: body.current, history: [body.current], next_cursor: null });
  });

  it("are set by a super admin, count immediately and keep a paged history, newest first", async () => {
    const set = async (rate: number) => {
      const body = await api.post(RATES, root, { rate }).created();
      expect(body.rate).toMatchObject({ rate, created_by: root.id });
      expect(body.rate.effective_date).toBe(body.rate.created_at);
      return body.rate;
    };
    const second = await set(750.125);
    const third = await set(0.0001);
    const { body } = await api.get(RATES, root);
    expect(body.current).toEqual(third);
    expect(body.history.map(({ rate }) => rate)).toEqual([0.0001, 750.125, 1000]);

    const first = (await api.get(`${RATES}?limit=2`, admin)).body;
    expect(first.history).toEqual([third, second]);
    const rest = (await api.get(`${RATES}?limit=2&cursor=${first.next_cursor}`, admin)).body;
    expect(rest.history).toMatchObject([{ rate: 1000 }]);
    expect(rest).toMatchObject({ current: third, next_cursor: null });
  });

  it("store the maximum exactly", async () => {
    const { body } = await api.post(RATES, root, { rate: 9_999_999_999.9999 });
    expect(body.rate.rate).toBe(9_999_999_999.9999);
  });

  it("are set once for one Idempotency-Key", async () => {
    const key = { "idempotency-key": randomUUID() };
    const first = await api.post(RATES, root, { rate: 5 }, key);
    const again = await api.post(RATES, root, { rate: 5 }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const { body } = await api.get(RATES, root);
    expect(body.history.filter(({ rate }) => rate === 5)).toHaveLength(1);
  });

  it.each([
    ["no rate", {}],
    ["0", { rate: 0 }],
    ["a negative rate", { rate: -1 }],
    ["text", { rate: "1000" }],
    ["a fifth place", { rate: 1.00001 }],
    ["less than the minimum", { rate: 0.00001 }],
    ["more than fits", { rate: 10_000_000_000 }],
    ["null", { rate: null }],
  ])("refuse %s", async (_, body) => {
    await api.post(RATES, root, body).refused(400, "request.invalid");
  });

  it("can be read by admins, and set by super admins only", async () => {
    await api.get(RATES, ada).refused(403);
    await api.get(RATES).refused(401);
    for (const person of [ada, admin]) expect((await api.post(RATES, person, { rate: 1 })).status).toBe(403);
    await api.post(RATES, undefined, { rate: 1 }).refused(401);
  });

  it("stay if the account that set them is deleted", async () => {
    const leaver = await api.person({ role: "super_admin" });
    const { body } = await api.post(RATES, leaver, { rate: 77 });
    await api.query`delete from auth.users where id = ${leaver.id}`;
    const { history } = (await api.get(RATES, root)).body;
    expect(history).toContainEqual({ ...body.rate, created_by: null });
  });
});
