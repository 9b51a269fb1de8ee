import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What a request says about how it was signed (AWS Signature Version 4). */
interface Claim {
  readonly keyId: string;
  /** Day, region, service and `aws4_request`. */
  readonly scope: readonly string[];
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** When it was signed, such as `20261121T080000Z`. */
  readonly date: string;
  readonly payloadHash: string;
}

/** S3's code for a request that it refuses. */
export type SignatureProblem = "AccessDenied" | "InvalidAccessKeyId" | "SignatureDoesNotMatch";

const UNSIGNED = "UNSIGNED-PAYLOAD";

/**
 * Checks the signature of a request to S3, in its header or in its address, as S3 does: method, address and every signed
 * header must be those that were signed. The store itself checks whether it has expired.
 * @returns null when the signature is right
 */
export function signatureProblem(
  request: IncomingMessage,
  key: { readonly id: string; readonly secret: string },
): SignatureProblem | null {
  const [path = "", search = ""] = (request.url ?? "").split("?", 2);
  const query = parametersOf(search);
  const claim = claimInHeader(request) ?? claimInAddress(query);
  if (claim === null) return "AccessDenied";
  if (claim.keyId !== key.id) return "InvalidAccessKeyId";
  const canonical = [
    request.method ?? "",
    path,
    query
      .filter(([name]) => name !== "X-Amz-Signature")
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join("&"),
    ...claim.signedHeaders.map((name) => `${name}:${headerOf(request, name)}`),
    "",
    claim.signedHeaders.join(";"),
    claim.payloadHash,
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", claim.date, claim.scope.join("/"), sha256(canonical)].join("\n");
  const signingKey = claim.scope.reduce<string | Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${key.secret}`,
  );
  const expected = createHmac("sha256", signingKey).update(text).digest();
  const offered = Buffer.from(claim.signature, "hex");
  const isRight = offered.length === expected.length && timingSafeEqual(offered, expected);
  return isRight ? null : "SignatureDoesNotMatch";
}

function claimInHeader(request: IncomingMessage): Claim | null {
  const header = request.headers.authorization ?? "";
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)$/.exec(header);
  if (found === null) return null;
  const [, credential = "", signedHeaders = "", signature = ""] = found;
  return {
    ...credentialOf(credential),
    signedHeaders: signedHeaders.split(";"),
    signature,
    date: headerOf(request, "x-amz-date"),
    payloadHash: headerOf(request, "x-amz-content-sha256") || UNSIGNED,
  };
}

function claimInAddress(query: readonly (readonly [string, string])[]): Claim | null {
  const parameter = (name: string) => query.find(([known]) => known === name)?.[1] ?? "";
  if (parameter("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256") return null;
  return {
    ...credentialOf(parameter("X-Amz-Credential")),
    signedHeaders: parameter("X-Amz-SignedHeaders").split(";"),
    signature: parameter("X-Amz-Signature"),
    date: parameter("X-Amz-Date"),
    payloadHash: parameter("X-Amz-Content-Sha256") || UNSIGNED,
  };
}

function credentialOf(credential: string): Pick<Claim, "keyId" | "scope"> {
  const [keyId = "", ...scope] = credential.split("/");
  return { keyId, scope };
}

function parametersOf(search: string): (readonly [name: string, value: string])[] {
  if (search === "") return [];
  return search.split("&").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [decodeURIComponent(name), decodeURIComponent(value.join("="))] as const;
  });
}

function headerOf(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? "")
    .trim()
    .replaceAll(/ +/g, " ");
}

/** Percent-encoding of everything but the characters that RFC 3986 leaves alone. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
