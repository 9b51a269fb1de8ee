import { createHash } from "node:crypto";

/** The same UUID (version 8) for the same name on every machine, so that examples may name what the demo data holds. */
export function stableId(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * A time of day a little after the one given, the same on every machine for the same name: nobody does everything at
 * the full hour.
 * @param time HH:MM
 * @param withinMinutes how much later it is at most, exclusive; it must stay the same day
 * @returns HH:MM:SS
 */
export function timeOfDay(time: string, name: string, withinMinutes = 1): string {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const seconds = createHash("sha256").update(name).digest().readUInt32BE() % (withinMinutes * 60);
  const total = (hours * 60 + minutes) * 60 + seconds;
  return [total / 3600, (total / 60) % 60, total % 60]
    .map((part) => String(Math.floor(part)).padStart(2, "0"))
    .join(":");
}
