import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import { asSuperuser, type Person } from "../../../support/people.ts";
import { CRON_SECRET, GAME, gameOf } from "../chain-scene.ts";
import { checkIn, crowd, playDay } from "../game-days.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const game = gameOf(api);
const DATE = "2026-11-18";
const scheduler = { "x-cron-secret": CRON_SECRET };
let ada: Person;
let ben: Person;
let cleo: Person;
let admin: Person;
let superAdmin: Person;

beforeAll(async () => {
  admin = await api.person({ role: "admin" });
  superAdmin = await api.person({ role: "super_admin" });
});
beforeEach(async () => {
  await api.query(
    `truncate nectar.battles, nectar.workout_checkins, nectar.chains, nectar.weekly_workout_stats,
       private.game_notices, nectar.notifications cascade`,
  );
  [ada, ben, cleo] = [await api.person(), await api.person(), await api.person()];
});

const run = (job: string) => api.post(`${GAME}/cron/${job}`, undefined, undefined, scheduler);
const told = (type: string) =>
  api.query<{ body: string; data: { date: string } }>(
    "select user_id, title, body, data from nectar.notifications where type::text = $1 order by user_id, data",
    [type],
  );
const closed = () =>
  api.query("select user_id, date::text from nectar.chains where closed_at is not null order by date");
const nothing = { closed: 0, completed: 0, pending: 0, failed: 0, notified: 0, errors: [] };

/** While it works, the next notification breaks off the connection's transaction as a process that dies would. */
async function brokenOff(work: () => Promise<void>): Promise<void> {
  await api.query(`create function private.break_off() returns trigger language plpgsql as
    $$ begin raise exception 'broken off' using errcode = '57P01'; end $$`);
  await api.query(`create trigger break_off after insert on nectar.notifications
    for each statement execute function private.break_off()`);
  try {
    await work();
  } finally {
    await api.query("drop trigger break_off on nectar.notifications");
    await api.query("drop function private.break_off");
  }
}

describe.each(["end-of-day", "reminders", "weekly-stats"])("POST cron/%s", (job) => {
  it("does nothing if no one plays", async () => {
    api.at(`${DATE}T12:00:00Z`);
    expect((await run(job)).body).toMatchObject({ success: true, message: "done" });
    expect(await api.query("select from nectar.notifications")).toEqual([]);
  });
});

