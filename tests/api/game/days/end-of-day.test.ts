import { describe, expect, it } from "vitest";
import { createCrowd } from "#tests/crowd";
import { asSuperuser } from "#tests/people";
import { GAME } from "../chain-scene.ts";
import { DATE, dayScene, NOTHING } from "./day-scene.ts";

const { api, closed, people, play, run, sent } = dayScene();

/** More than one transaction ends. */
const PLAYERS = 5_002;

const endOfDay = async (moment: string) => {
  api.at(moment);
  return (await run("end-of-day").ok()).results;
};

it.each(["end-of-day", "reminders", "weekly-stats"])("POST cron/%s does nothing if no one plays", async (job) => {
  api.at(`${DATE}T12:00:00Z`);
  expect(await run(job).ok()).toMatchObject({ success: true, message: "done" });
  expect(await api.query`select from nectar.notifications`).toEqual([]);
});

describe("POST cron/end-of-day", () => {
  it("ends a day when the local day on which its window ended is over, not before", async () => {
    // Noon in New York is five hours after noon in UTC; its day ends at 05:00 UTC.
    await play(people.ada, { startsAt: `${DATE}T17:00:00Z`, timezone: "America/New_York", status: "verified" });
    // The window of the 18th ends after midnight, so its day ends with the 19th.
    await play(people.ben, { startsAt: `${DATE}T23:00:00Z`, status: "pending" });
    await play(people.cleo, { team: "blue" });
    expect(await endOfDay("2026-11-18T23:59:59.999Z")).toEqual(NOTHING);
    expect(await endOfDay("2026-11-19T00:00:00Z")).toEqual({ ...NOTHING, closed: 1, failed: 1 });
    expect(await endOfDay("2026-11-19T04:59:59.999Z")).toEqual(NOTHING);
    expect(await endOfDay("2026-11-19T05:00:00Z")).toEqual({ ...NOTHING, closed: 1, completed: 1 });
    expect(await endOfDay("2026-11-20T00:00:00Z")).toEqual({ ...NOTHING, closed: 1, pending: 1 });
    expect(await closed()).toHaveLength(3);
    expect(await endOfDay("2026-11-20T00:00:00Z")).toEqual(NOTHING);
  });

  it("shows a day as failed everywhere if it ends before the grace of its window", async () => {
    await play(people.ada, { startsAt: `${DATE}T21:50:00Z` });
    const shown = async () => {
      const { status: own } = await api.get(`${GAME}/checkin/${DATE}`, people.ada).ok();
      const all = (await api.get(`${GAME}/checkins/${DATE}`, people.ada).ok()).stats.failed;
      const teams = (await api.get(`${GAME}/team-stats/${DATE}`, people.ada).ok()).redTeam.failed;
      const { members } = (await api.get(`${GAME}/admin/teams/${DATE}`, people.superAdmin).ok()).redTeam;
      return { own, all, teams, members: members[0]?.status };
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
  ] as const)("after %s: status %s, next player notified: %s", async (_, status, isNotified) => {
    await play(people.ada, { after: people.ben, ...(status === undefined ? {} : { status }) });
    api.at("2026-11-19T00:00:00Z");
    expect((await endOfDay("2026-11-19T00:00:00Z"))?.notified).toBe(isNotified ? 1 : 0);
    const text = { title: "Your chain broke", body: "The person before you has no valid check-in." };
    const notification = { user_id: people.ben.id, ...text, data: { date: DATE } };
    expect(await sent("chain_broken")).toEqual(isNotified ? [notification] : []);
  });

  it("notifies each player who checked in of the score, once, without a push", async () => {
    await api.query`insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
      values (${people.ada.id}, 'https://push.example.test/1', repeat('A', 87), repeat('A', 22))`;
    await play(people.ada, { status: "verified", chips: 3 });
    await play(people.ben, { team: "blue", status: "verified", chips: 2 });
    await play(people.cleo, { team: "blue", status: "pending", chips: 4 });
    await api.query`update nectar.profiles set is_ai = true where id = ${people.ben.id}`;
    api.at("2026-11-19T00:00:00Z");
    await Promise.all([run("end-of-day"), run("end-of-day")]);
    await run("end-of-day");
    const chips = { red_team_chips: 3, blue_team_chips: 2 };
    const data = { date: DATE, week_start_date: "2026-11-16", team_color: "red", ...chips };
    const text = { title: "How the battle stands", body: "The red team has 3 chips and the blue team 2." };
    expect(await sent("battle_progress")).toEqual([{ user_id: people.ada.id, ...text, data }]);
    expect(await api.query`select from private.push_deliveries`).toEqual([]);
  });

  it("sends no score of a completed battle", async () => {
    await play(people.ada, { status: "verified" });
    await api.post(`${GAME}/battle/execute/2026-11-16`, people.admin);
    expect(await endOfDay("2026-11-19T00:00:00Z")).toMatchObject({ closed: 1, completed: 1 });
    expect(await sent("battle_progress")).toEqual([]);
  });

  it("leaves a day whose check-in is being written to the next run, which counts it", async () => {
    await play(people.ada, { after: people.ben });
    api.at("2026-11-19T00:00:00Z");
    await api.inTransaction(async ({ query }) => {
      await query`select from nectar.chains where user_id = ${people.ada.id} for share`;
      expect((await run("end-of-day")).body.results).toEqual(NOTHING);
      await query`insert into nectar.workout_checkins (
          user_id, date, activity_type, status, chain_status, team_color, battle_week_start, verified_at
        ) values (${people.ada.id}, ${DATE}, 'walk', 'verified', 'continued', 'red', '2026-11-16', now())`;
      await query`commit`;
    });
    expect((await run("end-of-day")).body.results).toEqual({ ...NOTHING, closed: 1, completed: 1 });
    expect(await sent("chain_broken")).toEqual([]);
  });

  it("notifies no synthetic user, and no one who was already notified", async () => {
    await api.query`update nectar.profiles set is_ai = true where id = ${people.ben.id}`;
    await play(people.ada, { after: people.ben });
    await play(people.ben, { after: people.cleo });
    await api.query`insert into private.game_notices (user_id, date, kind)
      values (${people.cleo.id}, ${DATE}, 'chain_broken')`;
    expect(await endOfDay("2026-11-19T00:00:00Z")).toEqual({ ...NOTHING, closed: 2, failed: 2 });
    expect(await sent("chain_broken")).toEqual([]);
  });

  it("deletes notices after 30 days", async () => {
    await api.query`insert into private.game_notices (user_id, date, kind)
      values (${people.ada.id}, '2026-10-18', 'chain_broken'), (${people.ada.id}, '2026-10-20', 'chain_broken')`;
    api.at("2026-11-18T00:00:00Z");
    await run("end-of-day");
    expect(await api.query`select date::text from private.game_notices`).toEqual([{ date: "2026-10-20" }]);
  });
});

it("the end of a day goes on after a batch with a day whose next person is being deleted", async () => {
  await asSuperuser(api.adminUrl, async (client) => {
    const [next = "", ...players] = await createCrowd(client, PLAYERS + 1);
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into nectar.chains (date, user_id, after_user_id, team_color, area_key, activity_type, timezone,
         window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
       select d, p.id, case when p.n = 1 then $3::uuid end, 'red', 'city:test', 'walk', 'UTC', '06:00', '08:00',
         d + interval '6 hours', d + interval '8 hours', d + interval '1 day'
       from unnest($2::uuid[]) with ordinality p (id, n)
       cross join (select $1::date as d) day`,
      [DATE, players.toSorted(), next],
    );
    await client.query(
      "insert into private.open_days (day_ends_at, user_id, chain_id) select day_ends_at, user_id, id from nectar.chains",
    );
    await client.query("set session_replication_role = origin");
    api.at("2026-11-19T00:00:00Z");
    await client.query("begin");
    await client.query("select from nectar.profiles where id = $1 for update", [next]);
    expect((await run("end-of-day")).body.results).toEqual({ ...NOTHING, closed: PLAYERS - 1, failed: PLAYERS - 1 });
    await client.query("commit");
    expect((await run("end-of-day")).body.results).toEqual({ ...NOTHING, closed: 1, failed: 1, notified: 1 });
  });
});
