import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";
import { beforeTests } from "../../../support/prepare.ts";

const api = useApi();
const ada = beforeTests(() => api.person());

const NOTHING = {
  ip_address: null,
  latitude: null,
  longitude: null,
  city: null,
  region: null,
  country: null,
  timezone: null,
};

async function update(person: Person, change: object) {
  const body = await api.put("/api/workout-window/update-location", person, change).ok();
  return body.location;
}

describe("PUT /api/workout-window/update-location", () => {
  it("stores the fields that are sent and keeps the others", async () => {
    const full = await update(ada, {
      ipAddress: "203.0.113.7",
      latitude: 47.37688661,
      longitude: -8.541694,
      city: "  Zürich ",
      region: "Zürich",
      country: "ch",
      timezone: "Europe/Zurich",
      user_id: randomUUID(),
    });
    expect(full).toEqual({
      user_id: ada.id,
      ip_address: "203.0.113.7",
      latitude: 47.37688661,
      longitude: -8.541694,
      city: "Zürich",
      region: "Zürich",
      country: "CH",
      timezone: "Europe/Zurich",
      last_updated: expect.any(String),
    });
    await api.query`update nectar.user_locations set updated_at = '2020-01-01' where user_id = ${ada.id}`;
    const moved = await update(ada, { city: "Bern", region: null });
    expect(moved).toEqual({ ...full, city: "Bern", region: null, last_updated: moved.last_updated });
    expect(Date.parse(moved.last_updated)).toBeGreaterThanOrEqual(Date.parse(full.last_updated));
    expect((await api.get("/api/workout-window/my-window", ada)).body).toEqual({ window: null, location: moved });
  });

  it("clears fields with null, coordinates together", async () => {
    const person = await api.person();
    await update(person, { latitude: 0, longitude: 0, city: "Null Island" });
    expect(await update(person, { latitude: 5 })).toMatchObject({ latitude: 5, longitude: 0 });
    const cleared = await update(person, { latitude: null, longitude: null });
    expect(cleared).toMatchObject({ ...NOTHING, city: "Null Island" });
  });

  it.each([
    ["the poles and the date line", { latitude: -90, longitude: 180 }],
    ["an IPv6 address", { ipAddress: "2001:db8::1" }],
    ["what names nothing new", { country: null }],
  ])("accepts %s", async (_, change) => {
    await api.put("/api/workout-window/update-location", await api.person(), change).ok();
  });

  it.each([
    ["nothing", {}, [""]],
    ["only fields that no one may write", { user_id: randomUUID(), last_updated: "2026-11-21" }, [""]],
    ["an address that is none", { ipAddress: "203.0.113.256" }, ["ipAddress"]],
    ["a network", { ipAddress: "203.0.113.0/24" }, ["ipAddress"]],
    ["an address with a zone", { ipAddress: "fe80::1%eth0" }, ["ipAddress"]],
    ["a latitude beyond the pole", { latitude: 90.1, longitude: 0 }, ["latitude"]],
    ["a longitude beyond the date line", { latitude: 0, longitude: -180.1 }, ["longitude"]],
    ["coordinates as text", { latitude: "47", longitude: "8" }, ["latitude", "longitude"]],
    ["a latitude alone", { latitude: 47 }, ["longitude"]],
    ["a longitude alone", { longitude: 8 }, ["latitude"]],
    ["a blank city", { city: " " }, ["city"]],
    ["a city of 101", { city: "x".repeat(101) }, ["city"]],
    ["a region of 101", { region: "x".repeat(101) }, ["region"]],
    ["a country of three letters", { country: "CHE" }, ["country"]],
    ["a country of digits", { country: "41" }, ["country"]],
    ["an abbreviation", { timezone: "PST" }, ["timezone"]],
    [
      "several things at once",
      { ipAddress: "here", latitude: 91, longitude: 181, city: "", region: 7, country: "C", timezone: "Z" },
      ["city", "country", "ipAddress", "latitude", "longitude", "region", "timezone"],
    ],
  ])("refuses %s and changes nothing", async (_, change, paths) => {
    const person = await api.person();
    await api.put("/api/workout-window/update-location", person, change).invalid(...paths);
    expect((await api.get("/api/workout-window/my-window", person)).body.location).toBeNull();
  });

  it("refuses to clear one coordinate only", async () => {
    const person = await api.person();
    const before = await update(person, { latitude: 47, longitude: 8 });
    const { status, body } = await api.put("/api/workout-window/update-location", person, { longitude: null });
    expect([status, body.issues[0].path]).toEqual([400, "longitude"]);
    expect((await api.get("/api/workout-window/my-window", person)).body.location).toEqual(before);
  });

  it("merges parallel updates", async () => {
    const person = await api.person();
    await Promise.all([
      update(person, { city: "Bern" }),
      update(person, { region: "Bern" }),
      update(person, { country: "CH" }),
      update(person, { latitude: 46.95, longitude: 7.45 }),
      update(person, { timezone: "Europe/Zurich" }),
    ]);
    expect((await api.get("/api/workout-window/my-window", person)).body.location).toMatchObject({
      city: "Bern",
      region: "Bern",
      country: "CH",
      latitude: 46.95,
      longitude: 7.45,
      timezone: "Europe/Zurich",
    });
  });

  it("does not change another person's location", async () => {
    const [ben, cleo] = [await api.person(), await api.person()];
    const bens = await update(ben, { city: "Bern" });
    await update(cleo, { city: "Basel" });
    expect((await api.get("/api/workout-window/my-window", ben)).body.location).toEqual(bens);
  });

  it("logs neither address nor coordinates", async () => {
    await update(await api.person(), { ipAddress: "198.51.100.23", latitude: 12.345678, longitude: 98.765432 });
    expect(api.logged()).not.toMatch(/198\.51\.100\.23|12\.345678|98\.765432/);
  });
});

