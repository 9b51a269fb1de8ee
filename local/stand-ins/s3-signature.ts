import { createHash } from "node:crypto";
import { HttpRequest } from "@smithy/core/protocols";
import { Hash } from "@smithy/core/serde";
import { SignatureV4 } from "@smithy/signature-v4";
import { S3Error } from "./s3-error.ts";

/** A key pair of a client, and the only region of its signatures. */
export interface S3Key {
  readonly id: string;
  readonly secret: string;
  readonly region: string;
}

/** How far a client's clock may be off. */
const MAX_SKEW_MS = 15 * 60_000;
const CLAIM = /Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, *SignedHeaders=([^,]+), *Signature=(\w*)$/;

/**
 * Checks the signature of a request to S3 (AWS Signature Version 4), in its header or in its address, by signing the request
 * again with Amazon's own signer.
 * @throws S3Error unless method, address, signed headers, body and time are those that were signed
 */
export async function checkSignature(request: Request, body: Uint8Array, key: S3Key, now: Date): Promise<void> {
  const { hostname, pathname: path, searchParams, host } = new URL(request.url);
  const query = Object.fromEntries(searchParams);
  const isInAddress = "X-Amz-Credential" in query;
  const claim = isInAddress
    ? `Credential=${query["X-Amz-Credential"]}, SignedHeaders=${query["X-Amz-SignedHeaders"]}, Signature=${query["X-Amz-Signature"] ?? ""}`
    : (request.headers.get("authorization") ?? "");
  const [, id, region = "", signed = "", signature] = CLAIM.exec(claim) ?? [];
  if (id === undefined) throw new S3Error(403, "AccessDenied", "Access Denied");
  if (id !== key.id) {
    throw new S3Error(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.");
  }
  if (region !== key.region) {
    const message = "The bucket must be addressed using the specified endpoint.";
    throw new S3Error(301, "PermanentRedirect", message, { Endpoint: host });
  }
  const expiresIn = isInAddress ? Number(query["X-Amz-Expires"]) : null;
  const signingDate = momentOf((isInAddress ? query["X-Amz-Date"] : request.headers.get("x-amz-date")) ?? "");
  checkTime(signingDate, expiresIn, now);
  const names = new Set(signed.split(";"));
  const unsigned = [...request.headers.keys()].filter((name) => name.startsWith("x-amz-") && !names.has(name));
  if (unsigned.length > 0 || !names.has("host")) {
    throw new S3Error(403, "AccessDenied", "There were headers present in the request which were not signed");
  }
  const headers = Object.fromEntries([...request.headers].filter(([name]) => names.has(name)));
  // The body of a signed address is not signed, which the signer takes from one that has no bytes.
  const unchecked = { method: request.method, hostname, path, query, headers, body: isInAddress ? {} : body };
  const signer = new SignatureV4({
    service: "s3",
    region: key.region,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    sha256: Hash.bind(null, "sha256"),
    uriEscapePath: false,
    applyChecksum: false,
  });
  const options = { signingDate, signableHeaders: names, unhoistableHeaders: names };
  const expected =
    expiresIn === null
      ? CLAIM.exec((await signer.sign(new HttpRequest(unchecked), options)).headers.authorization ?? "")?.[4]
      : (await signer.presign(new HttpRequest(unchecked), { ...options, expiresIn })).query?.["X-Amz-Signature"];
  if (signature !== expected) {
    const message = "The request signature we calculated does not match the signature you provided.";
    throw new S3Error(403, "SignatureDoesNotMatch", message);
  }
  const hash = headers["x-amz-content-sha256"] ?? "UNSIGNED-PAYLOAD";
  if (hash !== "UNSIGNED-PAYLOAD" && hash !== createHash("sha256").update(body).digest("hex")) {
    const message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
    throw new S3Error(400, "XAmzContentSHA256Mismatch", message);
  }
}

/** Reads the time of a signature, such as `20261121T080000Z`. */
function momentOf(text: string): Date {
  const moment = new Date(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
  if (Number.isNaN(moment.getTime())) throw new S3Error(403, "AccessDenied", "Access Denied");
  return moment;
}

/** @param expiresIn for how many seconds the signature of an address is valid; null for one in a header */
function checkTime(signedAt: Date, expiresIn: number | null, now: Date): void {
  const age = now.getTime() - signedAt.getTime();
  if (expiresIn === null) {
    if (Math.abs(age) <= MAX_SKEW_MS) return;
    const message = "The difference between the request time and the current time is too large.";
    // The SDK corrects its clock by it.
    throw new S3Error(403, "RequestTimeTooSkewed", message, { ServerTime: now.toISOString() });
  }
  if (age < -MAX_SKEW_MS) throw new S3Error(403, "AccessDenied", "Request is not yet valid");
  if (!(age <= expiresIn * 1_000)) throw new S3Error(403, "AccessDenied", "Request has expired");
}
