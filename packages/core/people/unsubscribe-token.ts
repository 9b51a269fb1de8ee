import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The size of an address hash and of a signature. */
const BYTES = 32;

/** The fingerprint under which the database suppresses an address: `private.email_address_hash`. */
function addressHash(address: string): Buffer {
  return createHash("sha256").update(address.toLowerCase()).digest();
}

function signatureOf(hash: Buffer, secret: string): Buffer {
  return createHmac("sha256", secret).update("unsubscribe").update(hash).digest();
}

/** Writes the token that stops mail to an address. It has the address as a hash only, and does not expire. */
export function unsubscribeToken(address: string, secret: string): string {
  const hash = addressHash(address);
  return Buffer.concat([hash, signatureOf(hash, secret)]).toString("base64url");
}

/** Address for unsubscribing, and the secret of its tokens. */
export interface UnsubscribeLink {
  readonly url: string;
  readonly secret: string;
}

/** The headers by which a mail program offers to unsubscribe (RFC 8058). */
export function unsubscribeHeaders(to: string, { url, secret }: UnsubscribeLink): Record<string, string> {
  return {
    "List-Unsubscribe": `<${url}?token=${unsubscribeToken(to, secret)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/**
 * Reads a token.
 * @param secrets those that it may be signed with
 * @returns the hash of its address; null if we did not sign it
 */
export function readUnsubscribeToken(token: string, secrets: readonly string[]): Buffer | null {
  const bytes = Buffer.from(token, "base64url");
  // Other spellings of the same bytes are no tokens of ours.
  if (bytes.length !== 2 * BYTES || bytes.toString("base64url") !== token) return null;
  const [hash, signature] = [bytes.subarray(0, BYTES), bytes.subarray(BYTES)];
  return secrets.some((secret) => timingSafeEqual(signatureOf(hash, secret), signature)) ? hash : null;
}
