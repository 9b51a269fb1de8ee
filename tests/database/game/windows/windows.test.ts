import { describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { type Outcome, useActing } from "../../support/acting.ts";

const acting = useActing();
const BROKEN = "23514";
const ada = beforeTests(() => acting.person());

describe("any role that writes a window", () => {
  /** Writes Ada's window as an administrator would, past everything that the API checks. */
  async function write(fields: Record<string, unknown>): Promise<Outcome> {
    const row: Record<string, unknown> = {
      user_id: ada.id,
      activity_type: "walk",
      window_start_time: "06:00",
      window_end_time: "08:00",
      timezone: "UTC",
      effective_from: "2026-11-21",
      ...fields,
    };
    const names = Object.keys(row);
    await acting.admin.query("begin");
    try {
      const { rowCount } = await acting.admin.query(
        `insert into nectar.workout_windows (${names.join()}) values (${names.map((_, n) => `$${n + 1}`).join()})`,
        Object.values(row),
      );
      return rowCount ?? 0;
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : String(error);
    } finally {
      await acting.admin.query("rollback");
    }
  }

  const withPrevious = (fields: Record<string, unknown>) => {
    const times = { window_start_time: "23:00", window_end_time: "01:00", timezone: "UTC" };
    return { previous: { activity_type: "walk", custom_activity: null, ...times, ...fields } };
  };

  it.each<[string, Record<string, unknown>, Outcome]>([
    ["lasts two hours", {}, 1],
    ["may end at midnight", { window_start_time: "22:00", window_end_time: "00:00" }, 1],
    ["may cross midnight", { window_start_time: "23:59", window_end_time: "01:59" }, 1],
    ["may have one before it", withPrevious({}), 1],
    ["lasts no less", { window_end_time: "07:59" }, BROKEN],
    ["lasts no more", { window_end_time: "08:01" }, BROKEN],
    ["does not run backwards", { window_start_time: "08:00", window_end_time: "06:00" }, BROKEN],
    ["knows no seconds", { window_start_time: "06:00:30", window_end_time: "08:00:30" }, BROKEN],
    ["names another activity", { activity_type: "other" }, BROKEN],
    ["names no usual one", { custom_activity: "Juggling" }, BROKEN],
    ["names it within 100 characters", { activity_type: "other", custom_activity: "x".repeat(101) }, BROKEN],
    ["names it with something", { activity_type: "other", custom_activity: "" }, BROKEN],
    ["has a zone", { timezone: "" }, BROKEN],
    ["has two hours before it too", withPrevious({ window_end_time: "02:00" }), BROKEN],
    ["has all of one before it", withPrevious({ timezone: null }), BROKEN],
    ["has no part of one before it", { previous: { custom_activity: "Juggling" } }, BROKEN],
    ["had no seconds", withPrevious({ window_start_time: "23:00:30", window_end_time: "01:00:30" }), BROKEN],
    ["had a name for another activity", withPrevious({ activity_type: "other" }), BROKEN],
    ["had a name for nothing else", withPrevious({ custom_activity: "Juggling" }), BROKEN],
    ["had a name with something", withPrevious({ activity_type: "other", custom_activity: "" }), BROKEN],
    ["had some known activity", withPrevious({ activity_type: "chess" }), "22P02"],
    ["does some known activity", { activity_type: "chess" }, "22P02"],
  ])("%s", async (_, fields, expected) => {
    expect(await write(fields)).toBe(expected);
  });
});

describe("any role that writes a location", () => {
  it.each<[string, string, Outcome]>([
    ["may be nowhere", "latitude = null", 1],
    ["may be the end of the world", "latitude = 90, longitude = -180", 1],
    ["has both coordinates", "latitude = 1", BROKEN],
    ["is not beyond the pole", "latitude = 90.1, longitude = 0", BROKEN],
    ["is not beyond the date line", "latitude = 0, longitude = 180.1", BROKEN],
    ["has an address of a host", "ip_address = '203.0.113.0/24'", BROKEN],
    ["may have a long address", "ip_address = '2001:db8::1'", 1],
    ["has an address", "ip_address = 'here'", "22P02"],
    ["has a country of two capitals", "country = 'ch'", BROKEN],
    ["has a city with a name", "city = ''", BROKEN],
  ])("%s", async (_, change, expected) => {
    await acting.admin.query("insert into nectar.user_locations (user_id) values ($1) on conflict do nothing", [
      ada.id,
    ]);
    expect(await acting.outcome({ person: ada.id }, `update nectar.user_locations set ${change}`)).toBe(expected);
  });
});

describe("the area that people are matched in", () => {
  it.each([
    ["Zürich", "ZH", "city:europe/zurich:zürich"],
    ["  New\t York ", null, "city:europe/zurich:new york"],
    ["NEW YORK", "NY", "city:europe/zurich:new york"],
    ["  ", " Upper  Austria", "region:europe/zurich:upper austria"],
    [null, "", "zone:europe/zurich"],
    [null, null, "zone:europe/zurich"],
  ])("of city %j and region %j is %s", async (city, region, expected) => {
    const { rows } = await acting.admin.query("select private.area_key($1, $2, 'Europe/Zurich') as place", [
      city,
      region,
    ]);
    expect(rows).toEqual([{ place: expected }]);
  });

  it("differs for two cities with the same name", async () => {
    const { rows } = await acting.admin.query(
      `select private.area_key('London', null, 'Europe/London') = private.area_key('London', null, 'America/Toronto')
           as one_london`,
    );
    expect(rows).toEqual([{ one_london: false }]);
  });
});
