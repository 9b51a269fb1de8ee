import { jwtVerify } from "jose";
import * as z from "zod";

/** The sender that a push service expects. */
export interface ExpectedSender {
  /** The key that the device was subscribed with, in base64url. */
  readonly publicKey: string;
  /** The push service's own origin. */
  readonly audience: string;
}

const Claims = z.object({ exp: z.number(), sub: z.string().regex(/^(mailto:|https:\/\/)\S+$/) });
const MAX_LIFETIME_SECONDS = 24 * 60 * 60;

/**
 * Checks who is sending (VAPID, RFC 8292).
 * @param authorization the header: `vapid t=<token>, k=<key>`
 * @param now milliseconds since 1970
 * @returns what is wrong with it; null when nothing is
 */
export async function problemWithSender(
  authorization: string | undefined,
  { publicKey, audience }: ExpectedSender,
  now: number,
): Promise<string | null> {
  const [, token, key] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/i.exec(authorization ?? "") ?? [];
  if (token === undefined || key === undefined) return "There is no vapid authorization.";
  if (key !== publicKey) return "The device was subscribed with another key.";
  const point = Buffer.from(key, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  try {
    const options = { audience, algorithms: ["ES256"], currentDate: new Date(now) };
    const { exp } = Claims.parse((await jwtVerify(token, jwk, options)).payload);
    return exp > now / 1_000 + MAX_LIFETIME_SECONDS ? "The token is valid for more than a day." : null;
  } catch {
    return "The token is not signed with the key, has expired, is for another push service, or lacks its end or subject.";
  }
}
