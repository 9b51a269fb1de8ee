import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { CRON_SECRET, gameOf, runGameJob } from "../chain-scene.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
const game = gameOf(api);
const TODAY = "2031-05-14";
const TOMORROW = "2031-05-15";

const block = (as: Person, other: Person) => api.post("/api/blocks", as, { user_id: other.id }).created();

/** The ids of a person's neighbors and of the members of their squad on a date. */
async function besides(date: string, person: Person): Promise<string[]> {
  const rows = await game.rows(date);
  const own = rows.find(({ user_id }) => user_id === person.id);
  const mates = rows.filter(({ squad_id }) => squad_id !== null && squad_id === own?.squad_id);
  const ids = [own?.before_user_id, own?.after_user_id, ...mates.map(({ user_id }) => user_id)];
  return ids.flatMap((id) => (id === null || id === undefined || id === person.id ? [] : id));
}

describe("two players with a block between them", () => {
  it("are separated by the next matching, on every date that has not begun, and stay so", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [early, late, third] = await game.players("Ulm", [6, 8, 12]);
    await game.cron();
    expect(await besides(TODAY, early)).toContain(late.id);
    await block(late, early);
    // The block itself changes nothing: the scheduled job matches those who are queued.
    expect(await besides(TODAY, early)).toContain(late.id);
    await runGameJob(api, "rematch");
    for (const date of [TODAY, TOMORROW]) {
      expect(await besides(date, early)).toEqual([]);
      expect(await besides(date, late)).toEqual([third.id]);
    }
    await game.cron({ date: "2031-05-16" });
    expect(await besides("2031-05-16", early)).not.toContain(late.id);
  });

  it("keep a chain that has begun, and are not together in the next one", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [early, late] = await game.players("Bonn", [6, 8]);
    await game.cron();
    api.at(`${TODAY}T06:30:00Z`);
    await block(early, late);
    await runGameJob(api, "rematch");
    expect(await besides(TODAY, early)).toEqual([late.id]);
    expect(await besides(TOMORROW, early)).toEqual([]);
  });

  it("are matched again after unblocking", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [early, late] = await game.players("Kiel", [6, 8]);
    await block(early, late);
    await game.cron();
    expect(await besides(TODAY, early)).toEqual([]);
    await api.delete(`/api/blocks/${late.id}`, early).ok();
    await game.cron();
    expect(await besides(TODAY, early)).toEqual([late.id]);
  });

  it("are not queued for matching if they play in different areas, or not at all", async () => {
    api.at(`${TODAY}T03:00:00Z`);
    const [here, there, nowhere] = [await game.player("Bern", 6), await game.player("Genf", 8), await api.person()];
    await block(here, there);
    await block(here, nowhere);
    await block(nowhere, here);
    expect(await api.query`select from private.players_to_match`).toEqual([]);
  });
});
