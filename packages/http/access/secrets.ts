import { createHash, timingSafeEqual } from "node:crypto";
import type { Services } from "../services/services.ts";

const TOKEN_BYTES = 32;

/** A new secret: 256 random bits in base64url. */
export function newSecret({ random }: Pick<Services, "random">): string {
  return Buffer.from(random(TOKEN_BYTES)).toString("base64url");
}

/** Makes the check whether a text is a secret. @param secrets each of them is accepted */
export function secretCheck(secrets: readonly string[]): (offered: string) => boolean {
  const accepted = secrets.map(digest);
  return (text) => {
    const offered = digest(text);
    // Digests have the same length, and all are compared, so the time of the comparison reveals nothing.
    return accepted.filter((secret) => timingSafeEqual(secret, offered)).length > 0;
  };
}

/** The SHA-256 of a secret, which is what is stored of it. */
export function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
