/** Codes that say what an operator can mend. Any other text of a vendor's error may repeat what it was sent. */
const KNOWN_CODES: ReadonlySet<string> = new Set([
  // S3
  ...["AccessDenied", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException", "InvalidAccessKeyId"],
  ...["NoSuchBucket", "PermanentRedirect", "SignatureDoesNotMatch"],
  // OpenAI
  ...["billing_hard_limit_reached", "insufficient_quota", "invalid_api_key", "model_not_found"],
  ...["organization_must_be_verified", "rate_limit_exceeded", "unsupported_parameter", "unsupported_value"],
  // Stripe
  ...["api_key_expired", "rate_limit", "resource_missing"],
  // Without a response
  ...["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "ETIMEDOUT"],
]);

/** S3 responds to HEAD without a body, so the SDK knows no code. */
const MOVED = 301;

/** A vendor's error without its text: the status of its response, and its code if that is a known word. */
export class VendorFailure extends Error {
  readonly status: number | undefined;
  readonly code: string | undefined;

  constructor(error: unknown) {
    super("A vendor failed.");
    this.name = "VendorFailure";
    this.status = statusOf(error);
    // SDKs wrap the error of a connection: OpenAI's as a cause, Stripe's as a detail.
    const wrapped = ["cause", "detail"].map((name) => fieldOf(fieldOf(error, name), "code"));
    const words = [fieldOf(error, "code"), fieldOf(error, "name"), ...wrapped];
    const known = words.find((word) => typeof word === "string" && KNOWN_CODES.has(word));
    this.code = typeof known === "string" ? known : this.status === MOVED ? "PermanentRedirect" : undefined;
  }
}

function statusOf(error: unknown): number | undefined {
  const metadata = fieldOf(error, "$metadata");
  const statuses = [fieldOf(error, "status"), fieldOf(error, "statusCode"), fieldOf(metadata, "httpStatusCode")];
  return statuses.find((status) => typeof status === "number");
}

function fieldOf(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}
