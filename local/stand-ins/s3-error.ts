import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A refusal of S3: its status, code and message. */
export class S3Error extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;

  constructor(status: ContentfulStatusCode, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
