import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { ROOM, sendTo } from "../sending.ts";

const api = useApi();
const admin = beforeTests(() => api.person({ role: "admin" }));
const ada = beforeTests(() => api.person());
const bob = beforeTests(() => api.person());

describe("the rules", () => {
  const DEFAULTS = {
    daily_allowance: 5,
    bonus_drops_per_engagement: 2,
    engagement_window_hours: 24,
    max_custom_drops_per_day: 3,
  };

  it("are read by everyone and updated by admins, one or several at a time", async () => {
    expect(await api.get(`${ROOM}/config`, ada).ok()).toEqual({ config: DEFAULTS });
    expect(await api.get(`${ROOM}/admin/config`, admin).ok()).toEqual({ config: DEFAULTS });
    await api.query`update nectar.encouragement_config set updated_at = '2020-01-01'`;
    const changes = { daily_allowance: 0, engagement_window_hours: 168 };
    const changed = await api.put(`${ROOM}/admin/config`, admin, changes).ok();
    expect(changed).toEqual({ config: { ...DEFAULTS, ...changes } });
    expect(await api.get(`${ROOM}/config`, ada).ok()).toEqual(changed);
    expect(await api.query`select from nectar.encouragement_config where updated_at > '2020-01-01'`).toHaveLength(1);
    await api.put(`${ROOM}/admin/config`, admin, DEFAULTS);
  });

  it("apply to the next drop at once, and not to drops that were already sent", async () => {
    const carl = await api.person();
    await api.put(`${ROOM}/admin/config`, admin, { daily_allowance: 1 });
    await sendTo(api, carl, bob).created();
    await sendTo(api, carl, bob).refused(429);
    await api.put(`${ROOM}/admin/config`, admin, { ...DEFAULTS, engagement_window_hours: 2 });
    await sendTo(api, carl, bob).created();
    const windows = await api.query`select extract(epoch from engagement_until - created_at)::int / 3600 as hours
      from nectar.encouragement_drops where sender_id = ${carl.id} order by created_at, id`;
    expect(windows).toEqual([{ hours: 24 }, { hours: 2 }]);
    await api.put(`${ROOM}/admin/config`, admin, DEFAULTS);
  });
});
