import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { S3Error } from "./s3-error.ts";

/** A key pair of a client, and the only region of its signatures. */
export interface S3Key {
  readonly id: string;
  readonly secret: string;
  readonly region: string;
}

/** The signature of a request and how it was made (AWS Signature Version 4). */
interface Claim {
  /** Key id, day, region, service and `aws4_request`. */
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** When it was signed, such as `20261121T080000Z`. */
  readonly date: string;
  /** For how long the signature of an address is valid; null for one in a header. */
  readonly seconds: number | null;
  /** SHA-256 of the body in hex, or `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const UNSIGNED = "UNSIGNED-PAYLOAD";
/** How far a client's clock may be off. */
const MAX_SKEW_MS = 15 * 60_000;
const MAX_ADDRESS_SECONDS = 7 * 24 * 3_600;

/**
 * Checks the signature of a request to S3, in its header or in its address, as S3 does: who signed it and when, and that
 * method, address, signed headers and body are those that were signed.
 * @throws S3Error unless it is right
 */
export function checkSignature(request: Request, body: Uint8Array, key: S3Key, now: Date): void {
  const url = new URL(request.url);
  const claim = claimInHeader(request.headers) ?? claimInAddress(url.searchParams);
  if (claim === null) throw new S3Error(403, "AccessDenied", "Access Denied");
  const [id, day, region, ...scope] = claim.credential.split("/");
  if (id !== key.id) {
    throw new S3Error(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.");
  }
  if (day !== claim.date.slice(0, 8) || scope.join("/") !== "s3/aws4_request") {
    throw new S3Error(
      400,
      "AuthorizationHeaderMalformed",
      "The credential must be <key id>/<day>/<region>/s3/aws4_request.",
    );
  }
  if (region !== key.region) {
    throw new S3Error(301, "PermanentRedirect", "The bucket must be addressed using the specified endpoint.", {
      Endpoint: url.host,
    });
  }
  checkTime(claim, now);
  const unsigned = [...request.headers.keys()].filter(
    (name) => name.startsWith("x-amz-") && !claim.signedHeaders.includes(name),
  );
  if (unsigned.length > 0 || !claim.signedHeaders.includes("host")) {
    throw new S3Error(403, "AccessDenied", "There were headers present in the request which were not signed");
  }
  if (!isSigned(claim, canonicalRequest(request, url, claim), key.secret)) {
    const message = "The request signature we calculated does not match the signature you provided.";
    throw new S3Error(403, "SignatureDoesNotMatch", message);
  }
  if (claim.payloadHash !== UNSIGNED && claim.payloadHash !== sha256(body)) {
    const message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
    throw new S3Error(400, "XAmzContentSHA256Mismatch", message);
  }
}

function checkTime({ date, seconds }: Claim, now: Date): void {
  const signedAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
  const age = now.getTime() - signedAt;
  if (seconds === null) {
    if (Math.abs(age) <= MAX_SKEW_MS) return;
    const message = "The difference between the request time and the current time is too large.";
    // The SDK corrects its clock by it.
    throw new S3Error(403, "RequestTimeTooSkewed", message, { ServerTime: now.toISOString() });
  }
  if (!(seconds >= 1 && seconds <= MAX_ADDRESS_SECONDS)) {
    const message = "X-Amz-Expires must be between 1 and 604800 seconds.";
    throw new S3Error(400, "AuthorizationQueryParametersError", message);
  }
  if (!(age >= -MAX_SKEW_MS)) throw new S3Error(403, "AccessDenied", "Request is not yet valid");
  if (age > seconds * 1_000) throw new S3Error(403, "AccessDenied", "Request has expired");
}

function canonicalRequest({ method, headers }: Request, { pathname, searchParams }: URL, claim: Claim): string {
  const path = pathname.split("/").map((part) => encode(decodeURIComponent(part)));
  const query = [...searchParams].filter(([name]) => name !== "X-Amz-Signature");
  return [
    method,
    path.join("/"),
    query
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join("&"),
    ...claim.signedHeaders.map((name) => `${name}:${headers.get(name)?.trim().replaceAll(/ +/g, " ") ?? ""}`),
    "",
    claim.signedHeaders.join(";"),
    claim.payloadHash,
  ].join("\n");
}

function isSigned({ credential, date, signature }: Claim, canonical: string, secret: string): boolean {
  const [, ...scope] = credential.split("/");
  const text = [ALGORITHM, date, scope.join("/"), sha256(canonical)].join("\n");
  // The key of each step is the result of the one before.
  let expected = Buffer.from(`AWS4${secret}`);
  for (const part of [...scope, text]) expected = createHmac("sha256", expected).update(part).digest();
  const offered = Buffer.from(signature, "hex");
  return offered.length === expected.length && timingSafeEqual(offered, expected);
}

function claimInHeader(headers: Headers): Claim | null {
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)$/.exec(
    headers.get("authorization") ?? "",
  );
  if (found === null) return null;
  const [, credential = "", signedHeaders = "", signature = ""] = found;
  return {
    credential,
    signedHeaders: signedHeaders.split(";"),
    signature,
    date: headers.get("x-amz-date") ?? "",
    seconds: null,
    payloadHash: headers.get("x-amz-content-sha256") ?? "",
  };
}

function claimInAddress(query: URLSearchParams): Claim | null {
  if (query.get("X-Amz-Algorithm") !== ALGORITHM) return null;
  return {
    credential: query.get("X-Amz-Credential") ?? "",
    signedHeaders: (query.get("X-Amz-SignedHeaders") ?? "").split(";"),
    signature: query.get("X-Amz-Signature") ?? "",
    date: query.get("X-Amz-Date") ?? "",
    seconds: Number(query.get("X-Amz-Expires")),
    payloadHash: query.get("X-Amz-Content-Sha256") ?? UNSIGNED,
  };
}

/** Percent-encoding of everything but the characters that RFC 3986 leaves alone. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
