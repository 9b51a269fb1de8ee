import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { S3Error } from "./s3-error.ts";

/** A key pair of a client. */
export interface S3Key {
  readonly id: string;
  readonly secret: string;
}

/** What a request says about how it was signed (AWS Signature Version 4). */
interface Claim {
  readonly keyId: string;
  /** Day, region, service and `aws4_request`. */
  readonly scope: readonly string[];
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** When it was signed, such as `20261121T080000Z`. */
  readonly date: string;
  /** For how long the signature of an address is valid; null for one in a header. */
  readonly seconds: number | null;
  /** SHA-256 of the body in hex, or `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
}

type Query = readonly (readonly [name: string, value: string])[];

const ALGORITHM = "AWS4-HMAC-SHA256";
const UNSIGNED = "UNSIGNED-PAYLOAD";
/** How far a client's clock may be off. */
const MAX_SKEW_MS = 15 * 60_000;
const MAX_ADDRESS_SECONDS = 7 * 24 * 3_600;

/**
 * Checks the signature of a request to S3, in its header or in its address, as S3 does: who signed it and when, and that method,
 * address, signed headers and body are those that were signed.
 * @returns the region that it was signed for
 * @throws S3Error unless it is right
 */
export function checkSignature(request: Request, body: Uint8Array, key: S3Key, now: Date): string {
  const url = new URL(request.url);
  const query = parametersOf(url.search);
  const claim = claimInHeader(request.headers) ?? claimInAddress(query);
  if (claim === null) throw new S3Error(403, "AccessDenied", "Access Denied");
  if (claim.keyId !== key.id) {
    throw new S3Error(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.");
  }
  checkScope(claim);
  checkTime(claim, now);
  const unsigned = [...request.headers.keys(), "host"].filter(
    (name) => (name === "host" || name.startsWith("x-amz-")) && !claim.signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    const message = "There were headers present in the request which were not signed";
    throw new S3Error(403, "AccessDenied", message, { HeadersNotSigned: unsigned.join(", ") });
  }
  if (!isSigned(claim, canonicalRequest(request, url.pathname, query, claim), key)) {
    const message = "The request signature we calculated does not match the signature you provided.";
    throw new S3Error(403, "SignatureDoesNotMatch", message);
  }
  if (claim.payloadHash !== UNSIGNED && claim.payloadHash !== sha256(body)) {
    const message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
    throw new S3Error(400, "XAmzContentSHA256Mismatch", message);
  }
  return claim.scope[1] ?? "";
}

function checkScope({ scope, date, seconds }: Claim): void {
  const [day, , service, end] = scope;
  if (day === date.slice(0, 8) && service === "s3" && end === "aws4_request") return;
  const code = seconds === null ? "AuthorizationHeaderMalformed" : "AuthorizationQueryParametersError";
  throw new S3Error(400, code, "The credential must be <key id>/<day>/<region>/s3/aws4_request.");
}

function checkTime({ date, seconds }: Claim, now: Date): void {
  const signedAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
  if (Number.isNaN(signedAt)) throw new S3Error(403, "AccessDenied", "A valid x-amz-date is required.");
  if (seconds === null) {
    if (Math.abs(now.getTime() - signedAt) <= MAX_SKEW_MS) return;
    const message = "The difference between the request time and the current time is too large.";
    throw new S3Error(403, "RequestTimeTooSkewed", message, { RequestTime: date, ServerTime: now.toISOString() });
  }
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_ADDRESS_SECONDS) {
    const message = "X-Amz-Expires must be between 1 and 604800 seconds.";
    throw new S3Error(400, "AuthorizationQueryParametersError", message);
  }
  if (signedAt - now.getTime() > MAX_SKEW_MS) throw new S3Error(403, "AccessDenied", "Request is not yet valid");
  const expiresAt = signedAt + seconds * 1_000;
  if (now.getTime() > expiresAt) {
    throw new S3Error(403, "AccessDenied", "Request has expired", {
      "X-Amz-Expires": String(seconds),
      Expires: new Date(expiresAt).toISOString(),
      ServerTime: now.toISOString(),
    });
  }
}

function canonicalRequest(request: Request, path: string, query: Query, claim: Claim): string {
  return [
    request.method,
    path
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/"),
    query
      .filter(([name]) => name !== "X-Amz-Signature")
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join("&"),
    ...claim.signedHeaders.map((name) => `${name}:${request.headers.get(name)?.trim().replaceAll(/ +/g, " ") ?? ""}`),
    "",
    claim.signedHeaders.join(";"),
    claim.payloadHash,
  ].join("\n");
}

function isSigned(claim: Claim, canonical: string, key: S3Key): boolean {
  const text = [ALGORITHM, claim.date, claim.scope.join("/"), sha256(canonical)].join("\n");
  const signingKey = claim.scope.reduce<string | Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${key.secret}`,
  );
  const expected = createHmac("sha256", signingKey).update(text).digest();
  const offered = Buffer.from(claim.signature, "hex");
  return offered.length === expected.length && timingSafeEqual(offered, expected);
}

function claimInHeader(headers: Headers): Claim | null {
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)$/.exec(
    headers.get("authorization") ?? "",
  );
  if (found === null) return null;
  const [, credential = "", signedHeaders = "", signature = ""] = found;
  const payloadHash = headers.get("x-amz-content-sha256");
  if (payloadHash === null) {
    throw new S3Error(400, "InvalidRequest", "Missing required header for this request: x-amz-content-sha256");
  }
  return {
    ...credentialOf(credential),
    signedHeaders: signedHeaders.split(";"),
    signature,
    date: headers.get("x-amz-date") ?? "",
    seconds: null,
    payloadHash,
  };
}

function claimInAddress(query: Query): Claim | null {
  const parameter = (name: string) => query.find(([known]) => known === name)?.[1] ?? "";
  if (parameter("X-Amz-Algorithm") !== ALGORITHM) return null;
  return {
    ...credentialOf(parameter("X-Amz-Credential")),
    signedHeaders: parameter("X-Amz-SignedHeaders").split(";"),
    signature: parameter("X-Amz-Signature"),
    date: parameter("X-Amz-Date"),
    seconds: Number(parameter("X-Amz-Expires")),
    payloadHash: parameter("X-Amz-Content-Sha256") || UNSIGNED,
  };
}

function credentialOf(credential: string): Pick<Claim, "keyId" | "scope"> {
  const [keyId = "", ...scope] = credential.split("/");
  return { keyId, scope };
}

function parametersOf(search: string): Query {
  if (search === "") return [];
  return search
    .slice(1)
    .split("&")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [decodeURIComponent(name), decodeURIComponent(value.join("="))];
    });
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
