/** Whether a name is a time zone of the IANA database; abbreviations such as EST are not, and UTC is. */
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
