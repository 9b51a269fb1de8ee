import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());

const NO_PLACE = { latitude: null, longitude: null, city: null, region: null, country: null };
const NOTHING = { ...NO_PLACE, ip_address: null, timezone: null };

const put = (person: Person, change: object) => api.put("/api/workout-window/update-location", person, change);
const update = async (person: Person, change: object) => (await put(person, change).ok()).location;
const locationOf = async (person: Person) => (await api.get("/api/workout-window/my-window", person).ok()).location;

describe("PUT /api/workout-window/update-location", () => {
  it("stores the fields that are sent and keeps the others", async () => {
    const same = { latitude: 47.37688661, longitude: -8.541694, region: "Zürich", timezone: "Europe/Zurich" };
    const sent = { ...same, ipAddress: "203.0.113.7", city: "  Zürich ", country: "ch", user_id: randomUUID() };
    const full = await update(ada, sent);
    const stored = { ...same, user_id: ada.id, ip_address: "203.0.113.7", city: "Zürich", country: "CH" };
    expect(full).toEqual({ ...stored, last_updated: expect.any(String) });
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
    await put(await api.person(), change).ok();
  });

  it.each([
    ["nothing", {}, [""]],
    ["only fields that no one may write", { user_id: randomUUID(), last_updated: "2026-11-21" }, [""]],
    ["an address that is none", { ipAddress: "203.0.113.256" }, ["ipAddress"]],
    ["a network", { ipAddress: "203.0.113.0/24" }, ["ipAddress"]],
    ["an address with a zone", { ipAddress: "fe80::1%eth0" }, ["ipAddress"]],
    ["a latitude alone", { latitude: 47 }, ["longitude"]],
    ["a longitude alone", { longitude: 8 }, ["latitude"]],
    ["a country of digits", { country: "41" }, ["country"]],
    ["an abbreviation", { timezone: "PST" }, ["timezone"]],
    [
      "several things at once",
      { ipAddress: "here", latitude: 91, longitude: 181, city: "", region: 7, country: "C", timezone: "Z" },
      ["city", "country", "ipAddress", "latitude", "longitude", "region", "timezone"],
    ],
  ])("refuses %s and changes nothing", async (_, change, paths) => {
    const person = await api.person();
    await put(person, change).invalid(...paths);
    expect(await locationOf(person)).toBeNull();
  });

  it("refuses to clear one coordinate only", async () => {
    const person = await api.person();
    const before = await update(person, { latitude: 47, longitude: 8 });
    await put(person, { longitude: null }).invalid("longitude");
    expect(await locationOf(person)).toEqual(before);
  });

  it("merges parallel updates", async () => {
    const person = await api.person();
    const names = { city: "Bern", region: "Bern", country: "CH", timezone: "Europe/Zurich" };
    const place = { latitude: 46.95, longitude: 7.45 };
    const changes = [...Object.entries(names).map(([name, value]) => ({ [name]: value })), place];
    await Promise.all(changes.map((change) => update(person, change)));
    expect(await locationOf(person)).toMatchObject({ ...names, ...place });
  });

  it("does not change another person's location", async () => {
    const [ben, cleo] = [await api.person(), await api.person()];
    const bens = await update(ben, { city: "Bern" });
    await update(cleo, { city: "Basel" });
    expect(await locationOf(ben)).toEqual(bens);
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
    const times = { windowStartTime: start, windowEndTime: `${String(hour).padStart(2, "0")}:00` };
    await api.post("/api/workout-window/setup", person, { activityType: "walk", ...times, timezone }).ok();
    return person;
  }

  async function neighbors(person: Person) {
    const rows = await api.query`select date::text, area_key, before_user_id, after_user_id from nectar.chains
      where user_id = ${person.id} order by date`;
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
});
