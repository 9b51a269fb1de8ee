import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({ environment: { MAINTENANCE_CRON_SECRET: SECRET } });
beforeEach(() => api.query`delete from auth.users where id <> private.system_user_id()`);
const ada = beforeEachTest(() => api.person());

const EVERY_DAY = { time: "20:00", weekdays: [1, 2, 3, 4, 5, 6, 7], only_if_not_written: false };
const remind = async (journal_reminder: object | null) =>
  (await api.put("/api/notifications/settings", ada, { journal_reminder }).ok()).settings;
const live = (timezone: string) => api.put("/api/user/profile", ada, { timezone }).ok();
const runJob = () => api.send("POST", "/api/notifications/cron/reminders", { headers: { "x-cron-secret": SECRET } });
/** Runs the job at moments, one after the other. @returns how many people each run reminded */
const runAt = async (...moments: readonly string[]) => {
  const reminded: unknown[] = [];
  for (const moment of moments) {
    api.at(moment);
    reminded.push((await runJob()).body.results?.reminded);
  }
  return reminded;
};
const dates = async () =>
  (
    await api.query<{ date: string }>`select data ->> 'date' as date from nectar.notifications
      where type = 'journal_reminder' order by date`
  ).map(({ date }) => date);

describe("the journal reminder", () => {
  it("comes at the first run at or after its time, and once on a date", async () => {
    await remind(EVERY_DAY);
    const moments = [
      "2027-05-03T19:59:59.999Z",
      "2027-05-03T20:00:00Z",
      "2027-05-03T20:05:00Z",
      "2027-05-03T23:55:00Z",
    ];
    expect(await runAt(...moments)).toEqual([0, 1, 0, 0]);
    expect(await runAt("2027-05-04T00:00:00Z", "2027-05-04T20:03:00Z", "2027-05-04T20:08:00Z")).toEqual([0, 1, 0]);
    const { notifications } = await api.get("/api/notifications", ada).ok();
    expect(notifications.map(({ type, title, data }) => ({ type, title, data }))).toEqual([
      { type: "journal_reminder", title: "Time to write", data: { date: "2027-05-04" } },
      { type: "journal_reminder", title: "Time to write", data: { date: "2027-05-03" } },
    ]);
  });

  it("does not come while the account is closing, and comes again after it was restored", async () => {
    await remind(EVERY_DAY);
    api.at("2027-05-03T12:00:00Z");
    await api.send("DELETE", "/api/user/account", { as: ada, body: { confirm: "DELETE" } }).ok();
    expect(await runAt("2027-05-03T20:00:00Z", "2027-05-04T20:00:00Z")).toEqual([0, 0]);
    await api.post("/api/user/account/restore", ada).ok();
    expect(await runAt("2027-05-05T20:00:00Z")).toEqual([1]);
  });

  it("comes on its weekdays, of which 1 is Monday", async () => {
    await remind({ ...EVERY_DAY, weekdays: [1, 7] });
    const week = Array.from({ length: 8 }, (_, day) => `2027-05-${String(3 + day).padStart(2, "0")}T20:00:00Z`);
    expect(await runAt(...week)).toEqual([1, 0, 0, 0, 0, 0, 1, 1]);
  });

  it("comes late on its date if runs were missed, and not on the next date", async () => {
    await remind(EVERY_DAY);
    expect(await runAt("2027-05-03T00:00:00Z", "2027-05-03T23:59:59Z")).toEqual([0, 1]);
    // No run on 4 May.
    expect(await runAt("2027-05-05T00:00:00Z", "2027-05-05T20:00:00Z")).toEqual([0, 1]);
    expect(await dates()).toEqual(["2027-05-03", "2027-05-05"]);
  });

  it("is not put off by a date that was missed if the first run comes after its time on the next", async () => {
    await remind(EVERY_DAY);
    expect(await runAt("2027-05-03T00:00:00Z", "2027-05-04T21:00:00Z", "2027-05-04T21:05:00Z")).toEqual([0, 1, 0]);
    expect(await dates()).toEqual(["2027-05-04"]);
  });

  it("follows the zone of the profile", async () => {
    await live("Asia/Kathmandu");
    await remind(EVERY_DAY);
    expect(await runAt("2027-05-03T14:10:00Z", "2027-05-03T14:15:00Z")).toEqual([0, 1]);
    await live("America/St_Johns");
    expect(await runAt("2027-05-03T22:30:00Z", "2027-05-04T22:25:00Z", "2027-05-04T22:30:00Z")).toEqual([0, 0, 1]);
    expect(await dates()).toEqual(["2027-05-03", "2027-05-04"]);
  });

  it("moves when it is changed, and a date that had one gets no second", async () => {
    await remind(EVERY_DAY);
    expect(await runAt("2027-05-03T12:00:00Z")).toEqual([0]);
    await remind({ ...EVERY_DAY, time: "14:00" });
    expect(await runAt("2027-05-03T13:55:00Z", "2027-05-03T14:00:00Z")).toEqual([0, 1]);
    await remind(null);
    await remind({ ...EVERY_DAY, time: "18:00" });
    expect(await runAt("2027-05-03T18:00:00Z", "2027-05-04T18:00:00Z")).toEqual([0, 1]);
  });

  it("does not come after it was removed", async () => {
    await remind(EVERY_DAY);
    expect(await runAt("2027-05-03T12:00:00Z")).toEqual([0]);
    await remind(null);
    expect(await runAt("2027-05-03T20:00:00Z")).toEqual([0]);
  });

  it("does not come for accounts without one, nor for people with other settings", async () => {
    await api.put("/api/notifications/settings", ada, { quiet_hours: { start: "22:00", end: "07:00" } }).ok();
    expect(await runAt("2027-05-03T20:00:00Z")).toEqual([0]);
  });
});

