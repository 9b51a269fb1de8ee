import { createSHA256, type IHasher } from "hash-wasm";
import * as z from "zod";

/**
 * How far a SHA-256 has come, in base64, so that another process can continue with the next byte; null before the first
 * byte. The hashes of Node and WebCrypto cannot be stored, and an export is hashed over hours and crashes.
 */
export const Sha256State = z.base64().nullable();
export type Sha256State = z.infer<typeof Sha256State>;

/** Continues a hash. @throws Error if another version of the library has stored the state in another form */
export async function sha256From(state: Sha256State): Promise<IHasher> {
  const hash = await createSHA256();
  return state === null ? hash.init() : hash.load(Buffer.from(state, "base64"));
}

/** How far the hash has come. */
export function stateOf(hash: IHasher): string {
  return Buffer.from(hash.save()).toString("base64");
}
