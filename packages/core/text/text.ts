import * as z from "zod";

/**
 * The most combining marks in a row, more than any language writes: the limit of the stream-safe format of Unicode (UAX 15,
 * section 13). Normalizing a run of n marks takes n² steps.
 */
const MAX_MARKS = 30;
const [MARK, NO_MARK] = [1, 2];
/** What each code point is, once it was seen: the regular expression alone would take 100 times as long. */
const kinds = new Uint8Array(0x110000);

function hasTooManyMarks(text: string): boolean {
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0;
    if (point > 0xffff) at += 1;
    if (kinds[point] === 0) kinds[point] = /\p{M}/u.test(String.fromCodePoint(point)) ? MARK : NO_MARK;
    run = kinds[point] === MARK ? run + 1 : 0;
    if (run > MAX_MARKS) return true;
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
  if (hasTooManyMarks(text)) return `must not have more than ${MAX_MARKS} combining marks in a row`;
  return null;
}

/** The number of Unicode code points of a string, as PostgreSQL's char_length counts. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
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
  if (hasTooManyMarks(text)) return text;
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
  const min = bounds.min ?? 1;
  return (
    z
      .string()
      // Normalizing makes at most four units one character. A text that is longer is refused as it is.
      .check((context) => {
        if (context.value.length > 4 * bounds.max) {
          context.issues.push({ code: "custom", message: tooLong(bounds.max), input: context.value });
        }
      })
      .overwrite((value) => normalizeText(value, bounds.trims))
      .check((context) => {
        const problem = textProblem(context.value) ?? lengthProblem(context.value, min, bounds.max);
        if (problem !== null) {
          context.issues.push({ code: "custom", message: problem, input: context.value });
        }
      })
      .meta({ minLength: min, maxLength: bounds.max })
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
