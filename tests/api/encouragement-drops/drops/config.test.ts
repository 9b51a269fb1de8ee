import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";
import { beforeTests } from "../../../support/prepare.ts";
import { ROOM, sendTo } from "../sending.ts";

const api = useApi();
const admin = beforeTests(() => api.person({ role: "admin" }));
const ada = beforeTests(() => api.person());
const bob = beforeTests(() => api.person());

const ADMIN = `${ROOM}/admin/templates`;

describe("the rules", () => {
  const DEFAULTS = {
    daily_allowance: 5,
    bonus_drops_per_engagement: 2,
    engagement_window_hours: 24,
    max_custom_drops_per_day: 3,
  };

  it("are read by everyone and updated by admins, one or several at a time", async () => {
    expect((await api.get(`${ROOM}/config`, ada)).body).toEqual({ config: DEFAULTS });
    expect((await api.get(`${ROOM}/admin/config`, admin)).body).toEqual({ config: DEFAULTS });
    await api.query`update nectar.encouragement_config set updated_at = '2020-01-01'`;
    const changed = await api.put(`${ROOM}/admin/config`, admin, { daily_allowance: 0, engagement_window_hours: 168 });
    const config = { ...DEFAULTS, daily_allowance: 0, engagement_window_hours: 168 };
    expect([changed.status, changed.body]).toEqual([200, { config }]);
    expect((await api.get(`${ROOM}/config`, ada)).body).toEqual({ config });
    expect(await api.query`select from nectar.encouragement_config where updated_at > '2020-01-01'`).toHaveLength(1);
    await api.put(`${ROOM}/admin/config`, admin, DEFAULTS);
  });

  it.each([
    ["nothing", {}, ""],
    ["a fraction", { daily_allowance: 1.5 }, "daily_allowance"],
    ["a negative number", { bonus_drops_per_engagement: -1 }, "bonus_drops_per_engagement"],
    ["more than a hundred a day", { daily_allowance: 101 }, "daily_allowance"],
    ["no window", { engagement_window_hours: 0 }, "engagement_window_hours"],
    ["more than a week", { engagement_window_hours: 169 }, "engagement_window_hours"],
    ["text", { max_custom_drops_per_day: "3" }, "max_custom_drops_per_day"],
    ["null", { max_custom_drops_per_day: null }, "max_custom_drops_per_day"],
  ])("are refused with %s", async (_, fields, path) => {
    const response = await api.put(`${ROOM}/admin/config`, admin, fields);
    expect([response.status, response.body.issues[0].path]).toEqual([400, path]);
    expect((await api.get(`${ROOM}/config`, ada)).body).toEqual({ config: DEFAULTS });
  });

  it("apply to the next drop at once, and not to drops that were already sent", async () => {
    const carl = await api.person();
    const windows = async () => {
      const rows = await api.query`select extract(epoch from engagement_until - created_at)::int / 3600 as hours
        from nectar.encouragement_drops where sender_id = ${carl.id} order by created_at, id`;
      return rows.map(({ hours }) => hours);
    };
    await api.put(`${ROOM}/admin/config`, admin, { daily_allowance: 1 });
    await sendTo(api, carl, bob).created();
    await sendTo(api, carl, bob).refused(429);
    await api.put(`${ROOM}/admin/config`, admin, { ...DEFAULTS, engagement_window_hours: 2 });
    await sendTo(api, carl, bob).created();
    expect(await windows()).toEqual([24, 2]);
    await api.put(`${ROOM}/admin/config`, admin, DEFAULTS);
  });
});

describe("admin routes", () => {
  const ROUTES: readonly [method: string, path: string, body?: object][] = [
    ["GET", ADMIN],
    ["POST", ADMIN, { type: "encouragement", title: "A draft", content: "Not yet" }],
    ["PUT", `${ADMIN}/${randomUUID()}`, { title: "Mine" }],
    ["DELETE", `${ADMIN}/${randomUUID()}`],
    ["GET", `${ROOM}/admin/config`],
    ["PUT", `${ROOM}/admin/config`, { daily_allowance: 100 }],
  ];
  it.each(ROUTES)("%s %s is 403 for users, and open to admins", async (method, path, body) => {
    const statusFor = async (as: Person) => (await api.send(method, path, { as, body })).status;
    expect(await statusFor(ada)).toBe(403);
    for (const person of [admin, await api.person({ role: "super_admin" })]) {
      expect(await statusFor(person)).toSatisfy((status: number) => status < 300 || status === 404);
    }
  });
});
