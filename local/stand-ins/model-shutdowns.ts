import { readFileSync } from "node:fs";

/** The types of OpenAI's SDK, whose comments name the models that were or will be shut down. */
const TYPES = ["shared.d.ts", "images.d.ts"];
/** Such as `- "gpt-4o", "gpt-4o-mini": Announced shutdown date: 2027-01-14.` or `... was shut down on October 23, 2026.` */
const ITEM = /- ("[^:]+"): [^.]*?(?:shutdown date: |(?:shut down|retired) on )(\d{4}-\d\d-\d\d|\w+ \d+, \d{4})/g;

/** When each model that OpenAI's SDK calls deprecated is shut down, as `2027-01-14`. */
export const SHUTDOWNS: ReadonlyMap<string, string> = new Map(TYPES.flatMap(shutdownsIn));

function shutdownsIn(file: string): [string, string][] {
  const types = readFileSync(new URL(file, import.meta.resolve("openai/resources/shared")), "utf8");
  const words = types.replaceAll(/\s+\*\s+/g, " ");
  return [...words.matchAll(ITEM)].flatMap(([, names = "", date = ""]) => {
    const day = new Date(`${date} UTC`).toISOString().slice(0, 10);
    return [...names.matchAll(/"([^"]+)"/g)].map(([, model = ""]): [string, string] => [model, day]);
  });
}
