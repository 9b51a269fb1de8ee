import { generateKeyPairSync } from "node:crypto";

/**
 * A new VAPID pair. From a JWK, whose numbers have their full length: `getPrivateKey` of Node's ECDH leaves out zero bytes at
 * the beginning, so one in 256 of its keys would be too short for VAPID.
 */
export function newVapidKeys(): { publicKey: string; privateKey: string } {
  const {
    x = "",
    y = "",
    d: privateKey = "",
  } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    format: "jwk",
  });
  // The public key as push services get it: the point.
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { publicKey: point.toString("base64url"), privateKey };
}
