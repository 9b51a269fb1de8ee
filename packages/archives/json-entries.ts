import { JSONParser } from "@streamparser/json";
import type * as z from "zod";
import type { Archive, ArchiveFile } from "./archive.ts";
import { entryProblem, type Found } from "./drafts.ts";
import { ArchiveProblem } from "./problems.ts";

/**
 * The entries in a JSON file with a list of them, or with an object whose field `entries` is the list, one after the other.
 * @param check makes an entry of what fits the schema
 * @throws ArchiveProblem if the file is no such JSON
 */
export async function* readJsonEntries<Schema extends z.ZodType>(
  archive: Archive,
  file: ArchiveFile,
  schema: Schema,
  check: (path: string, element: z.output<Schema>) => Found,
): AsyncGenerator<Found, void> {
  let index = 0;
  for await (const element of jsonValues(archive, file)) {
    const path = `${file.path}[${index}]`;
    index += 1;
    const { success, data, error } = schema.safeParse(element);
    yield success
      ? check(path, data)
      : entryProblem(
          path,
          "invalid_entry",
          `The field ${error.issues[0]?.path.join(".") || "of the entry"} is missing or invalid.`,
        );
  }
}

/**
 * The elements of the list in a JSON file; only those of a chunk are in memory. (`stream-json` 3.8.0 is not meant for files
 * of strangers.)
 */
export async function* jsonValues(archive: Archive, file: ArchiveFile): AsyncGenerator<unknown, void> {
  const values: unknown[] = [];
  let hasList = false;
  let parser: JSONParser | undefined;
  for await (const chunk of archive.read(file)) {
    parser ??= parserOf(chunk);
    try {
      parser.write(chunk);
    } catch {
      throw new ArchiveProblem("invalid_json", file.path);
    }
    yield* values.splice(0);
  }
  if (parser?.isEnded !== true || !hasList) throw new ArchiveProblem("invalid_json", file.path);

  function parserOf(first: Uint8Array): JSONParser {
    const isList = /^(?:\xef\xbb\xbf)?\s*\[/.test(Buffer.from(first).toString("latin1"));
    const paths = [isList ? "$.*" : "$.entries.*"];
    // The beginning of the list is such a partial value.
    const created = new JSONParser({ paths, keepStack: false, emitPartialValues: true });
    created.onValue = ({ value, parent, partial }) => {
      if (!Array.isArray(parent)) throw new SyntaxError("The field is no list.");
      hasList = true;
      if (partial !== true) values.push(value);
    };
    return created;
  }
}
