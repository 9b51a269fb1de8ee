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
