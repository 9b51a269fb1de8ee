import { createDecipheriv, createECDH, hkdfSync } from "node:crypto";

/** The secret keys of a device. */
export interface DeviceSecrets {
  /** Private key on P-256. */
  readonly privateKey: Uint8Array;
  /** Its public key, an uncompressed point. */
  readonly publicKey: Uint8Array;
  /** 16 bytes. */
  readonly auth: Uint8Array;
}

const SALT_BYTES = 16;
const HEADER_BYTES = SALT_BYTES + 4 + 1;
const TAG_BYTES = 16;

/**
 * Decrypts the body of a push message the way a browser does (RFC 8291 over RFC 8188, `aes128gcm`).
 * @throws Error when it is not for this device, or was altered
 */
export function decryptPush(body: Uint8Array, { privateKey, publicKey, auth }: DeviceSecrets): string {
  const bytes = Buffer.from(body);
  if (bytes.length < HEADER_BYTES) throw new Error("The message has no header.");
  const salt = bytes.subarray(0, SALT_BYTES);
  const recordSize = bytes.readUInt32BE(SALT_BYTES);
  const keyEnd = HEADER_BYTES + bytes.readUInt8(SALT_BYTES + 4);
  const senderKey = bytes.subarray(HEADER_BYTES, keyEnd);
  const record = bytes.subarray(keyEnd);
  if (senderKey.length !== 65 || record.length <= TAG_BYTES || record.length > recordSize) {
    throw new Error("The message is not one whole record with the sender's key.");
  }

  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(privateKey);
  const shared = ecdh.computeSecret(senderKey);
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]);
  const keyMaterial = derive(shared, auth, keyInfo, 32);
  const key = derive(keyMaterial, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(keyMaterial, salt, "Content-Encoding: nonce\0", 12);

  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  // A 2 ends the last record; zeros after it are padding.
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error("The message does not end where it should.");
  return padded.subarray(0, end).toString("utf8");
}

function derive(material: Uint8Array, salt: Uint8Array, info: string | Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", material, salt, info, length));
}