describe("matching after a move", () => {
  /** A person with a window, in a city if one is given. */
  async function player(start: string, city: string | null, timezone = "UTC") {
    const person = await api.person();
    const hour = Number(start.slice(0, 2)) + 2;
    if (city !== null) await update(person, { city });
    const { status } = await api.post("/api/workout-window/setup", person, {
      activityType: "walk",
      windowStartTime: start,
      windowEndTime: `${String(hour).padStart(2, "0")}:00`,
      timezone,
    });
    expect(status).toBe(200);
    return person;
  }

  async function neighbors(person: Person) {
    const rows = await api.database.asService((tx) =>
      tx
        .selectFrom("chains")
        .select(["date", "area_key", "before_user_id", "after_user_id"])
        .where("user_id", "=", person.id)
        .orderBy("date")
        .execute(),
    );
    return rows.map((row) => [row.date, row.area_key, row.before_user_id, row.after_user_id]);
  }

  it("uses the new city for today and tomorrow, ignoring case and spaces", async () => {
    api.at("2026-11-21T05:00:00Z");
    const early = await player("06:00", "Neuchâtel ");
    const late = await player("09:00", "Lugano");
    const alone = [null, null];
    expect(await neighbors(late)).toEqual([
      ["2026-11-21", "city:utc:lugano", ...alone],
      ["2026-11-22", "city:utc:lugano", ...alone],
    ]);
    await update(late, { city: "  NEUCHÂTEL" });
    expect(await neighbors(late)).toEqual([
      ["2026-11-21", "city:utc:neuchâtel", early.id, null],
      ["2026-11-22", "city:utc:neuchâtel", early.id, null],
    ]);
    expect(await neighbors(early)).toEqual([
      ["2026-11-21", "city:utc:neuchâtel", null, late.id],
      ["2026-11-22", "city:utc:neuchâtel", null, late.id],
    ]);
  });

  it("does not change today once the window has opened", async () => {
    api.at("2026-11-21T05:00:00Z");
    const early = await player("06:00", "Chur");
    const late = await player("09:00", "Chur");
    api.at("2026-11-21T09:00:00Z");
    await update(late, { city: "Davos" });
    expect(await neighbors(late)).toEqual([
      ["2026-11-21", "city:utc:chur", early.id, null],
      ["2026-11-22", "city:utc:davos", null, null],
    ]);
  });

  it("separates cities of one name in different time zones, and joins two names of one time zone", async () => {
    api.at("2026-11-20T12:00:00Z");
    const british = await player("06:00", "London", "Europe/London");
    const canadian = await player("06:00", "London", "America/Toronto");
    const [early, late] = [await player("06:00", null, "Asia/Calcutta"), await player("09:00", null, "Asia/Kolkata")];
    expect(await neighbors(british)).toContainEqual(["2026-11-21", "city:europe/london:london", null, null]);
    expect(await neighbors(canadian)).toContainEqual(["2026-11-21", "city:america/toronto:london", null, null]);
    expect(await neighbors(late)).toContainEqual(["2026-11-21", "zone:asia/kolkata", early.id, null]);
  });

  it("uses the region, or else the time zone, without a city", async () => {
    api.at("2026-11-21T05:00:00Z");
    const person = await player("06:00", null);
    expect((await neighbors(person))[0]?.[1]).toBe("zone:utc");
    await update(person, { region: "Upper  Austria" });
    expect((await neighbors(person))[0]?.[1]).toBe("region:utc:upper austria");
  });
});
