import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const RATES = "/api/admin/conversion/rates";
const root = beforeTests(() => api.person({ role: "super_admin" }));
const admin = beforeTests(() => api.person({ role: "admin" }));
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
    const first = await api.get(`${RATES}?limit=2`, admin).ok();
    expect(first.history).toEqual([third, second]);
    const rest = await api.get(`${RATES}?limit=2&cursor=${first.next_cursor}`, admin).ok();
    expect(rest).toMatchObject({ current: third, history: [{ rate: 1000 }], next_cursor: null });
  });

  it("store the maximum exactly", async () => {
    const { body } = await api.post(RATES, root, { rate: 9_999_999_999.9999 });
    expect(body.rate.rate).toBe(9_999_999_999.9999);
  });

  it.each([1.00001, 0.00001])("refuse %s", async (rate) => {
    await api.post(RATES, root, { rate }).refused(400, "request.invalid");
  });

  it("stay if the account that set them is deleted", async () => {
    const leaver = await api.person({ role: "super_admin" });
    const { body } = await api.post(RATES, leaver, { rate: 77 });
    await api.query`delete from auth.users where id = ${leaver.id}`;
    const { history } = (await api.get(RATES, root)).body;
    expect(history).toContainEqual({ ...body.rate, created_by: null });
  });
});
