import type { ErrorCode } from "./types.generated.ts";

/** Why there is no usable response: the network, no time left, an unreadable body, or a refused upload of a photo. */
export type ClientErrorCode = "client.network" | "client.timeout" | "client.unreadable" | "client.upload_refused";

/** One problem of a request: where it is, such as `tags.3`, or empty for the whole, and what is wrong there. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A call that failed. It contains nothing of the request: no token, no text. */
export class NectarError extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Stable code of the problem. A newer server may send codes that this type does not have: fall back to the status. */
  readonly code: ErrorCode | ClientErrorCode;
  /** All problems of a request that is not valid. */
  readonly issues: readonly Issue[];
  /** Names the request in the logs of the service. */
  readonly requestId: string | null;
  /** Seconds until the same request may succeed, if the service said so. */
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    fields: Pick<NectarError, "status" | "code"> &
      Partial<Pick<NectarError, "issues" | "requestId" | "retryAfterSeconds">>,
  ) {
    super(message);
    this.name = "NectarError";
    this.status = fields.status;
    this.code = fields.code;
    this.issues = fields.issues ?? [];
    this.requestId = fields.requestId ?? null;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }
}

/** The error of a response that is not a success. */
export function errorOfResponse({ status, headers }: Response, body: unknown): NectarError {
  const fields = { status, requestId: headers.get("x-request-id"), retryAfterSeconds: retryAfter(headers) };
  if (!isErrorBody(body)) {
    return new NectarError(`The service responded ${status} with a body that is not its own.`, {
      ...fields,
      code: "client.unreadable",
    });
  }
  return new NectarError(body.error, { ...fields, code: body.code, issues: body.issues ?? [] });
}

interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
  readonly issues?: readonly Issue[];
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "code" in body && typeof body.code === "string";
}

/** Seconds, from a number or a date. A clock that is wrong does not matter if the response says what time it is. */
function retryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(text)) return Number(text);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  const now = Date.parse(headers.get("date") ?? "");
  return Math.max(0, Math.ceil((until - (Number.isNaN(now) ? Date.now() : now)) / 1_000));
}