describe("POST cron/end-of-day", () => {
  it("ends a day when the local day on which its window ended is over, not before", async () => {
    // Noon in New York is five hours after noon in UTC; its day ends at 05:00 UTC.
    await playDay(api, {
      person: ada,
      date: DATE,
      team: "red",
      startsAt: `${DATE}T17:00:00Z`,
      timezone: "America/New_York",
      status: "verified",
    });
    // Over midnight: the window of the 18th ends on the 19th, and so its day ends with the 19th.
    await playDay(api, { person: ben, date: DATE, team: "red", startsAt: `${DATE}T23:00:00Z`, status: "pending" });
    await playDay(api, { person: cleo, date: DATE, team: "blue" });
    api.at("2026-11-18T23:59:59.999Z");
    expect((await run("end-of-day")).body.results).toEqual(nothing);
    api.at("2026-11-19T00:00:00Z");
    expect((await run("end-of-day")).body.results).toEqual({ ...nothing, closed: 1, failed: 1 });
    api.at("2026-11-19T04:59:59.999Z");
    expect((await run("end-of-day")).body.results).toEqual(nothing);
    api.at("2026-11-19T05:00:00Z");
    expect((await run("end-of-day")).body.results).toEqual({ ...nothing, closed: 1, completed: 1 });
    api.at("2026-11-20T00:00:00Z");
    expect((await run("end-of-day")).body.results).toEqual({ ...nothing, closed: 1, pending: 1 });
    expect(await closed()).toHaveLength(3);
    expect((await run("end-of-day")).body.results).toEqual(nothing);
  });

  it("shows a day as failed everywhere if it ends before the grace of its window", async () => {
    await playDay(api, { person: ada, date: DATE, team: "red", startsAt: `${DATE}T21:50:00Z` });
    const shown = async () => {
      const [own, all, teams, members] = [
        (await api.get(`${GAME}/checkin/${DATE}`, ada)).body,
        (await api.get(`${GAME}/checkins/${DATE}`, ada)).body,
        (await api.get(`${GAME}/team-stats/${DATE}`, ada)).body,
        (await api.get(`${GAME}/admin/teams/${DATE}`, superAdmin)).body,
      ];
      return {
        own: own.status,
        all: all.stats.failed,
        teams: teams.redTeam.failed,
        members: members.redTeam.members[0].status,
      };
    };
    api.at("2026-11-18T23:59:59.999Z");
    expect(await shown()).toEqual({ own: "pending", all: 0, teams: 0, members: "pending" });
    // A photo is refused from now on, although the grace of the window lasts until 00:05.
    api.at("2026-11-19T00:00:00Z");
    expect(await shown()).toEqual({ own: "failed", all: 1, teams: 1, members: "failed" });
    expect((await run("end-of-day")).body.results).toMatchObject({ closed: 1, failed: 1 });
  });

  it.each([
    ["nothing", undefined, true],
    ["a rejected check-in", "rejected", true],
    ["a check-in under review", "pending", false],
    ["a verified check-in", "verified", false],
  ] as const)("after %s: status %s, next player notified: %s", async (_, status, isTold) => {
    await playDay(api, {
      person: ada,
      date: DATE,
      team: "red",
      after: ben,
      ...(status === undefined ? {} : { status }),
    });
    api.at("2026-11-19T00:00:00Z");
    expect((await run("end-of-day")).body.results?.notified).toBe(isTold ? 1 : 0);
    expect(await told("chain_broken")).toEqual(
      isTold
        ? [
            {
              user_id: ben.id,
              title: "Your chain broke",
              body: "The person before you has no valid check-in.",
              data: { date: DATE },
            },
          ]
        : [],
    );
  });

  it("notifies each player who checked in of the score, once, without a push", async () => {
    await api.query(
      `insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
       values ($1::uuid, 'https://push.example.test/' || $1, repeat('A', 87), repeat('A', 22))`,
      [ada.id],
    );
    await playDay(api, { person: ada, date: DATE, team: "red", status: "verified", chips: 3 });
    await playDay(api, { person: ben, date: DATE, team: "blue", status: "verified", chips: 2 });
    await playDay(api, { person: cleo, date: DATE, team: "blue", status: "pending", chips: 4 });
    await api.query("update nectar.profiles set is_ai = true where id = $1", [ben.id]);
    api.at("2026-11-19T00:00:00Z");
    await Promise.all([run("end-of-day"), run("end-of-day")]);
    await run("end-of-day");
    const data = {
      date: DATE,
      week_start_date: "2026-11-16",
      team_color: "red",
      red_team_chips: 3,
      blue_team_chips: 2,
    };
    expect(await told("battle_progress")).toEqual([
      {
        user_id: ada.id,
        title: "How the battle stands",
        body: "The red team has 3 chips and the blue team 2.",
        data,
      },
    ]);
    expect(await api.query("select from private.push_deliveries")).toEqual([]);
  });

  it("sends no score of a completed battle", async () => {
    await playDay(api, { person: ada, date: DATE, team: "red", status: "verified" });
    await api.post(`${GAME}/battle/execute/2026-11-16`, admin);
    api.at("2026-11-19T00:00:00Z");
    expect((await run("end-of-day")).body.results).toMatchObject({ closed: 1, completed: 1 });
    expect(await told("battle_progress")).toEqual([]);
  });

  it("leaves a day whose check-in is being written to the next run, which counts it", async () => {
    await playDay(api, { person: ada, date: DATE, team: "red", after: ben });
    api.at("2026-11-19T00:00:00Z");
    await asSuperuser(api.adminUrl, async (client) => {
      await client.query("begin");
      await client.query("select from nectar.chains where user_id = $1 for share", [ada.id]);
      expect((await run("end-of-day")).body.results).toEqual(nothing);
      await client.query(
        `insert into nectar.workout_checkins (
           user_id, date, activity_type, status, chain_status, team_color, battle_week_start, verified_at
         ) values ($1, $2, 'walk', 'verified', 'continued', 'red', '2026-11-16', now())`,
        [ada.id, DATE],
      );
      await client.query("commit");
    });
    expect((await run("end-of-day")).body.results).toEqual({ ...nothing, closed: 1, completed: 1 });
    expect(await told("chain_broken")).toEqual([]);
  });

  it("notifies no synthetic user, and no one who was already notified", async () => {
    await api.query("update nectar.profiles set is_ai = true where id = $1", [ben.id]);
    await playDay(api, { person: ada, date: DATE, team: "red", after: ben });
    await playDay(api, { person: ben, date: DATE, team: "red", after: cleo });
    await api.query("insert into private.game_notices (user_id, date, kind) values ($1, $2, 'chain_broken')", [
      cleo.id,
      DATE,
    ]);
    api.at("2026-11-19T00:00:00Z");
    expect((await run("end-of-day")).body.results).toEqual({ ...nothing, closed: 2, failed: 2 });
    expect(await told("chain_broken")).toEqual([]);
  });

  it("has one result when it runs in parallel or again after a failure", async () => {
    await playDay(api, { person: ada, date: DATE, team: "red", after: ben });
    await playDay(api, { person: ben, date: DATE, team: "red", after: cleo });
    api.at("2026-11-19T00:00:00Z");
    await brokenOff(async () => {
      expect((await run("end-of-day")).status).toBe(503);
      expect(await closed()).toEqual([]);
      expect(await api.query("select from private.game_notices")).toEqual([]);
    });
    const answers = await Promise.all(Array.from({ length: 6 }, () => run("end-of-day")));
    expect(answers.every(({ status, body }) => status === 200 && body.success)).toBe(true);
    expect(await closed()).toHaveLength(2);
    expect(await told("chain_broken")).toHaveLength(2);
  });

  it("keeps committed slices when it fails, and the next run does the rest", async () => {
    await crowd(api, 6_000, DATE);
    await api.query(
      `update nectar.chains c set after_user_id = n.next
       from (select user_id, lead(user_id) over (order by user_id) as next from nectar.chains) n
       where n.user_id = c.user_id`,
    );
    api.at("2026-11-19T00:00:00Z");
    // The second slice finds that the first one has told people.
    await api.query(`create function private.break_off() returns trigger language plpgsql as $$ begin
      if (select count(*) from nectar.notifications) > 5000 then
        raise exception 'broken off' using errcode = '57P01';
      end if;
      return null;
    end $$`);
    await api.query(`create trigger break_off after insert on nectar.notifications
      for each statement execute function private.break_off()`);
    expect((await run("end-of-day")).status).toBe(503);
    await api.query("drop trigger break_off on nectar.notifications");
    await api.query("drop function private.break_off");
    expect(await closed()).toHaveLength(5_000);
    expect((await run("end-of-day")).body.results).toMatchObject({ closed: 1_000, failed: 1_000 });
    const { people, messages } = await api.one(
      "select count(distinct user_id)::integer as people, count(*)::integer as messages from nectar.notifications",
    );
    expect([people, messages]).toEqual([5_999, 5_999]);
  });

  it("deletes notices after 30 days", async () => {
    await api.query(
      "insert into private.game_notices (user_id, date, kind) values ($1, '2026-10-18', 'chain_broken'), ($1, '2026-10-20', 'chain_broken')",
      [ada.id],
    );
    api.at("2026-11-18T00:00:00Z");
    await run("end-of-day");
    expect(await api.query("select date::text from private.game_notices")).toEqual([{ date: "2026-10-20" }]);
  });
});

