import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A refusal of S3: its status, code, message, and further elements that a client reads. */
export class S3Error extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly details: Readonly<Record<string, string>>;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
