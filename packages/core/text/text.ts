import * as z from "zod";

/**
 * The most combining marks in a row, more than any language writes: the limit of the stream-safe format of Unicode (UAX 15,
 * section 13). Normalizing a run of n marks takes n² steps.
 */
const MAX_MARKS = 30;
const FIRST_MARK = 0x300;
const [MARK, COMPOSED, LETTER] = [1, 2, 3];
/** The kind of each code point that was seen before. Asking the regular expressions each time takes 100 times as long. */
const kinds = new Uint8Array(0x110000);
/** Letters that NFC may join with the one before them: vowels and finals of Hangul, and vowels of Kirat Rai. */
const COMPOSED_LETTER = /[\u1161-\u1175\u11a8-\u11c2\u{16d67}\u{16d68}]/u;

function kindOf(point: number): number | undefined {
  if (kinds[point] === 0) {
    const character = String.fromCodePoint(point);
    kinds[point] = /\p{M}/u.test(character) ? MARK : COMPOSED_LETTER.test(character) ? COMPOSED : LETTER;
  }
  return kinds[point];
}

/**
 * Whether a text has too many marks in a row, or is longer than `max` however it is normalized, which takes many times as
 * long as counting. Composition (Unicode, definition D117) takes away marks and composed letters alone, so all other letters
 * stay. More marks than a text may have characters are more than any language writes, and are too many even if composition
 * would take most of them away.
 */
function isTooMuch(text: string, max = Infinity): boolean {
  let [run, marks, letters] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0;
    if (point > 0xffff) at += 1;
    const kind = point < FIRST_MARK ? LETTER : kindOf(point);
    run = kind === MARK ? run + 1 : 0;
    if (kind === MARK) marks += 1;
    else if (kind === LETTER) letters += 1;
    if (run > MAX_MARKS || marks > max || letters > max) return true;
  }
  return false;
}

/**
 * Why a string cannot be stored, or null if it can: PostgreSQL allows no NUL in text, half a surrogate pair cannot be
 * encoded, and a long run of combining marks cannot be normalized.
 */
export function textProblem(text: string): string | null {
  if (text.includes("\u0000")) return "must not contain NUL characters";
  if (!text.isWellFormed()) return "must be well-formed Unicode";
  if (isTooMuch(text)) return `must not have more than ${MAX_MARKS} combining marks in a row`;
  return null;
}

/** The number of Unicode code points of a string, as PostgreSQL's char_length counts. */
export function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1;
    count += 1;
  }
  return count;
}

/** The beginning of a text, at most `max` code points. */
export function firstCodePoints(text: string, max: number): string {
  // A string never has more code points than UTF-16 units, so most texts need no counting.
  if (text.length <= max) return text;
  let [taken, end] = [0, 0];
  for (const character of text) {
    if (taken === max) break;
    taken += 1;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Text as it is stored: trimmed, in Unicode form NFC. One that cannot be normalized stays, so that textProblem reports it. */
export function normalizeText(text: string, trims = true): string {
  return isTooMuch(text) ? text : toNfc(text, trims);
}

function toNfc(text: string, trims: boolean): string {
  return trims ? text.normalize("NFC").trim() : text.normalize("NFC");
}

/** An optional text as it is stored: an empty one is null. */
export function textOrNull(text: string | null | undefined): string | null {
  return text || null;
}

/**
 * A zod string that is trimmed, normalized to NFC and measured in code points.
 * @param bounds min (default 1) and max number of code points; with `trims: false` it keeps its blanks
 */
export function text(bounds: { min?: number; max: number; trims?: boolean }) {
  const { min = 1, max, trims = true } = bounds;
  return z
    .string()
    .check(refusing((value) => problemAsSent(value, max, trims)))
    .overwrite((value) => toNfc(value, trims))
    .check(refusing((value) => lengthProblem(value, min, max) ?? textProblem(value)))
    .meta({ minLength: min, maxLength: max });
}

/** A check that refuses the values with a problem. What follows it is not run for them. */
function refusing(problemOf: (value: string) => string | null): z.core.CheckFn<string> {
  return (context) => {
    const problem = problemOf(context.value);
    if (problem !== null) context.issues.push({ code: "custom", message: problem, input: context.value });
  };
}

/** Why a text need not be normalized, or null. Normalizing makes at most four units one character. */
export function problemAsSent(value: string, max: number, trims = true): string | null {
  if (value.length > 4 * max) return tooLong(max);
  return (
    textProblem(value) ?? (value.length > max && isTooMuch(trims ? value.trim() : value, max) ? tooLong(max) : null)
  );
}

function lengthProblem(value: string, min: number, max: number): string | null {
  // A string never has more code points than UTF-16 units, so most need no counting.
  if (value.length < min || (value.length < 2 * min && codePoints(value) < min)) {
    return min === 1 ? "must not be blank" : `must have at least ${min} characters`;
  }
  if (value.length > max && codePoints(value) > max) return tooLong(max);
  return null;
}

function tooLong(max: number): string {
  return `must have at most ${max} characters`;
}
