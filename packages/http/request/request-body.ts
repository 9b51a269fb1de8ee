import { AppError } from "#core/errors";
import { inMb } from "#core/text/numbers";
import { textProblem } from "#core/text/text";
import type { AppContext } from "../services/context.ts";

/**
 * The most kilobytes of a JSON body: 16 of a token, 1024 with a long text, 64 of all others. A long text may have 12 bytes a
 * character, as JSON with escapes has.
 */
export type BodyKb = 16 | 64 | 1024;
export const DEFAULT_BODY_KB = 64;
/** The most bytes of a body beside its texts: parsing a megabyte of small values would hold the thread ten times as long. */
const MAX_BYTES_BESIDE_TEXTS = 64 * 1024;
/** No request needs deeper nesting, and checking it takes time. */
const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/** The sentence of request.too_large where a body may have so many kilobytes. */
export function tooLargeSentence(maxKb: BodyKb): string {
  return maxKb === 1024
    ? `The body is larger than ${inMb(maxKb * 1024)}, or than ${MAX_BYTES_BESIDE_TEXTS / 1024} KB without its texts.`
    : `The body is larger than ${maxKb} KB.`;
}

/**
 * Reads the JSON body of a request.
 * @param absent the value of an empty body, whatever its media type, if it may be left out
 * @throws AppError 415 for another media type, 413 for a body that is too large, 400 for malformed JSON
 */
export async function readJsonBody(
  c: AppContext,
  maxKb: BodyKb,
  absent?: object,
): Promise<{ text: string; value: unknown }> {
  const isJson = /^application\/([a-z0-9.-]+\+)?json\s*(;.*)?$/i.test(c.req.header("content-type") ?? "");
  if (!isJson && absent === undefined) throw notJson();
  const text = await readTextBody(c, maxKb);
  if (text === "" && absent !== undefined) return { text, value: absent };
  if (!isJson) throw notJson();
  const value = parse(text);
  const problem = findProblem(value);
  if (problem !== null) throw malformed(problem);
  return { text, value };
}

function notJson(): AppError {
  const sentence = "The body has an unsupported media type; send application/json.";
  return new AppError("request.unsupported_media_type", { sentence });
}

/**
 * Reads the body of a request exactly as it was sent, because a signature may cover the text.
 * @throws AppError 413 for a body that is too large, 400 for invalid UTF-8
 */
export async function readTextBody(c: Pick<AppContext, "req">, maxKb: BodyKb): Promise<string> {
  const tooLarge = () => new AppError("request.too_large", { sentence: tooLargeSentence(maxKb) });
  const bytes = await readBytes(c.req.raw, maxKb * 1024, tooLarge);
  if (bytes.length > MAX_BYTES_BESIDE_TEXTS) {
    await turnOfItsOwn();
    if (bytesBesideTexts(bytes) > MAX_BYTES_BESIDE_TEXTS) throw tooLarge();
  }
  return decode(bytes);
}

/**
 * Resolves in a turn of the event loop in which no other large body is looked at: each takes up to 20 ms, and so other
 * requests come between them.
 */
function turnOfItsOwn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}
let lastTurn = Promise.resolve();

/** Counts the bytes of JSON outside of its texts, with their quotes; names of fields are no texts. */
function bytesBesideTexts(json: Uint8Array): number {
  let [count, lengthOfText] = [0, 0];
  for (let at = 0; at < json.length; at += 1) {
    count += 1;
    if (json[at] === COLON) count += lengthOfText;
    if (json[at] !== QUOTE) continue;
    const start = at + 1;
    at = endOfText(json, start);
    lengthOfText = at - start;
    count += 1;
  }
  return count;
}

/** Finds the quote that ends a text. @param start the index of the first byte of the text */
function endOfText(json: Uint8Array, start: number): number {
  let at = start;
  for (; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) at += 1;
  }
  return at;
}

/**
 * Reads the body of a request up to a maximum size.
 * @param tooLarge makes the error for a larger body
 * @throws that error; 400 if the client disconnects before it has sent the whole body
 */
export async function readBytes(request: Request, maxBytes: number, tooLarge: () => AppError): Promise<Buffer> {
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > maxBytes) throw tooLarge();
  if (declared !== null) return readDeclared(request, maxBytes, tooLarge);
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of untilAborted(request.body)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a body of a stated length, which the server ends there, without the cost of a stream. */
async function readDeclared(request: Request, maxBytes: number, tooLarge: () => AppError): Promise<Buffer> {
  const bytes = await request.arrayBuffer().catch((cause) => {
    throw new AppError("request.aborted", { cause });
  });
  if (bytes.byteLength > maxBytes) throw tooLarge();
  return Buffer.from(bytes);
}

/** The chunks of a body. Reading them only fails if the client disconnects. */
async function* untilAborted(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new AppError("request.aborted", { cause });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed("The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("The body is not valid JSON.");
  }
}

/** Checks a parsed value without recursion, so that deep nesting cannot exhaust the stack. */
function findProblem(root: unknown): string | null {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) return "The body is nested too deep.";
    if (typeof value === "string") {
      const problem = textProblem(value);
      if (problem !== null) return `Text in the body ${problem}.`;
    } else if (typeof value === "number") {
      // JSON.parse turns 1e999 into Infinity, which a response could only show as null.
      if (!Number.isFinite(value)) return "A number in the body is too large.";
    } else if (Array.isArray(value)) {
      for (const child of value) pending.push({ value: child, depth: depth + 1 });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        if (key === "__proto__" || textProblem(key) !== null) return "The body has a field name that is not allowed.";
        pending.push({ value: child, depth: depth + 1 });
      }
    }
  }
  return null;
}

function malformed(message: string): AppError {
  return new AppError("request.malformed_json", { issues: [{ path: "", message }] });
}
