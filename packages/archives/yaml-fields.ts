/** A value of front matter: a text, a list of texts, or nothing. */
export type YamlValue = string | readonly string[] | null;

/** `name: value`; no name begins with a character that has a meaning of its own in YAML. */
const FIELD = /^(?![\s\-?,[\]{}&*!|>%@`])((?:[^:]|:(?!\s|$))+):(?:\s+(.*))?$/s;
/** A line that belongs to the field above it. */
const CONTINUES = /^(?:\s|$|-(?:\s|$)|[\]}])/;
const IS_COMMENT = /^\s*#/;
const IS_EMPTY = /^\s*(?:#|$)/;
const BLOCK_TEXT = /^[|>][-+0-9]*(?:\s+#.*)?$/s;
const LIST_ITEM = /^(\s*)-(?:\s+(.*))?$/s;
/** A text in quotes, or one without, up to the end of an item of a list in brackets. */
const BRACKET_ITEM = /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*|([^\s,[\]{}"'][^,[\]{}]*))?([,\]])/sy;
const QUOTED = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')(?:\s+#.*|\s*)$/s;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gs;
/** Begins something that is no text, such as an alias, or contains a field. */
const NOT_PLAIN = /^(?:[[\]{}&*!|>%@`"',]|[-?:](?:\s|$))|:(?:\s|$)/;
const ESCAPED: Readonly<Record<string, string>> = {
  ...{ 0: "\0", a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b" },
  ...{ N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029", '"': '"', "/": "/", "\\": "\\", " ": " ", "\t": "\t" },
};

class NotYaml extends Error {}

/**
 * Reads the part of YAML that programs write about a text: fields with texts or flat lists of texts, of which numbers,
 * dates and true are some. Takes time in proportion to the length of the YAML, which libraries for all of YAML do not.
 * @param names of the fields to read, in small letters; others may have any value
 * @param optional those that are left out if they have a value of another kind
 * @returns null if it is no such YAML
 */
export function readYamlFields(
  yaml: string,
  names: ReadonlySet<string>,
  optional: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, YamlValue> | null {
  const read = orNull(() => {
    const values = new Map<string, YamlValue>();
    for (const [first, ...more] of fieldsOf(yaml)) {
      const [, name = "", inline = ""] = FIELD.exec(first ?? "") ?? [];
      if (name === "") throw new NotYaml();
      const key = textOf(name)?.toLowerCase() ?? "";
      if (!names.has(key)) continue;
      if (values.has(key)) throw new NotYaml();
      const value = orNull(() => fieldValue(inline.trim(), more));
      if (value !== null) values.set(key, value.read);
      else if (!optional.has(key)) throw new NotYaml();
    }
    return values;
  });
  return read?.read ?? null;
}

/** What was read; null if it is no such YAML. */
function orNull<Value>(read: () => Value): { readonly read: Value } | null {
  try {
    return { read: read() };
  } catch (error) {
    if (error instanceof NotYaml) return null;
    throw error;
  }
}

/** The lines of each field. */
function fieldsOf(yaml: string): string[][] {
  const fields: string[][] = [];
  for (const line of yaml.split(/\r?\n/)) {
    const current = fields.at(-1);
    if (CONTINUES.test(line) && current !== undefined) current.push(line);
    else if (line.trim() !== "" && !line.startsWith("#")) fields.push([line]);
  }
  return fields;
}

function fieldValue(inline: string, more: readonly string[]): YamlValue {
  if (inline !== "" && !inline.startsWith("#")) return listOrText(inline, more);
  const start = more.findIndex((line) => !IS_EMPTY.test(line));
  const lines = start === -1 ? [] : more.slice(start);
  const [first = "", ...others] = lines;
  return LIST_ITEM.test(first) ? dashList(lines) : listOrText(first.trim(), others);
}

function listOrText(first: string, more: readonly string[]): YamlValue {
  return first.startsWith("[")
    ? bracketList([first, ...more.map((line) => line.trim())].join("\n"))
    : textIn(first, more);
}

function dashList(lines: readonly string[]): string[] {
  const items: [string, ...string[]][] = [];
  let indent: string | undefined;
  for (const line of lines) {
    const [, before, item = ""] = LIST_ITEM.exec(line) ?? [];
    indent ??= before;
    if (before === indent) items.push([item]);
    else items.at(-1)?.push(line);
  }
  return withoutNull(items.map(([first, ...more]) => textIn(first, more)));
}

function bracketList(text: string): string[] {
  const items: (string | null)[] = [];
  for (let [at, end] = [1, ""]; end !== "]"; ) {
    BRACKET_ITEM.lastIndex = at;
    const [, quoted, plain, mark] = BRACKET_ITEM.exec(text) ?? [];
    if (mark === undefined) throw new NotYaml();
    items.push(textOfLines(quoted ?? plain ?? ""));
    [at, end] = [BRACKET_ITEM.lastIndex, mark];
    if (end === "]" && textOf(text.slice(at)) !== null) throw new NotYaml();
  }
  return withoutNull(items);
}

/** The text that begins on the line of a name or a dash. */
function textIn(first: string, more: readonly string[]): string | null {
  if (BLOCK_TEXT.test(first)) return blockText(first, more);
  const lines = /^["']/.test(first) ? more : more.filter((line) => !IS_COMMENT.test(line));
  return textOfLines([first, ...lines].map((line) => line.trim()).join("\n"));
}

function textOfLines(lines: string): string | null {
  // In double quotes, a backslash at the end of a line joins it with the next one.
  const joined = lines.startsWith('"')
    ? lines.replaceAll(/\\(.)/gs, (pair, next) => (next === "\n" ? "" : pair))
    : lines;
  return textOf(folded(joined));
}

function blockText(style: string, lines: readonly string[]): string {
  const [digit] = /\d/.exec(style) ?? [];
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const indent = digit === undefined ? first.length - first.trimStart().length : Number(digit);
  const text = lines.map((line) => line.slice(indent)).join("\n");
  return style.startsWith("|") ? text.trimEnd() : folded(text);
}

/** Makes a space of each line break, and a line break of each empty line. */
function folded(text: string): string {
  return text.trim().replaceAll(/\n+/g, (breaks) => (breaks.length === 1 ? " " : breaks.slice(1)));
}

function withoutNull(items: readonly (string | null)[]): string[] {
  return items.filter((item) => item !== null);
}

function textOf(written: string): string | null {
  const [isQuoted, double, single] = QUOTED.exec(written) ?? [];
  if (isQuoted !== undefined) return double === undefined ? (single ?? "").replaceAll("''", "'") : unescaped(double);
  const plain = (written.startsWith("#") ? "" : (written.split(/\s#/, 1)[0] ?? "")).trim();
  if (NOT_PLAIN.test(plain)) throw new NotYaml();
  return /^(?:|~|null)$/i.test(plain) ? null : plain;
}

function unescaped(text: string): string {
  return text.replaceAll(ESCAPE, (_, x?: string, u?: string, long?: string, letter = "") => {
    const hex = x ?? u ?? long;
    const character = hex === undefined ? ESCAPED[letter] : characterOf(Number.parseInt(hex, 16));
    if (character === undefined) throw new NotYaml();
    return character;
  });
}

function characterOf(codePoint: number): string | undefined {
  return codePoint > 0x10ffff ? undefined : String.fromCodePoint(codePoint);
}
