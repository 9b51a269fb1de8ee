import fc from "fast-check";
import { clockChanges, type QuietHours } from "#tests/wall-clock";

/** Zones with whole, half and quarter hours, whose clocks change at many times of the day, by half an hour, or never. */
export const ZONES = [
  "UTC",
  "Europe/Berlin",
  "Europe/London",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Atlantic/Azores",
  "America/New_York",
  "America/St_Johns",
  "America/Havana",
  "America/Santiago",
  "America/Nuuk",
  "Antarctica/Troll",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
] as const;

const HOUR = 3_600_000;

/** Years in which clocks change as they do now, and the turn of 2011, when Samoa skipped a day. */
const YEARS = [
  [Date.UTC(2026, 0), Date.UTC(2030, 0)],
  [Date.UTC(2011, 8), Date.UTC(2012, 5)],
] as const;

const changes = new Map(
  ZONES.map((zone) => [zone, YEARS.flatMap(([from, until]) => clockChanges(zone, from, until, 12 * HOUR))]),
);

/** Moments, in milliseconds, three of four of them within two days of a change of the zone's clock. */
export function moments(zone: (typeof ZONES)[number]): fc.Arbitrary<number> {
  const anywhere = fc.noBias(fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) }));
  const ofZone = changes.get(zone) ?? [];
  if (ofZone.length === 0) return anywhere;
  const near = fc
    .tuple(fc.constantFrom(...ofZone), fc.noBias(fc.integer({ min: -48 * HOUR, max: 6 * HOUR })))
    .map(([change, distance]) => change + distance);
  return fc.oneof({ weight: 3, arbitrary: near }, { weight: 1, arbitrary: anywhere });
}

/** Minutes of the day, half of them in the hours in which most clocks change. */
export const minuteOfDay = fc.oneof(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 0, max: 240 }));

/** Quiet hours in a zone; they may pass midnight and last from a minute to nearly a day. */
export function quietHours(zone: string): fc.Arbitrary<QuietHours> {
  return fc
    .record({ zone: fc.constant(zone), start: minuteOfDay, end: minuteOfDay })
    .filter(({ start, end }) => start !== end);
}

/** Minutes of the day as `HH:MM`. */
export function clockTime(minutes: number): string {
  return new Date(minutes * 60_000).toISOString().slice(11, 16);
}
