import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A plausible bug, which the tests of its topic should find. */
export interface Mutant {
  readonly tests: readonly string[];
  /** How the path of the file ends. */
  readonly file: string;
  readonly name: string;
  readonly find: string;
  readonly replace: string;
}

const SOURCES = "{functions,packages,local,ops,tools,supabase/schemas}/**/*.{ts,sql}";

/** The bugs of `mutants.diff`. */
export function readMutants(): Mutant[] {
  const text = readFileSync(new URL("mutants.diff", import.meta.url), "utf8");
  return text.split("\n@ ").slice(1).flatMap(mutantsOf);
}

/** The mutants of a topic, whose first line names its tests. */
function mutantsOf(topic: string): Mutant[] {
  const [tests = "", ...lines] = topic.split("\n");
  const isHeading = (line: string) => /^\w/.test(line);
  return lines.flatMap((heading, index) => {
    if (!isHeading(heading)) return [];
    const after = lines.slice(index + 1);
    const end = after.findIndex((line) => isHeading(line) || line === "");
    const changed = (sign: string) =>
      after
        .slice(0, end < 0 ? undefined : end)
        .flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : []))
        .join("\n");
    const [file = "", name = ""] = heading.split(": ");
    return [{ tests: tests.split(" "), file, name, find: changed("-"), replace: changed("+") }];
  });
}

/** The one file of a folder that has the text of a mutant, once. @throws Error if there is none, or another one */
export function fileOf(folder: string, { file, name, find }: Mutant): { path: string; text: string } {
  const found = globSync(SOURCES, { cwd: folder }).flatMap((relative) => {
    if (!relative.endsWith(`/${file}`)) return [];
    const path = join(folder, relative);
    const text = readFileSync(path, "utf8");
    return text
      .split(find)
      .slice(1)
      .map(() => ({ path, text }));
  });
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`${file}: ${name}: its text is there ${found.length} times.`);
  return only;
}
