import { ECDH } from "node:crypto";

/**
 * Reads the public key of a device (`p256dh`, RFC 8291): an uncompressed point of P-256, in base64url or base64.
 * @returns the key in base64url without padding; null if it is invalid
 */
export function readDeviceKey(text: string): string | null {
  const bytes = decoded(text);
  if (bytes === null || bytes.length !== 65 || bytes[0] !== 4) return null;
  try {
    // Throws for a point that is not on the curve; nothing could be encrypted for it.
    ECDH.convertKey(bytes, "prime256v1");
    return bytes.toString("base64url");
  } catch {
    return null;
  }
}

/**
 * Reads the secret of a device (`auth`, RFC 8291): 16 bytes, in base64url or base64.
 * @returns the secret in base64url without padding; null if it is invalid
 */
export function readDeviceSecret(text: string): string | null {
  const bytes = decoded(text);
  return bytes?.length === 16 ? bytes.toString("base64url") : null;
}

function decoded(text: string): Buffer | null {
  return /^[A-Za-z0-9_+/-]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : null;
}
