import * as z from "zod";

/** The zones for which `Intl` keeps a name that the IANA database has replaced, and that not every PostgreSQL knows. */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

const RESOLVED = new Set(Intl.supportedValuesOf("timeZone"));

/** The current name of a time zone that is spelled in any way, such as Asia/Kolkata for asia/calcutta; null if it is none. */
export function canonicalTimeZone(name: string): string | null {
  // EST and EST5EDT say nothing about daylight saving, or are used for several zones.
  const isAbbreviation = /^[a-z]{3}(\d[a-z]{3})?$/i.test(name) && !/^(GMT|UTC|UCT|PRC|ROC|ROK)$/i.test(name);
  if (isAbbreviation || !/^[a-z]/i.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    const isKnown = RESOLVED.has(timeZone) || timeZone === "UTC" || /^Etc\/GMT[+-]\d+$/.test(timeZone);
    return isKnown ? (CURRENT_NAMES[timeZone] ?? timeZone) : null;
  } catch {
    return null;
  }
}

/** Whether a name is an IANA time zone. UTC is one; abbreviations such as EST are not. */
function isIanaTimeZone(name: string): boolean {
  return canonicalTimeZone(name) !== null;
}

/** The name of a time zone in a request, as its current name. */
export const TimeZone = z
  .string()
  .refine(isIanaTimeZone, "must be an IANA time zone such as Europe/Zurich")
  .overwrite((name) => canonicalTimeZone(name) ?? name)
  .meta({
    description:
      "IANA time zone such as Europe/Zurich, in any spelling; older names become the current one, such as Europe/Kyiv for Europe/Kiev. Abbreviations such as EST are not accepted.",
  });
