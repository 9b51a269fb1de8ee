import * as z from "zod";
import { parsedJson } from "./json.ts";

/** The journal text inside a prompt. */
const JournalText = z.object({ title: z.string().catch(""), content: z.string().catch("") });

/** Finds title and content in a prompt: a JSON object, with or without words around it, else the whole prompt as content. */
export function journalText(data: string): z.infer<typeof JournalText> {
  const candidates = [data, data.slice(data.indexOf("{"), data.lastIndexOf("}") + 1)];
  const found = candidates.map((text) => JournalText.safeParse(parsedJson(text))).find(({ success }) => success);
  return found?.data ?? { title: "", content: data };
}
