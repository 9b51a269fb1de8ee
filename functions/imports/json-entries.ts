import type * as z from "zod";
import type { Archive, ArchiveFile } from "./archive.ts";
import { entryProblem, type Found } from "./drafts.ts";
import { jsonElements } from "./json-elements.ts";
import { ArchiveProblem } from "./problems.ts";
import { textsOf } from "./texts.ts";

/** The longest entry in UTF-16 units: more than a text of 100,000 characters takes, with every form that a program adds to it. */
const MAX_ENTRY_LENGTH = 8_000_000;

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

/** The elements of the list in a JSON file; undefined for one that is too long. */
export async function* jsonValues(archive: Archive, file: ArchiveFile): AsyncGenerator<unknown, void> {
  try {
    for await (const text of jsonElements(textsOf(archive.read(file)), "entries", MAX_ENTRY_LENGTH)) {
      yield text === null ? undefined : JSON.parse(text);
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw new ArchiveProblem("invalid_json", file.path);
    throw error;
  }
}
