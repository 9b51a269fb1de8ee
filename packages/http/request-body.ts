import { AppError, type ErrorCode } from "@nectar/core/errors";
import { textProblem } from "@nectar/core/text";
import type { AppContext } from "./context.ts";

/** The largest JSON body in bytes. */
const MAX_JSON_BYTES = 1024 * 1024;
/** Deeper nesting serves nobody and costs everybody. */
const MAX_DEPTH = 64;

/**
 * Reads the JSON body of a request.
 * @throws AppError 415 for another media type, 413 above one megabyte, 400 for what is no clean JSON
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
 * Reads the body of a request exactly as it came, for what was signed as text.
 * @throws AppError 413 above one megabyte, 400 for what is no UTF-8
 */
export async function readTextBody(c: AppContext): Promise<string> {
  return decode(await readBytes(c.req.raw, MAX_JSON_BYTES, "request.too_large"));
}

/**
 * Reads the body of a request, and no more of it than allowed.
 * @param maxBytes bytes
 * @param refusal the error when there are more
 * @throws AppError with that code; 400 when the client disconnects before it has sent the whole body
 */
export async function readBytes(request: Request, maxBytes: number, refusal: ErrorCode): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw new AppError(refusal);
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of untilAborted(request.body)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AppError(refusal);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The chunks of a body. Only the client's side of the connection can make reading them fail. */
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

/** Walks a parsed value without recursion: what is nested too deep must not exhaust the stack that checks it. */
function findProblem(root: unknown): string | null {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) return "The body is nested too deep.";
    if (typeof value === "string") {
      const problem = textProblem(value);
      if (problem !== null) return `Text in the body ${problem}.`;
    } else if (typeof value === "number") {
      // JSON.parse turns 1e999 into Infinity, which JSON cannot say: it would come back as null.
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
