import { afterEach, describe, expect, it } from "vitest";
import { setWindow } from "#functions/game/windows/windows";
import type { Person } from "#tests/people";
import { CRON_SECRET, GAME } from "../chain-scene.ts";
import { matchingScene } from "./matching-scene.ts";

const { api, game, rowOf, unmatchedPlayer } = matchingScene();
/** A Wednesday, and the Monday of its week. */
const TODAY = "2031-05-14";
const TOMORROW = "2031-05-15";
const MONDAY = "2031-05-12";

const scheduler = { "x-cron-secret": CRON_SECRET };
const rematch = () => api.post(`${GAME}/cron/rematch`, undefined, undefined, scheduler);
const noted = async () => {
  const rows = await api.query`select distinct user_id from private.players_to_match order by user_id`;
  return rows.map(({ user_id }) => user_id);
};
const linksOf = async (date: string, person: Person) => {
  const row = await rowOf(date, person);
  return row === undefined ? undefined : [row.before_user_id, row.after_user_id];
};
const NOTHING = { chainsCreated: 0, chainsChanged: 0, squadsCreated: 0 };
const newsOf = (person: Person) =>
  api.query`select data ->> 'date' as date from nectar.notifications where user_id = ${person.id} order by 1`;

/** Sets a window without what follows the commit, as if the process died there, or before the commit. */
const setAndDie = (person: Person, hour: number, beforeCommit = () => {}) =>
  api.database.asUser(person.id, async (tx) => {
    const [start, end] = [hour, hour + 2].map((of) => `${String(of).padStart(2, "0")}:00`);
    const setup = {
      activityType: "walk",
      windowStartTime: `${start}`,
      windowEndTime: `${end}`,
      timezone: "UTC",
    } as const;
    await setWindow(tx, person.id, setup, new Date(`${TODAY}T03:00:00Z`));
    beforeCommit();
  });

/** Locks the chains of the week as another run does, during some work. */
async function whileHeld<Result>(work: () => Promise<Result>): Promise<Result> {
  return api.inTransaction(async ({ query }) => {
    await query`select pg_advisory_xact_lock(hashtextextended(${`chains ${MONDAY}`}, 0))`;
    return work();
  });
}

async function twoOf(city: string): Promise<[Person, Person]> {
  api.at(`${TODAY}T03:00:00Z`);
  const early = await game.player(city, 6);
  const late = await api.person();
  await api.put(`${GAME}/update-location`, late, { city });
  return [early, late];
}

afterEach(async () => {
  expect(await noted()).toEqual([]);
});

