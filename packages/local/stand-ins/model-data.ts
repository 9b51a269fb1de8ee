import { isRecord, parsedJson, stringOf } from "./json.ts";

/** The journal text inside a prompt. */
export interface JournalText {
  readonly title: string;
  readonly content: string;
}

/** Finds title and content in a prompt: a JSON object, with or without words around it, else the whole prompt as content. */
export function journalText(data: string): JournalText {
  const object = [data, data.slice(data.indexOf("{"), data.lastIndexOf("}") + 1)].map(parsedJson).find(isRecord);
  if (object === undefined) return { title: "", content: data };
  return { title: stringOf(object, "title"), content: stringOf(object, "content") };
}
