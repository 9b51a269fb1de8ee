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
    if (typeof value !== "object" || value === null) return undefined;
    return { title: stringOf(value, "title"), content: stringOf(value, "content") };
  } catch {
    return undefined;
  }
}

function stringOf(value: object, name: "title" | "content"): string {
  const found = name in value ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
  return typeof found === "string" ? found : "";
}
