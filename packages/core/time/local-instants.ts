// The functions of the package instead of its classes, because these bring 12 KB more into the bundle of the game.
import { getISO } from "temporal-polyfill/fns/Calendar";
import { equals, fromString, toZonedDateTime } from "temporal-polyfill/fns/PlainDateTime";
import { getTimeZoneTransition, toPlainDateTime } from "temporal-polyfill/fns/ZonedDateTime";

/**
 * The first instant at which a zone's clock shows a time or, if that time is skipped, a later one, in milliseconds.
 * @param local `YYYY-MM-DDTHH:MM`
 * @throws RangeError if it is no time, or there is no such zone
 */
export function firstInstantOf(local: string, timezone: string): number {
  const wanted = fromString(local, getISO);
  const moment = toZonedDateTime(wanted, timezone, { disambiguation: "earlier" });
  if (equals(toPlainDateTime(moment), wanted)) return moment.epochMilliseconds;
  // Skipped: "earlier" is then an instant before the gap, so that the gap is the next transition.
  return (getTimeZoneTransition(moment, "next") ?? moment).epochMilliseconds;
}

/**
 * The instants that a clock's time can mean, in milliseconds: two if the zone's clock showed that time twice, or skipped it.
 * @param local `YYYY-MM-DDTHH:MM`, with seconds and their fraction if they are known
 * @throws RangeError if it is no time, or there is no such zone
 */
export function instantsOf(local: string, timezone: string): number[] {
  const wanted = fromString(local, getISO);
  const times = (["earlier", "later"] as const).map(
    (disambiguation) => toZonedDateTime(wanted, timezone, { disambiguation }).epochMilliseconds,
  );
  return [...new Set(times)];
}
