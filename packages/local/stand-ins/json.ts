/** A text as JSON; undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with properties. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A string of an object; empty if it has none of that name. */
export function stringOf(value: Readonly<Record<string, unknown>>, name: string): string {
  const found = value[name];
  return typeof found === "string" ? found : "";
}
