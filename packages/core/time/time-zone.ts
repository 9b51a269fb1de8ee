import * as z from "zod";

/** Whether a name is an IANA time zone. UTC is one; abbreviations such as EST are not. */
export function isIanaTimeZone(name: string): boolean {
  if (name === "UTC") return true;
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)+$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The name of a time zone in a request. */
export const TimeZone = z
  .string()
  .refine(isIanaTimeZone, "must be an IANA time zone such as Europe/Zurich")
  .meta({ description: "IANA time zone such as Europe/Zurich. Abbreviations such as EST are not accepted." });