describe("POST cron/reminders", () => {
  const reminded = async () => (await run("reminders")).body.results?.reminded;

  it("reminds once in the half hour before the window opens", async () => {
    await playDay(api, {
      person: ada,
      date: DATE,
      team: "red",
      startsAt: `${DATE}T11:00:00Z`,
      timezone: "Europe/Berlin",
    });
    api.at(`${DATE}T10:29:59.999Z`);
    expect(await reminded()).toBe(0);
    api.at(`${DATE}T10:30:00Z`);
    expect(await reminded()).toBe(1);
    api.at(`${DATE}T10:35:00Z`);
    expect(await reminded()).toBe(0);
    expect(await told("checkin_reminder")).toEqual([
      { user_id: ada.id, title: "Your window opens soon", body: "It opens at 12:00.", data: { date: DATE } },
    ]);
  });

  it("does not remind once the window is open, but does a millisecond before", async () => {
    await playDay(api, { person: ada, date: DATE, team: "red" });
    api.at(`${DATE}T12:00:00Z`);
    expect(await reminded()).toBe(0);
    api.at(`${DATE}T11:59:59.999Z`);
    expect(await reminded()).toBe(1);
  });

  it("leaves out synthetic users and players who have checked in during the grace", async () => {
    await playDay(api, { person: ada, date: DATE, team: "red", status: "verified" });
    await playDay(api, { person: ben, date: DATE, team: "red" });
    await api.query("update nectar.profiles set is_ai = true where id = $1", [ben.id]);
    api.at(`${DATE}T11:50:00Z`);
    expect(await reminded()).toBe(0);
  });

  it("reminds separately for each date", async () => {
    await playDay(api, { person: ada, date: DATE, team: "red" });
    await playDay(api, { person: ada, date: "2026-11-19", team: "red" });
    api.at(`${DATE}T11:45:00Z`);
    expect(await reminded()).toBe(1);
    api.at("2026-11-19T11:45:00Z");
    expect(await reminded()).toBe(1);
    expect((await told("checkin_reminder")).map(({ data }) => data.date)).toEqual([DATE, "2026-11-19"]);
  });

  it("reminds once more if the window is moved to later on the same date", async () => {
    await api.query("truncate nectar.workout_windows cascade");
    api.at("2026-11-17T20:00:00Z");
    await game.setWindow(ada, 10);
    await game.cron({ date: DATE });
    api.at(`${DATE}T09:35:00Z`);
    expect(await reminded()).toBe(1);
    api.at(`${DATE}T09:40:00Z`);
    await game.setWindow(ada, 18);
    expect((await game.rows(DATE))[0]?.window_starts_at).toEqual(new Date(`${DATE}T18:00:00Z`));
    expect(await reminded()).toBe(0);
    api.at(`${DATE}T17:35:00Z`);
    await Promise.all([run("reminders"), run("reminders")]);
    expect(await reminded()).toBe(0);
    expect((await told("checkin_reminder")).map(({ body }) => body).toSorted()).toEqual([
      "It opens at 10:00.",
      "It opens at 18:00.",
    ]);
  });

  it("has one result when it runs in parallel or again after a failure", async () => {
    await playDay(api, { person: ada, date: DATE, team: "red" });
    await playDay(api, { person: ben, date: DATE, team: "blue" });
    api.at(`${DATE}T11:45:00Z`);
    await brokenOff(async () => {
      expect((await run("reminders")).status).toBe(503);
      expect(await api.query("select from private.game_notices")).toEqual([]);
    });
    await Promise.all(Array.from({ length: 6 }, () => run("reminders")));
    expect(await told("checkin_reminder")).toHaveLength(2);
  });
});

