import { createPublicKey, verify } from "node:crypto";
import * as z from "zod";

/** The sender that a push service expects. */
export interface ExpectedSender {
  /** The key that the device was subscribed with, in base64url. */
  readonly publicKey: string;
  /** The push service's own origin. */
  readonly audience: string;
}

const Claims = z.object({
  aud: z.string(),
  exp: z.number(),
  sub: z.string().regex(/^(mailto:|https:\/\/)\S+$/),
});
const LONGEST_SECONDS = 24 * 60 * 60;

/**
 * Checks who is sending (VAPID, RFC 8292).
 * @param authorization the header: `vapid t=<token>, k=<key>`
 * @param nowSeconds seconds since 1970
 * @returns what is wrong with it; null when nothing is
 */
export function problemWithSender(
  authorization: string | undefined,
  { publicKey, audience }: ExpectedSender,
  nowSeconds: number,
): string | null {
  const [, token, key] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/i.exec(authorization ?? "") ?? [];
  if (token === undefined || key === undefined) return "There is no vapid authorization.";
  if (key !== publicKey) return "The device was subscribed with another key.";
  if (!isSignedBy(token, key)) return "The token is not signed with the key.";
  const claims = Claims.safeParse(parsed(token.split(".")[1] ?? ""));
  if (!claims.success) return "The token lacks its audience, end or subject.";
  if (claims.data.aud !== audience) return "The token is for another push service.";
  if (claims.data.exp <= nowSeconds) return "The token is over.";
  return claims.data.exp > nowSeconds + LONGEST_SECONDS ? "The token is good for more than a day." : null;
}

function isSignedBy(token: string, key: string): boolean {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65 || !z.object({ alg: z.literal("ES256") }).safeParse(parsed(header)).success) return false;
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  try {
    return verify(
      "sha256",
      Buffer.from(`${header}.${claims}`),
      { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
  } catch {
    return false;
  }
}

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
