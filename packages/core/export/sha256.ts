import * as z from "zod";

/** How far a hash has come, so that another process can continue with the next byte. */
export const Sha256State = z.object({
  /** The eight words of the hash after the last whole block. */
  words: z.array(z.int()).length(8),
  /** How many bytes were hashed. */
  length: z.int(),
  /** The bytes after the last whole block, in base64. */
  rest: z.string(),
});
export type Sha256State = z.infer<typeof Sha256State>;

const BLOCK_BYTES = 64;
const ROUNDS = 64;
/** A block ends with the length in bits, as 8 bytes. */
const LENGTH_BYTES = 8;

const PRIMES = firstPrimes(ROUNDS);
const ROUND_CONSTANTS = Int32Array.from(PRIMES, (prime) => fractionBits(Math.cbrt(prime)));
const FIRST_WORDS = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));

/** The hash of no bytes yet. */
export const EMPTY_SHA256: Sha256State = { words: FIRST_WORDS, length: 0, rest: "" };

/**
 * SHA-256 (FIPS 180-4) that can stop after any byte and continue in another process. The hashes of Node and WebCrypto
 * cannot, and an export is hashed over hours and crashes.
 */
export class Sha256 {
  readonly #words: Int32Array;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #length: number;

  constructor(state: Sha256State = EMPTY_SHA256) {
    this.#words = Int32Array.from(state.words);
    this.#length = state.length;
    this.#block.set(Buffer.from(state.rest, "base64"));
  }

  update(bytes: Uint8Array): void {
    let from = 0;
    const filled = this.#length % BLOCK_BYTES;
    this.#length += bytes.length;
    if (filled > 0) {
      from = Math.min(BLOCK_BYTES - filled, bytes.length);
      this.#block.set(bytes.subarray(0, from), filled);
      if (filled + from < BLOCK_BYTES) return;
      compress(this.#words, new DataView(this.#block.buffer), 0);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (; from + BLOCK_BYTES <= bytes.length; from += BLOCK_BYTES) compress(this.#words, view, from);
    this.#block.set(bytes.subarray(from));
  }

  state(): Sha256State {
    const rest = Buffer.from(this.#block.subarray(0, this.#length % BLOCK_BYTES));
    return { words: [...this.#words], length: this.#length, rest: rest.toString("base64") };
  }

  /** The hash of the bytes so far, in hexadecimal. */
  digest(): string {
    const last = new Sha256(this.state());
    const { length } = last.state();
    const padding = new Uint8Array(BLOCK_BYTES + LENGTH_BYTES - ((length + LENGTH_BYTES) % BLOCK_BYTES));
    padding[0] = 0x80;
    new DataView(padding.buffer).setBigUint64(padding.length - LENGTH_BYTES, BigInt(length) * 8n);
    last.update(padding);
    return last
      .state()
      .words.map((word) => (word >>> 0).toString(16).padStart(8, "0"))
      .join("");
  }
}

const schedule = new Int32Array(ROUNDS);

/** Adds a block to the words of a hash. @param block 64 bytes from an index */
function compress(words: Int32Array, block: DataView, from: number): void {
  for (let round = 0; round < 16; round += 1) schedule[round] = block.getInt32(from + round * 4);
  for (let round = 16; round < ROUNDS; round += 1) {
    const w15 = schedule[round - 15] ?? 0;
    const w2 = schedule[round - 2] ?? 0;
    const sigma0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
    const sigma1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
    schedule[round] = ((schedule[round - 16] ?? 0) + sigma0 + (schedule[round - 7] ?? 0) + sigma1) | 0;
  }
  let a = words[0] ?? 0;
  let b = words[1] ?? 0;
  let c = words[2] ?? 0;
  let d = words[3] ?? 0;
  let e = words[4] ?? 0;
  let f = words[5] ?? 0;
  let g = words[6] ?? 0;
  let h = words[7] ?? 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = (e & f) ^ (~e & g);
    const added = (h + sum1 + choice + (ROUND_CONSTANTS[round] ?? 0) + (schedule[round] ?? 0)) | 0;
    const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + added) | 0;
    d = c;
    c = b;
    b = a;
    a = (added + sum0 + majority) | 0;
  }
  words[0] = ((words[0] ?? 0) + a) | 0;
  words[1] = ((words[1] ?? 0) + b) | 0;
  words[2] = ((words[2] ?? 0) + c) | 0;
  words[3] = ((words[3] ?? 0) + d) | 0;
  words[4] = ((words[4] ?? 0) + e) | 0;
  words[5] = ((words[5] ?? 0) + f) | 0;
  words[6] = ((words[6] ?? 0) + g) | 0;
  words[7] = ((words[7] ?? 0) + h) | 0;
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits of the fraction of a root. */
function fractionBits(root: number): number {
  return Math.floor((root % 1) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}
