import { createHash } from "node:crypto";
import { AppError, type ErrorCode } from "#core/errors";
import { textProblem } from "#core/text/text";
import type { AppContext } from "../services/context.ts";
import { readBytes } from "./request-body.ts";

// The platform's `formData()` replaces invalid UTF-8 in silence and has no limit on parts: it reads 190,000 of them from
// 10 MB, which blocks the process for two seconds. So the form is parsed here.

/** A form as it was sent. */
export interface Form {
  /** Text fields by name. */
  readonly fields: ReadonlyMap<string, string>;
  /** Files by name: views into the body, so that a large one is in memory once. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Hashes names and contents, but not the boundary: clients choose a new one for each attempt. */
  digest(): string;
}

const MAX_PARTS = 20;
const MAX_HEADER_BYTES = 4 * 1024;
const MAX_FIELD_BYTES = 64 * 1024;
/** The parameters of a header one after the other, with and without quotes: a quoted file name may look like parameters. */
const PARAMETERS = /;\s*([\w*-]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^\s;"]*))/g;

/**
 * Reads a body of multipart/form-data.
 * @param maxBytes of the whole body
 * @param tooLarge the error for a larger one
 * @throws AppError 415 for another media type, 400 for a malformed form
 */
export async function readForm(c: AppContext, maxBytes: number, tooLarge: ErrorCode): Promise<Form> {
  const type = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    c.req.header("content-type") ?? "",
  );
  const boundary = type?.[1] ?? type?.[2];
  if (boundary === undefined) {
    const sentence = "The body has an unsupported media type; send multipart/form-data with its boundary.";
    throw new AppError("request.unsupported_media_type", { sentence });
  }
  return parseForm(await readBytes(c.req.raw, maxBytes, () => new AppError(tooLarge)), boundary);
}

function parseForm(body: Buffer, boundary: string): Form {
  const fields = new Map<string, string>();
  const files = new Map<string, Uint8Array>();
  const parts = partsOf(body, Buffer.from(`\r\n--${boundary}`, "latin1")).map(readPart);
  for (const { name, isFile, content } of parts) {
    if (fields.has(name) || files.has(name)) throw malformed("A field of the form comes twice.");
    if (isFile) files.set(name, content);
    else fields.set(name, decode(content));
  }
  return { fields, files, digest: () => digestOf(parts) };
}

function digestOf(parts: readonly Part[]): string {
  const hash = createHash("sha256");
  for (const { name, isFile, content } of parts) {
    hash.update(`${JSON.stringify([name, isFile, content.length])}\n`).update(content);
  }
  return hash.digest("hex");
}

/** Splits a body at its delimiters. The line end before a delimiter is part of it. */
function partsOf(body: Buffer, delimiter: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  const first = body.indexOf(delimiter.subarray(2));
  // The body starts with the first delimiter, with or without its line end.
  if (first !== 0 && (first < 2 || body.toString("latin1", first - 2, first) !== "\r\n")) {
    throw malformed("The form has no beginning.");
  }
  let at = first + delimiter.length - 2;
  while (body.toString("latin1", at, at + 2) !== "--") {
    if (body.toString("latin1", at, at + 2) !== "\r\n") throw malformed("The form has a broken delimiter.");
    const end = body.indexOf(delimiter, at);
    if (end < 0) throw malformed("The form has no end.");
    if (parts.length === MAX_PARTS) throw malformed("The form has too many fields.");
    parts.push(body.subarray(at + 2, end));
    at = end + delimiter.length;
  }
  return parts;
}

interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly content: Buffer;
}

function readPart(part: Buffer): Part {
  const end = part.subarray(0, MAX_HEADER_BYTES).indexOf("\r\n\r\n");
  if (end < 0) throw malformed("A field of the form has no header.");
  const disposition = part
    .toString("utf8", 0, end)
    .split("\r\n")
    .find((line) => /^content-disposition\s*:/i.test(line));
  const parameters = [...(disposition ?? "").matchAll(PARAMETERS)];
  const named = (key: string) => parameters.find(([, sent]) => sent?.toLowerCase() === key);
  const [, , quoted, token] = named("name") ?? [];
  const name = quoted ?? token;
  if (name === undefined || textProblem(name) !== null) throw malformed("A field of the form has no name.");
  const isFile = (named("filename") ?? named("filename*")) !== undefined;
  return { name, isFile, content: part.subarray(end + 4) };
}

function decode(content: Buffer): string {
  if (content.length > MAX_FIELD_BYTES) throw malformed("A field of the form is too long.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw malformed("A field of the form is not valid UTF-8.");
  }
  const problem = textProblem(text);
  if (problem !== null) throw malformed(`Text in the form ${problem}.`);
  return text;
}

function malformed(message: string): AppError {
  return new AppError("request.invalid", { issues: [{ path: "", message }] });
}