describe("only_if_not_written", () => {
  /** Creates an entry at a moment. */
  const write = async (moment: string) => {
    const { entry } = await api.post("/api/journal", ada, { title: "A walk", content: "To the lake" }).created();
    await api.query`update nectar.journal_entries set created_at = ${moment} where id = ${entry.id}`;
  };

  it("leaves out the local dates on which an entry was created", async () => {
    await live("America/New_York");
    await remind({ ...EVERY_DAY, only_if_not_written: true });
    // In New York it is the evening of 2 May, the first and the last minute of 3 May, and 5 May.
    await write("2027-05-03T03:59:59.999Z");
    expect(await runAt("2027-05-04T00:00:00Z")).toEqual([1]);
    await write("2027-05-04T04:00:00Z");
    expect(await runAt("2027-05-05T00:00:00Z", "2027-05-05T03:55:00Z")).toEqual([0, 0]);
    await write("2027-05-05T03:59:59.999Z");
    expect(await runAt("2027-05-06T00:00:00Z")).toEqual([1]);
    expect(await dates()).toEqual(["2027-05-03", "2027-05-05"]);
  });

  it("does not count entries of others", async () => {
    const ben = await api.person();
    await remind({ ...EVERY_DAY, only_if_not_written: true });
    await api.post("/api/journal", ben, { title: "A walk", content: "To the lake" }).created();
    await api.query`update nectar.journal_entries set created_at = '2027-05-03T12:00:00Z'`;
    expect(await runAt("2027-05-03T20:00:00Z")).toEqual([1]);
  });
});

describe("when the clocks change, the reminder comes once", () => {
  it.each([
    [
      "at a time that is skipped",
      "Europe/Berlin",
      "02:30",
      ["2027-03-28T00:55:00Z", "2027-03-28T01:00:00Z"],
      "2027-03-28",
    ],
    ["the first time of two", "Europe/Berlin", "02:30", ["2027-10-31T00:25:00Z", "2027-10-31T00:30:00Z"], "2027-10-31"],
    [
      "at a midnight that is skipped",
      "Asia/Beirut",
      "00:10",
      ["2027-03-27T21:55:00Z", "2027-03-27T22:00:00Z"],
      "2027-03-28",
    ],
    [
      "in a shift of half an hour",
      "Australia/Lord_Howe",
      "02:15",
      ["2027-10-02T15:25:00Z", "2027-10-02T15:30:00Z"],
      "2027-10-03",
    ],
    [
      "after the day that Samoa skipped",
      "Pacific/Apia",
      "09:00",
      ["2011-12-30T18:55:00Z", "2011-12-30T19:00:00Z"],
      "2011-12-31",
    ],
  ])("%s", async (_, zone, time, [before = "", at = ""], date) => {
    await live(zone);
    await remind({ ...EVERY_DAY, time });
    // A run before, so that the next time is planned across the change.
    await runAt(new Date(Date.parse(before) - 43_200_000).toISOString());
    const later = [1, 2, 3].map((hours) => new Date(Date.parse(at) + hours * 3_600_000).toISOString());
    expect(await runAt(before, at, ...later)).toEqual([0, 1, 0, 0, 0]);
    expect((await dates()).at(-1)).toBe(date);
  });

  it("also if the run at the first of two times was missed", async () => {
    await live("Europe/Berlin");
    await remind({ ...EVERY_DAY, time: "02:30" });
    await runAt("2027-10-30T20:00:00Z");
    expect(await runAt("2027-10-31T01:10:00Z", "2027-10-31T01:30:00Z")).toEqual([1, 0]);
  });
});

describe("the job", () => {
  it("reminds once when two run at once", async () => {
    await remind(EVERY_DAY);
    api.at("2027-05-03T20:00:00Z");
    await api.inTransaction(async ({ query }) => {
      await query`select private.remind_to_write('2027-05-03T20:00:00Z', 10)`;
      // It skips the row that the other has locked.
      expect((await runJob()).body.results).toEqual({ reminded: 0 });
      await query`commit`;
    });
    expect(await runAt("2027-05-03T20:05:00Z")).toEqual([0]);
    expect(await dates()).toEqual(["2027-05-03"]);
  });

  it("reminds after a run that died before it committed", async () => {
    await remind(EVERY_DAY);
    await api.inTransaction(({ query }) => query`select private.remind_to_write('2027-05-03T20:00:00Z', 10)`);
    expect(await runAt("2027-05-03T20:05:00Z")).toEqual([1]);
  });

  it("reminds people whose zone PostgreSQL does not know by UTC", async () => {
    await remind(EVERY_DAY);
    // As after a move to a PostgreSQL with older zones: a present one would refuse it.
    await api.query`alter table nectar.accounts disable trigger accounts__require_known_zone`;
    await api.query`update nectar.accounts set timezone = 'Mars/Olympus' where user_id = ${ada.id}`;
    expect(await runAt("2027-05-03T19:55:00Z", "2027-05-03T20:00:00Z")).toEqual([0, 1]);
  });
});
