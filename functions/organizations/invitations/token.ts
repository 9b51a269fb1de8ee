import { createHash } from "node:crypto";
import type { Services } from "#http/services/services";

const TOKEN_BYTES = 32;

/** A new token of an invitation: 256 random bits. */
export function newToken({ random }: Services): string {
  return Buffer.from(random(TOKEN_BYTES)).toString("base64url");
}

/** The SHA-256 of a token, in hexadecimal: what is stored of it. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
