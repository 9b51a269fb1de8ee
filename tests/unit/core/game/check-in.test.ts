import { describe, expect, it } from "vitest";
import { type CountingTimes, datesOpenForUpload, distanceKm, flagsOf, windowsOfPhoto } from "#core/game/check-in";

const always = (start: string, end: string, timezone: string): CountingTimes => ({
  times: { start, end, timezone },
  from: null,
  until: null,
});

describe("the window of a photo", () => {
  it("belongs to a date, with the minutes between photo and window", () => {
    const counting = [always("06:00", "08:00", "UTC")];
    const found = (local: string, offset: string | null = null) => {
      const window = windowsOfPhoto(counting, { local, offset })[0];
      return [window?.date, window?.minutesOff];
    };
    expect(found("2026-03-04T07:59:59")).toEqual(["2026-03-04", 0]);
    expect(found("2026-03-04T08:15:00")).toEqual(["2026-03-04", 15]);
    expect(found("2026-03-04T08:15:01")).toEqual(["2026-03-04", 16]);
    expect(found("2026-03-04T05:00:00")).toEqual(["2026-03-04", -60]);
    expect(found("2026-03-04T01:30:00", "-05:30")).toEqual(["2026-03-04", 0]);
  });

  it("reads a time that the clock showed twice as the one in the window", () => {
    // On 25 October 2026 Zurich has 02:00 to 03:00 twice; the window is open from the end of the first of them.
    const counting = [always("03:00", "05:00", "Europe/Zurich")];
    const window = windowsOfPhoto(counting, { local: "2026-10-25T02:50:00", offset: null })[0];
    expect([window?.minutesOff, window?.takenAt.toISOString()]).toEqual([-10, "2026-10-25T01:50:00.000Z"]);
  });

  it("uses a changed window from its date, and the previous one until then", () => {
    const counting: CountingTimes[] = [
      { times: { start: "18:00", end: "20:00", timezone: "UTC" }, from: "2026-03-05", until: null },
      { times: { start: "06:00", end: "08:00", timezone: "UTC" }, from: null, until: "2026-03-05" },
    ];
    const off = (local: string) => windowsOfPhoto(counting, { local, offset: null })[0]?.minutesOff;
    expect(off("2026-03-04T06:30:00")).toBe(0);
    expect(off("2026-03-04T18:30:00")).not.toBe(0);
    expect(off("2026-03-05T06:30:00")).not.toBe(0);
    expect(off("2026-03-05T18:30:00")).toBe(0);
  });
});

describe("the dates that are open for an upload", () => {
  it("are open from the grace before the window to the end of the local day on which it ends", () => {
    const counting = [always("23:00", "01:00", "UTC")];
    const open = (moment: string) => datesOpenForUpload(counting, new Date(moment), 15);
    expect(open("2026-03-04T22:44:59Z")).toEqual(["2026-03-03"]);
    expect(open("2026-03-04T22:45:00Z")).toEqual(["2026-03-03", "2026-03-04"]);
    expect(open("2026-03-05T00:00:00Z")).toEqual(["2026-03-04"]);
  });
});

describe("flags", () => {
  const evidence = {
    isEdited: false,
    isScreenshot: false,
    takenAt: new Date("2026-03-04T06:00:00Z"),
    uploadedAt: new Date("2026-03-04T07:00:00Z"),
    location: null,
    home: null,
  };
  it("are raised above one hour and above 200 km, not at them", () => {
    expect(flagsOf(evidence)).toEqual([]);
    expect(flagsOf({ ...evidence, uploadedAt: new Date("2026-03-04T07:00:00.001Z") })).toEqual(["late_upload"]);
    const home = { latitude: 0, longitude: 0 };
    // A degree of the equator is 111.19 km.
    expect(flagsOf({ ...evidence, home, location: { latitude: 0, longitude: 1.798 } })).toEqual([]);
    expect(flagsOf({ ...evidence, home, location: { latitude: 0, longitude: 1.8 } })).toEqual(["far_away"]);
    expect(flagsOf({ ...evidence, takenAt: null })).toEqual(["no_photo_time"]);
  });

  it("measure distances over the ground, also across the date line", () => {
    expect(distanceKm({ latitude: 47.37, longitude: 8.54 }, { latitude: 46.95, longitude: 7.44 })).toBeCloseTo(95, -1);
    expect(distanceKm({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 })).toBeCloseTo(111.2, 0);
  });
});
