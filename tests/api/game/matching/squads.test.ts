import { describe, expect, it } from "vitest";
import { GAME, runGameJob } from "../chain-scene.ts";
import { matchingScene } from "./matching-scene.ts";

const { api, game, synthetic, unmatched } = matchingScene();
/** A Wednesday. */
const TODAY = "2031-05-14";

it("players whose account is closing are matched on no further date, until the account is restored", async () => {
  api.at(`${TODAY}T03:00:00Z`);
  const [person] = await game.players("Selm", [6, 8]);
  const playsOn = async (date: string) => (await game.rows(date)).some(({ user_id }) => user_id === person.id);
  await api.send("DELETE", "/api/user/account", { as: person, body: { confirm: "DELETE" } }).ok();
  await runGameJob(api, "rematch");
  await game.cron({ date: "2031-05-15" });
  expect([await playsOn(TODAY), await playsOn("2031-05-15")]).toEqual([false, false]);
  await api.post("/api/user/account/restore", person).ok();
  await runGameJob(api, "rematch");
  expect(await playsOn("2031-05-15")).toBe(true);
});

describe("squads and teams", () => {
  it("have three members of one team, filled up with synthetic users that have coordinates", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const filler = await synthetic("Ahlen", 3);
    const nowhere = await synthetic("Ahlen", 1, false);
    const people = await game.players("Ahlen", [6, 8]);
    const rows = (await game.rows(TODAY)).filter(({ area_key }) => area_key === "city:utc:ahlen");
    const ids = rows.map(({ user_id }) => user_id);
    expect(ids.toSorted()).toEqual([...filler, ...people.map(({ id }) => id)].toSorted());
    expect(ids).not.toContain(nowhere[0]);
    for (const squad of new Set(rows.flatMap(({ squad_id }) => squad_id ?? []))) {
      const members = rows.filter(({ squad_id }) => squad_id === squad);
      expect(members).toHaveLength(3);
      expect(new Set(members.map(({ team_color }) => team_color)).size).toBe(1);
      const [stored] = await api.query`select user_1_id, user_2_id, user_3_id, team_color from nectar.squads
        where id = ${squad}`;
      const { team_color, ...users } = stored ?? {};
      expect(Object.values(users).map(String).toSorted()).toEqual(members.map(({ user_id }) => user_id).toSorted());
      expect(team_color).toBe(members[0]?.team_color);
    }
    const first = rows.find(({ user_id }) => user_id === people[0]?.id);
    expect(first?.squad_id).not.toBeNull();
  });

  it("keep their colors for the week; the next week has new ones", async () => {
    // Sunday: tomorrow is in the next week.
    api.at("2031-05-18T03:00:00Z");
    const people = await game.players("Worms", [6, 8, 10, 12, 14, 16]);
    const colors = async (date: string) => {
      const rows = await game.rows(date);
      return people.map(({ id }) => rows.find(({ user_id }) => user_id === id)?.team_color);
    };
    const sunday = await colors("2031-05-18");
    const monday = await colors("2031-05-19");
    for (const dealt of [sunday, monday]) expect(dealt.filter((color) => color === "red")).toHaveLength(3);
    // Half of the city leaves, so that a newly formed team would differ.
    api.at("2031-05-19T03:00:00Z");
    for (const person of people.slice(0, 2)) await api.put(`${GAME}/update-location`, person, { city: "Mainz" });
    const later = await game.player("Worms", 18);
    await game.cron({ date: "2031-05-20" });
    expect(await colors("2031-05-20")).toEqual(monday);
    const weeks = await api.query`select week_start_date::text as week, color from nectar.team_colors
      where user_id = ${later.id} order by week`;
    expect(weeks.map(({ week }) => week)).toEqual(["2031-05-19"]);
    await game.cron({ date: "2031-05-26" });
    const next = await api.query`select user_id from nectar.team_colors
      where user_id = any (${people.map(({ id }) => id)}) and week_start_date = '2031-05-26'`;
    expect(next).toHaveLength(6);
  });

  it("prefer players who had no squad on the day before", async () => {
    api.at("2031-05-20T03:00:00Z");
    const ids = await unmatched("Hof", 4);
    await api.query`insert into nectar.team_colors (user_id, week_start_date, color)
      select unnest(${ids}::uuid[]), '2031-05-19', 'red'`;
    const leftOut = async (date: string) => {
      await game.cron({ date });
      const rows = (await game.rows(date)).filter(({ user_id }) => ids.includes(user_id));
      return rows.filter(({ squad_id }) => squad_id === null).map(({ user_id }) => ids.indexOf(user_id));
    };
    // Windows are in the order of the ids, so that the last one is left out, and then the last one of the others.
    expect(await leftOut("2031-05-22")).toEqual([3]);
    expect(await leftOut("2031-05-23")).toEqual([2]);
    expect(await leftOut("2031-05-24")).toEqual([3]);
  });
});
