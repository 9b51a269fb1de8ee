import { generateKeyPairSync, type KeyObject } from "node:crypto";

/** A new pair of P-256, its public key as push services get it: the point in base64url. */
function newSigningKeys(): { publicKey: string; privateKey: KeyObject } {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = privateKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { publicKey: point.toString("base64url"), privateKey };
}

/**
 * A new VAPID pair. From a JWK, whose numbers have their full length: `getPrivateKey` of Node's ECDH leaves out zero bytes at
 * the beginning, so one in 256 of its keys would be too short for VAPID.
 */
export function newVapidKeys(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = newSigningKeys();
  return { publicKey, privateKey: privateKey.export({ format: "jwk" }).d ?? "" };
}
