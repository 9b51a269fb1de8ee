import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";
import { deliveryOf, notify, receivedLabels, subscribe, usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment });
const { deliver } = deliveryOf(api);
const ada = beforeEachTest(() => api.person());

const read = async () => (await api.get("/api/notifications/settings", ada).ok()).settings;
const update = async (body: object) => (await api.put("/api/notifications/settings", ada, body).ok()).settings;
const REMINDER = { time: "20:30", weekdays: [1, 3, 7], only_if_not_written: true };
const OFF_BY_DEFAULT = ["battle_progress", "weekly_stats", "team_message", "goal_update"];

describe("GET /api/notifications/settings", () => {
  it("lists every type, of which three are not pushed by default", async () => {
    const { push, quiet_hours, journal_reminder } = await read();
    const types = await api.query<{ type: string }>`
      select unnest(enum_range(null::nectar.notification_type))::text as type`;
    expect(push).toEqual(Object.fromEntries(types.map(({ type }) => [type, !OFF_BY_DEFAULT.includes(type)])));
    expect({ quiet_hours, journal_reminder }).toEqual({ quiet_hours: null, journal_reminder: null });
  });
});

describe("PUT /api/notifications/settings", () => {
  it("merges push, and leaves out nothing else", async () => {
    const { push: before } = await read();
    await update({ push: { drop_received: false, team_message: true } });
    const { push } = await update({ push: { drop_received: true, badge_earned: false } });
    expect(push).toEqual({ ...before, badge_earned: false, team_message: true });
    expect((await read()).push).toEqual(push);
  });

  it("leaves what is omitted, and null removes", async () => {
    const quiet_hours = { start: "22:00", end: "07:00" };
    await update({ quiet_hours, journal_reminder: REMINDER });
    await update({ push: {} });
    expect(await read()).toMatchObject({ quiet_hours, journal_reminder: REMINDER });
    expect(await update({ quiet_hours: null })).toMatchObject({ quiet_hours: null, journal_reminder: REMINDER });
    expect(await update({ journal_reminder: null })).toMatchObject({ quiet_hours: null, journal_reminder: null });
  });

  it("takes weekdays in any order and more than once", async () => {
    const { journal_reminder } = await update({ journal_reminder: { ...REMINDER, weekdays: [7, 1, 7] } });
    expect(journal_reminder).toEqual({ ...REMINDER, weekdays: [1, 7] });
  });

  it("changes the settings of the caller alone", async () => {
    const ben = await api.person();
    await update({ push: { drop_received: false }, quiet_hours: { start: "00:00", end: "00:01" } });
    expect((await api.get("/api/notifications/settings", ben).ok()).settings).toMatchObject({
      push: { drop_received: true },
      quiet_hours: null,
    });
  });

  it.each([
    ["an unknown type", { push: { sunset: true } }, "push"],
    ["an end at the start", { quiet_hours: { start: "22:00", end: "22:00" } }, "quiet_hours"],
    ["no end", { quiet_hours: { start: "22:00" } }, "quiet_hours.end"],
    ["an hour that no clock shows", { quiet_hours: { start: "22:00", end: "24:00" } }, "quiet_hours.end"],
    ["a time with seconds", { journal_reminder: { ...REMINDER, time: "20:30:00" } }, "journal_reminder.time"],
    ["half a reminder", { journal_reminder: { time: "20:30", weekdays: [1] } }, "journal_reminder.only_if_not_written"],
  ])("refuses %s", async (_, body, path) => {
    await api.put("/api/notifications/settings", ada, body).invalid(path);
  });

  it("keeps both of two changes at once", async () => {
    await Promise.all([update({ push: { drop_received: false } }), update({ push: { badge_earned: false } })]);
    expect((await read()).push).toMatchObject({ drop_received: false, badge_earned: false });
  });
});

describe("a type that is switched off", () => {
  const device = beforeEachTest(() => subscribe(api, service, ada));
  const labels = () => receivedLabels(service, device);

  it("is not pushed, but in the list", async () => {
    await update({ push: { drop_received: false } });
    await notify(api, ada);
    await deliver();
    expect(labels()).toEqual([]);
    expect((await api.get("/api/notifications", ada).ok()).unread_count).toBe(1);
  });

  it("is not pushed either if it was waiting already", async () => {
    await notify(api, ada);
    await update({ push: { drop_received: false } });
    await deliver();
    expect(labels()).toEqual([]);
  });

  it.each(OFF_BY_DEFAULT)("is %s by default", async (type) => {
    const send = (label: string) =>
      api.query`select private.notify(${ada.id}, ${type}, jsonb_build_object('drop_id', ${label}::text))`;
    await send("unwanted");
    await update({ push: { [type]: true } });
    await send("wanted");
    await deliver();
    expect(labels()).toEqual(["wanted"]);
  });
});
