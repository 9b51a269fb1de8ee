/** An entry, as its Markdown file shows it. */
export interface MarkdownEntry {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  /** When it was written, in RFC 3339. */
  readonly created_at: string;
  /** The day that it is about, as YYYY-MM-DD. */
  readonly entry_date: string;
  readonly mood: string | null;
  readonly tags: readonly string[];
  /** The name of its notebook. */
  readonly notebook: string | null;
  /** In their order. */
  readonly pictures: readonly { readonly id: string; readonly caption: string | null }[];
}

/** Characters that YAML does not allow as they are, or takes for the end of a line, but JSON leaves alone. */
const NOT_IN_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A path has 255 bytes at most for each name on common file systems; a character of a title can have four. */
const MAX_TITLE_CHARACTERS = 40;

/** The path of the file of an entry: journal/YYYY/MM/DD-<title>-<id>.md, safe as a file name everywhere. */
export function markdownPath({ id, title, entry_date }: Pick<MarkdownEntry, "id" | "title" | "entry_date">): string {
  const [year, month, day] = entry_date.split("-");
  const words = title.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const name = [...words.join("-")].slice(0, MAX_TITLE_CHARACTERS).join("").replace(/-$/, "");
  return `journal/${year}/${month}/${[day, name, id].filter((part) => part !== "").join("-")}.md`;
}

/** The Markdown file of an entry: front matter in YAML, the text as it was written, and its pictures. */
export function markdownOf(entry: MarkdownEntry): string {
  const { id, title, created_at, entry_date, mood, tags, notebook, content, pictures } = entry;
  const fields = { id, title, date: created_at, entry_date, mood, tags, notebook };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${quoted(value)}`);
  const links = pictures.map((picture) => `![${altOf(picture.caption)}](../../../${picturePath(picture.id)})`);
  return `---\n${lines.join("\n")}\n---\n\n${[content, ...links].join("\n\n")}\n`;
}

/** The path of a picture of an entry. */
export function picturePath(id: string): string {
  return `files/pictures/${id}.jpg`;
}

/** A caption as the text of a link. */
function altOf(caption: string | null): string {
  return (caption ?? "").replaceAll(/\s+/g, " ").replaceAll(/[[\]\\]/g, "\\$&");
}

/** A text, a list of texts or null as YAML: JSON is YAML but for a few characters, which are escaped. */
function quoted(value: string | readonly string[] | null): string {
  return JSON.stringify(value).replaceAll(
    NOT_IN_YAML,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
