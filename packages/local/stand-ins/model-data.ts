/** The journal text inside a prompt. */
export interface JournalText {
  readonly title: string;
  readonly content: string;
}

/** Finds title and content in a prompt: a JSON object, perhaps with words around it, or else nothing but text. */
export function journalText(data: string): JournalText {
  const object = parsed(data) ?? parsed(data.slice(data.indexOf("{"), data.lastIndexOf("}") + 1));
  return object ?? { title: "", content: data };
}

function parsed(text: string): JournalText | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    return { title: stringOf(value, "title"), content: stringOf(value, "content") };
  } catch {
    return undefined;
  }
}

/** A string of a parsed object, or the empty one when there is none of that name. */
export function stringOf(value: Readonly<Record<string, unknown>>, name: string): string {
  const found = value[name];
  return typeof found === "string" ? found : "";
}

/** Whether a parsed value is an object with names. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