describe("a player who changes their window", () => {
  it("is not queued any more once matched", async () => {
    const [early, late] = await twoOf("Ulm");
    await game.setWindow(late, 9);
    await api.put(`${GAME}/update-location`, late, { city: "Bonn" });
    expect(await noted()).toEqual([]);
    expect(await linksOf(TODAY, early)).toEqual([null, null]);
  });

  it("is queued in the transaction of the change", async () => {
    const [, late] = await twoOf("Gera");
    const broken = setAndDie(late, 9, () => {
      throw new Error("broken off");
    });
    await expect(broken).rejects.toThrow("broken off");
    expect(await noted()).toEqual([]);
  });

  it("is matched once by the job if another run takes longer than the request waits", async () => {
    const [early, late] = await twoOf("Kiel");
    await whileHeld(async () => {
      await game.setWindow(late, 9).ok();
      expect(await noted()).toEqual([late.id]);
      expect(await linksOf(TODAY, late)).toBeUndefined();
    });
    expect(api.logged()).toContain("matching was put off");
    const body = await rematch().ok();
    expect(body.results).toEqual({ chainsCreated: 2, chainsChanged: 2, squadsCreated: 0 });
    for (const date of [TODAY, TOMORROW]) {
      expect(await linksOf(date, early)).toEqual([null, late.id]);
      expect(await linksOf(date, late)).toEqual([early.id, null]);
    }
    expect(await newsOf(late)).toEqual([{ date: TODAY }]);
    expect((await rematch()).body.results).toEqual(NOTHING);
    expect(await newsOf(late)).toHaveLength(1);
  });

  it("is matched by the request itself if the other run ends in time", async () => {
    const [early, late] = await twoOf("Hof");
    const blocked = await unmatchedPlayer("Plauen", 6);
    await api.inTransaction(async ({ query }) => {
      // The run for all players has read its input, and waits for a row that another transaction is writing.
      await query`insert into nectar.team_colors (user_id, week_start_date, color)
        values (${blocked}, ${MONDAY}, 'red')`;
      const run = game.cron({ date: TODAY });
      await api.untilWaiting();
      await game.setWindow(late, 9);
      expect(await linksOf(TODAY, late)).toBeUndefined();
      await query`rollback`;
      await run.ok();
    });
    for (const date of [TODAY, TOMORROW]) expect(await linksOf(date, early)).toEqual([null, late.id]);
  });

  it("is not linked between players whose windows opened while the request waited", async () => {
    const [early, late] = await twoOf("Calw");
    await game.setWindow(late, 9);
    const third = await api.person();
    await api.put(`${GAME}/update-location`, third, { city: "Calw" });
    api.at(`${TODAY}T05:59:58Z`);
    const { change } = await whileHeld(async () => {
      const change = game.setWindow(third, 8);
      await api.untilWaiting();
      api.at(`${TODAY}T06:00:02Z`);
      return { change };
    });
    await change;
    expect(await linksOf(TODAY, early)).toEqual([null, late.id]);
    expect(await linksOf(TOMORROW, early)).toEqual([null, third.id]);
  });

  it("is matched by the job if the process dies after the commit", async () => {
    const [early, late] = await twoOf("Jena");
    await setAndDie(late, 9);
    expect(await noted()).toEqual([late.id]);
    await rematch();
    expect(await linksOf(TOMORROW, early)).toEqual([null, late.id]);
    // A run that dies after matching and before removing players from the queue: the next run changes nothing.
    await api.query`insert into private.players_to_match (user_id) values (${late.id})`;
    const stored = await api.query`select xmin, * from nectar.chains order by id`;
    expect((await rematch()).body.results).toEqual(NOTHING);
    expect(await api.query`select xmin, * from nectar.chains order by id`).toEqual(stored);
    expect(await newsOf(late)).toHaveLength(1);
  });

  it("is also matched by the run for all players, on all dates that are affected", async () => {
    const [early, late] = await twoOf("Suhl");
    await setAndDie(late, 9);
    // A run of one date matches queued players on all their dates.
    await game.cron({ date: "2031-05-17" });
    for (const date of [TODAY, TOMORROW]) expect(await linksOf(date, early)).toEqual([null, late.id]);
  });

  it("is matched once if several runs start at the same time", async () => {
    const [early, late] = await twoOf("Riesa");
    await setAndDie(late, 9);
    const responses = await Promise.all([rematch(), rematch(), game.cron(), rematch(), game.setWindow(late, 9)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await linksOf(TODAY, early)).toEqual([null, late.id]);
    expect(await newsOf(late)).toEqual([{ date: TODAY }]);
  });

  it("is queued again by a change during the matching", async () => {
    const [early, late] = await twoOf("Pirna");
    await setAndDie(late, 9);
    const { running } = await whileHeld(async () => {
      const running = rematch();
      await api.untilWaiting();
      await setAndDie(late, 12);
      return { running };
    });
    expect((await running).status).toBe(200);
    expect((await rowOf(TODAY, late))?.window_starts_at).toEqual(new Date(`${TODAY}T12:00:00Z`));
    expect(await linksOf(TODAY, early)).toEqual([null, late.id]);
  });
});

it("links the neighbors of a deleted account", async () => {
  api.at(`${TODAY}T03:00:00Z`);
  const [first, middle, last] = await game.players("Aalen", [6, 9, 12]);
  await api.query`delete from auth.users where id = ${middle.id}`;
  expect(await noted()).toEqual([first.id, last.id].toSorted());
  await rematch();
  for (const date of [TODAY, TOMORROW]) expect(await linksOf(date, first)).toEqual([null, last.id]);
  // Without their two neighbors, no one is left to match.
  await api.query`delete from auth.users where id = any (${[first.id, last.id]})`;
});

it("does not change other areas", async () => {
  api.at(`${TODAY}T03:00:00Z`);
  const ids = (await game.players("Worms", [6, 9])).map(({ id }) => id);
  // Their rows of tomorrow are missing, which the scheduled run would notice; today's are unchanged.
  await api.query`delete from nectar.chains where user_id = any (${ids}) and date = ${TOMORROW}`;
  const stored = () => api.query`select xmin, * from nectar.chains where user_id = any (${ids}) order by id`;
  const before = await stored();
  expect(before).toHaveLength(2);
  const [, late] = await twoOf("Speyer");
  await game.setWindow(late, 9);
  await api.put(`${GAME}/update-location`, late, { city: "Neustadt" });
  expect(await stored()).toEqual(before);
  // A change that matching does not depend on matches no one.
  const [last] = await api.query`select max(xmin::text::bigint) as x from nectar.chains`;
  await api.put(`${GAME}/update-location`, late, { country: "DE", ipAddress: "203.0.113.7" });
  expect(await api.query`select max(xmin::text::bigint) as x from nectar.chains`).toEqual([last]);
});

it("creates no row for a date that is over", async () => {
  const [early, late] = await twoOf("Cham");
  await game.setWindow(late, 9);
  await api.query`delete from nectar.chains where user_id = ${late.id}`;
  api.at(`${TOMORROW}T00:00:00Z`);
  await game.cron({ date: TODAY });
  expect(await linksOf(TODAY, late)).toBeUndefined();
  expect(await linksOf(TODAY, early)).toBeDefined();
  api.at(`${TODAY}T23:59:59Z`);
  await game.cron({ date: TODAY });
  expect(await linksOf(TODAY, late)).toBeDefined();
});
