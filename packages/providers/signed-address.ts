import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";

/** What a signature is made with. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Characters of a key that `encodeURIComponent` leaves alone and a signature does not. */
const UNENCODED = /[!'()*]/g;

/**
 * Signs addresses that load a file, by version 4 of Amazon's signatures: a hundred times as fast as the SDK, because the key
 * for a day is derived once.
 * @param base the address of the bucket, with a slash at its end
 */
export function addressSigner(base: string, region: string) {
  const { host, pathname } = new URL(base);
  let derived: { from: string; key: KeyObject } | undefined;

  function keyFor(date: string, secret: string): KeyObject {
    const from = `${date} ${secret}`;
    if (derived?.from !== from) {
      const key = [date, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secret}`);
      // Node takes six times as long to make a signature with the bytes of a key.
      derived = { from, key: createSecretKey(Buffer.from(key)) };
    }
    return derived.key;
  }

  return (key: string, seconds: number, now: Date, credentials: Credentials): string => {
    const moment = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
    const date = moment.slice(0, 8);
    const scope = `${date}/${region}/s3/aws4_request`;
    const path = key.split("/").map(encoded).join("/");
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const query = [
      "X-Amz-Algorithm=AWS4-HMAC-SHA256",
      `X-Amz-Credential=${encoded(`${accessKeyId}/${scope}`)}`,
      `X-Amz-Date=${moment}`,
      `X-Amz-Expires=${seconds}`,
      ...(sessionToken === undefined ? [] : [`X-Amz-Security-Token=${encoded(sessionToken)}`]),
      "X-Amz-SignedHeaders=host",
    ].join("&");
    const request = `GET\n${pathname}${path}\n${query}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
    const toSign = `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${hash("sha256", request)}`;
    const signature = hmac(keyFor(date, secretAccessKey), toSign);
    return `${base}${path}?${query}&X-Amz-Signature=${signature.toString("hex")}`;
  };
}

function hmac(key: string | Buffer | KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(UNENCODED, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
