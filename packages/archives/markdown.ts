import { createHash } from "node:crypto";
import { LENGTHS } from "#core/lengths.generated";
import { dateIn, utcDate } from "#core/time/calendar-date";
import type { Archive, ArchiveFile } from "./archive.ts";
import { checked, entryProblem, type Found, type ImportClock, type OpenSource } from "./drafts.ts";
import { type FrontMatter, splitFrontMatter } from "./front-matter.ts";
import { baseName, isHidden } from "./paths.ts";
import { linkedPath, picturesIn, takePictures } from "./pictures.ts";
import { ArchiveProblem } from "./problems.ts";
import { textsOf } from "./texts.ts";
import { dayAsTitle, headingOf, shortTitle } from "./titles.ts";

/** More than 100,000 characters and front matter take. */
const MAX_FILE_BYTES = 500_000;

/** An archive of Markdown files: one entry each. */
export const openMarkdown: OpenSource = async (archive, clock) => {
  const files = archive.files.filter(({ path }) => !isHidden(path) && /\.(md|markdown)$/i.test(path));
  if (files.length === 0) throw new ArchiveProblem("no_entries");
  const pictureOf = picturesIn(archive);
  return {
    files,
    async *entriesOf(file) {
      yield await readEntry(archive, file, clock, pictureOf);
    },
  };
};

async function readEntry(
  archive: Archive,
  file: ArchiveFile,
  clock: ImportClock,
  pictureOf: ReturnType<typeof picturesIn>,
): Promise<Found> {
  const { path } = file;
  if (file.size > MAX_FILE_BYTES)
    return entryProblem(
      path,
      "invalid_content",
      `The text must have at most ${LENGTHS.journal_entry_contents.content.max} characters.`,
    );
  const text = await textOf(archive, file);
  if (text === null) return entryProblem(path, "invalid_encoding", "The file is not UTF-8.");
  const parts = splitFrontMatter(text);
  if ("problem" in parts) return entryProblem(path, "invalid_front_matter", parts.problem);
  const { fields, body } = parts;
  const written = writtenAt(fields, file, clock);
  if (written === null)
    return entryProblem(path, "missing_date", "Neither the front matter, the name nor the archive has a date.");
  const entryDate = fields.entry_date ?? written.date;
  const shown = takePictures(body, (target, alt) => {
    const linked = linkedPath(path, target);
    return linked === null ? null : pictureOf(linked, alt);
  });
  return checked(
    path,
    {
      externalId: fields.id ?? createHash("sha256").update(path).update("\0").update(text).digest("hex"),
      title: fields.title || headingOf(body) || nameAsTitle(path) || dayAsTitle(entryDate),
      content: shown.text,
      mood: fields.mood,
      moodSource: fields.mood_source,
      tags: fields.tags,
      notebook: fields.notebook ? { name: fields.notebook } : null,
      entryDate,
      createdAt: written.at,
      pictures: shown.pictures,
    },
    clock,
  );
}

/** The text of a file; null if it is not UTF-8. */
async function textOf(archive: Archive, file: ArchiveFile): Promise<string | null> {
  let text = "";
  try {
    for await (const part of textsOf(archive.read(file))) text += part;
    return text;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A day as it is written, and the moment that counts as the time of writing. */
interface Written {
  readonly date: string;
  readonly at: Date;
}

/** When a text was written: as its front matter says, else as its name does, else when the file was last changed. */
function writtenAt(fields: FrontMatter, file: ArchiveFile, { timeZone }: ImportClock): Written | null {
  const stated = fields.date ?? fields.entry_date;
  if (stated) return parseDate(stated);
  const [named] = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(baseName(file.path)) ?? [];
  if (named !== undefined) return parseDate(named);
  const { modifiedAt: at, isLocalTime } = file;
  return at === null ? null : { date: isLocalTime ? utcDate(at) : dateIn(timeZone, at), at };
}

/** A date, or a date and a time, which is in UTC unless it says otherwise. A date alone means noon: nearly everywhere the same day. */
function parseDate(text: string): Written {
  const date = text.slice(0, 10);
  const time = text.slice(10).replace(/^[T ]/, "").trim();
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(time);
  return {
    date,
    at: new Date(time === "" ? `${date}T12:00:00Z` : `${date}T${time.replace(" ", "")}${hasZone ? "" : "Z"}`),
  };
}

/** The name of a file without a date at its beginning. */
function nameAsTitle(path: string): string {
  return shortTitle(
    baseName(path)
      .replace(/^\d{4}-\d{2}-\d{2}[ _-]*/, "")
      .trim(),
  );
}