describe("POST cron/weekly-stats", () => {
  const stats = (week = "2026-11-09") =>
    api.query(
      `select user_id, team_color, days_planned, completed_count, failed_count, pending_count,
         completion_rate::float, chips_earned
       from nectar.weekly_workout_stats where week_start_date = $1 order by user_id`,
      [week],
    );
  const row = (person: Person, team_color: string, numbers: readonly number[]) => {
    const [days_planned, completed_count, failed_count, pending_count, completion_rate, chips_earned] = numbers;
    return {
      user_id: person.id,
      team_color,
      days_planned,
      completed_count,
      failed_count,
      pending_count,
      completion_rate,
      chips_earned,
    };
  };
  const sorted = (rows: { user_id: string }[]) => rows.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1));

  async function playWeek() {
    await playDay(api, { person: ada, date: "2026-11-09", team: "red", status: "verified", chips: 2 });
    await playDay(api, { person: ada, date: "2026-11-10", team: "red", status: "verified", chips: 3 });
    await playDay(api, { person: ada, date: "2026-11-15", team: "red" });
    await playDay(api, { person: ben, date: "2026-11-11", team: "blue", status: "pending" });
    await playDay(api, { person: ben, date: "2026-11-12", team: "blue", status: "rejected" });
    await playDay(api, { person: ben, date: "2026-11-16", team: "blue", status: "verified" });
  }
  const expected = () => sorted([row(ada, "red", [3, 2, 1, 0, 66.7, 5]), row(ben, "blue", [2, 0, 1, 1, 0, 0])]);

  it("counts the dates of the past week and none of the current one", async () => {
    await playWeek();
    api.at("2026-11-16T00:00:00Z");
    expect((await run("weekly-stats")).body.results).toEqual({ changed: 2, corrected: 0, errors: [] });
    expect(await stats()).toEqual(expected());
    expect(await stats("2026-11-16")).toEqual([]);
    expect((await run("weekly-stats")).body.results).toEqual({ changed: 0, corrected: 0, errors: [] });
  });

  it("corrects the week before it if check-ins were reviewed since", async () => {
    await playWeek();
    api.at("2026-11-16T00:00:00Z");
    await run("weekly-stats");
    await api.query(
      "update nectar.workout_checkins set status = 'verified', verified_at = now() where user_id = $1 and date = '2026-11-11'",
      [ben.id],
    );
    api.at("2026-11-23T00:00:00Z");
    expect((await run("weekly-stats")).body.results).toEqual({ changed: 1, corrected: 1, errors: [] });
    expect(await stats()).toEqual(
      sorted([row(ada, "red", [3, 2, 1, 0, 66.7, 5]), row(ben, "blue", [2, 1, 1, 0, 50, 1])]),
    );
  });

  it("counts the week again when Sunday ends in the Americas", async () => {
    const startsAt = "2026-11-16T02:00:00Z";
    await playDay(api, { person: ada, date: "2026-11-15", team: "red", startsAt, timezone: "America/Los_Angeles" });
    api.at("2026-11-16T00:00:00Z");
    await run("weekly-stats");
    expect(await stats()).toEqual([row(ada, "red", [1, 0, 0, 1, 0, 0])]);
    await checkIn(api, { person: ada, date: "2026-11-15", team: "red", chips: 2 });
    api.at("2026-11-16T08:00:00Z");
    expect((await run("end-of-day")).body.results).toMatchObject({ closed: 1, completed: 1 });
    expect(await stats()).toEqual([row(ada, "red", [1, 1, 0, 0, 100, 2])]);
  });

  it("counts a day as failed once it is over, even during the grace of its window", async () => {
    await playDay(api, { person: ada, date: "2026-11-15", team: "red", startsAt: "2026-11-15T21:55:00Z" });
    api.at("2026-11-16T00:00:00Z");
    await run("weekly-stats");
    expect(await stats()).toEqual([row(ada, "red", [1, 0, 1, 0, 0, 0])]);
    api.at("2026-11-16T00:02:00Z");
    expect((await run("end-of-day")).body.results).toMatchObject({ closed: 1, failed: 1 });
    expect(await stats()).toEqual([row(ada, "red", [1, 0, 1, 0, 0, 0])]);
  });

  it("has one result when it runs in parallel", async () => {
    await playWeek();
    api.at("2026-11-16T00:00:00Z");
    const answers = await Promise.all(Array.from({ length: 6 }, () => run("weekly-stats")));
    expect(answers.every(({ status, body }) => status === 200 && body.success)).toBe(true);
    expect(await stats()).toEqual(expected());
  });
});
