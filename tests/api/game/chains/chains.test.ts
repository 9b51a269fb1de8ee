import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { CRON_SECRET, GAME, gameOf } from "../chain-scene.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const game = gameOf(api);
/** A Wednesday. */
const DATE = "2031-05-14";
const ada = beforeTests(() => api.person({ fullName: "Ada" }));
beforeAll(async () => {
  api.at(`${DATE}T03:00:00Z`);
  await api.put(`${GAME}/update-location`, ada, { city: "Ulm", latitude: 48.4, longitude: 9.99 });
  await game.setWindow(ada, 6);
});
const ben = beforeTests(() => game.player("Ulm", 9));
const eve = beforeTests(() => game.player("Ulm", 23, "UTC"));

const get = <Path extends string>(path: Path, as?: Person) => api.get(`${GAME}/${path}` as const, as);

type Card = { readonly id: string } | null;
/** The ids of the members of a squad that are left. */
const membersOf = (squad: { readonly user1: Card; readonly user2: Card; readonly user3: Card } | null) =>
  [squad?.user1, squad?.user2, squad?.user3].flatMap((card) => card?.id ?? []).toSorted();

/** Writes a check-in directly. */
async function checkIn(person: Person, status: string, chips = 1, date = DATE) {
  const chain = chips === 2 || chips === 4 ? "continued" : "broken";
  await api.query`insert into nectar.workout_checkins
      (user_id, date, activity_type, status, verified_at, chain_status, has_streak, battle_week_start)
    values (${person.id}, ${date}, 'walk', ${status}, now(), ${chain}, ${chips >= 3}, '2031-05-12')`;
}

describe("GET /api/workout-window/chain/:date", () => {
  it("shows neighbors, team and squad with the windows as they were matched", async () => {
    const body = await get(`chain/${DATE}`, ben).ok();
    const card = { id: ada.id, full_name: "Ada", avatar_url: null, is_ai: false };
    const window = { start: "06:00", end: "08:00", timezone: "UTC" };
    expect(body.chain.beforeUser).toEqual({ ...card, window, activity_type: "walk", custom_activity: null });
    expect(body.chain.currentUser.id).toBe(ben.id);
    const evening = { start: "23:00", end: "01:00", timezone: "UTC" };
    expect(body.chain.afterUser).toMatchObject({ id: eve.id, window: evening });
    const { squad, teamColor } = body.chain;
    expect(membersOf(squad)).toEqual([ada.id, ben.id, eve.id].toSorted());
    expect(squad?.teamColor).toBe(teamColor);
    expect(body.checkins).toEqual([]);
  });

  it("has no neighbor before the first and after the last player", async () => {
    const [first, last] = [await get(`chain/${DATE}`, ada), await get(`chain/${DATE}`, eve)];
    expect(first.body.chain.beforeUser).toBeNull();
    expect(first.body.chain.afterUser?.id).toBe(ben.id);
    expect(last.body.chain.afterUser).toBeNull();
  });

  it("returns the check-ins of the caller and the neighbors, without their coordinates", async () => {
    const date = "2031-05-15";
    await checkIn(ada, "verified", 2, date);
    await checkIn(ben, "pending", 1, date);
    const { body } = await get(`chain/${date}`, ben);
    expect(body.checkins.map(({ user_id }) => user_id).toSorted()).toEqual([ada.id, ben.id].toSorted());
    expect(body.checkins[0]).toMatchObject({ location_lat: null, location_lng: null, photo_url: null });
    // Eve is after ben, so that ada is not her neighbor.
    expect((await get(`chain/${date}`, eve)).body.checkins.map(({ user_id }) => user_id)).toEqual([ben.id]);
  });

  it("is 404 on a date without a chain, as a squad is", async () => {
    await get("chain/2031-08-01", ada).refused(404, "game.no_chain");
    await get("squad/2031-08-01", ada).refused(404, "game.no_squad");
  });
});

describe("GET /api/workout-window/squad/:date", () => {
  it("shows the squad and its check-ins", async () => {
    const body = await get("squad/2031-05-15", eve).ok();
    expect(membersOf(body.squad)).toEqual([ada.id, ben.id, eve.id].toSorted());
    expect(body.checkins).toHaveLength(2);
  });

  it("is 404 for a player without a squad", async () => {
    const alone = await game.player("Kassel", 6);
    expect((await get(`chain/${DATE}`, alone)).body.chain.squad).toBeNull();
    await get(`squad/${DATE}`, alone).refused(404, "game.no_squad");
  });

  it("has null for a member whose account was deleted", async () => {
    api.at(`${DATE}T12:30:00Z`);
    const [first, second, third] = await game.players("Gap", [13, 15, 17]);
    await api.query`delete from auth.users where id = ${second.id}`;
    const { body } = await get(`chain/${DATE}`, first);
    expect(body.chain.afterUser).toBeNull();
    expect(membersOf(body.chain.squad)).toEqual([first.id, third.id].toSorted());
  });
});

describe("GET /api/workout-window/team-stats/:date", () => {
  const DAY = "2031-09-03";
  const empty = { totalMembers: 0, completed: 0, failed: 0, pending: 0, completionRate: 0, totalChips: 0 };

  it("has zeros if no one plays", async () => {
    expect((await get("team-stats/2030-01-01", ada)).body).toEqual({ redTeam: empty, blueTeam: empty });
  });

  it("counts completed, failed and pending members of each team, and verified chips", async () => {
    api.at(`${DAY}T03:00:00Z`);
    // A window that is over, two of this morning, and three in the evening.
    const [first, second, , fourth] = await game.players("Stade", [4, 6, 6, 20, 20, 20]);
    const rows = await game.rows(DAY);
    const others = rows.filter(({ area_key }) => area_key !== "city:utc:stade");
    await checkIn(first, "verified", 4, DAY);
    await checkIn(second, "rejected", 2, DAY);
    await checkIn(fourth, "pending", 3, DAY);
    expect(others).toEqual([]);
    const red = rows.find(({ user_id }) => user_id === first.id)?.team_color === "red";
    const stats = async (moment: string) => {
      api.at(`${DAY}T${moment}Z`);
      const { body } = await get(`team-stats/${DAY}`, ada);
      return red ? [body.redTeam, body.blueTeam] : [body.blueTeam, body.redTeam];
    };
    // The window of the third is over at 08:00, and its grace a quarter of an hour later.
    const early = { totalMembers: 3, completed: 1, failed: 1, pending: 1, completionRate: 33.3, totalChips: 4 };
    const evening = { ...empty, totalMembers: 3, pending: 3 };
    expect(await stats("08:15:00")).toEqual([early, evening]);
    expect(await stats("08:15:01")).toEqual([{ ...early, failed: 2, pending: 0 }, evening]);
    expect((await stats("22:30:00"))[1]).toEqual({ ...evening, pending: 1, failed: 2 });
  });
});
