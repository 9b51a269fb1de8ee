import { AppError, type ErrorCode } from "#core/errors";
import { textProblem } from "#core/text/text";
import type { AppContext } from "../services/context.ts";

/** Maximum size of a JSON body. */
const MAX_JSON_BYTES = 1024 * 1024;
/** No request needs deeper nesting, and checking it takes time. */
const MAX_DEPTH = 64;

/**
 * Reads the JSON body of a request.
 * @throws AppError 415 for another media type, 413 above one megabyte, 400 for malformed JSON
 */
export async function readJsonBody(c: AppContext): Promise<{ text: string; value: unknown }> {
  if (!/^application\/([a-z0-9.-]+\+)?json\s*(;.*)?$/i.test(c.req.header("content-type") ?? "")) {
    throw new AppError("request.unsupported_media_type");
  }
  const text = decode(await readBytes(c.req.raw, MAX_JSON_BYTES, "request.too_large"));
  const value = parse(text);
  const problem = findProblem(value);
  if (problem !== null) throw malformed(problem);
  return { text, value };
}

/**
 * Reads the body of a request exactly as it was sent, because its signature covers the text.
 * @throws AppError 413 above one megabyte, 400 for invalid UTF-8
 */
export async function readTextBody(c: AppContext): Promise<string> {
  return decode(await readBytes(c.req.raw, MAX_JSON_BYTES, "request.too_large"));
}

/**
 * Reads the body of a request up to a maximum size.
 * @param tooLarge the error for a larger body
 * @throws AppError with that code; 400 if the client disconnects before it has sent the whole body
 */
export async function readBytes(request: Request, maxBytes: number, tooLarge: ErrorCode): Promise<Buffer> {
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > maxBytes) throw new AppError(tooLarge);
  if (declared !== null) return readDeclared(request, maxBytes, tooLarge);
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of untilAborted(request.body)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AppError(tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a body of a stated length, which the server ends there, without the cost of a stream. */
async function readDeclared(request: Request, maxBytes: number, tooLarge: ErrorCode): Promise<Buffer> {
  const bytes = await request.arrayBuffer().catch((cause) => {
    throw new AppError("request.aborted", { cause });
  });
  if (bytes.byteLength > maxBytes) throw new AppError(tooLarge);
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
