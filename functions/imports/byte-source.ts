/** Bytes that are read by ranges, such as a file in the store. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** Reads at most `length` bytes from an index within the source; fewer only at its end. */
  read(from: number, length: number): Promise<Uint8Array>;
}

const BLOCK_BYTES = 2 * 1024 * 1024;
/** One for the directory of an archive, and two for a header and the data that follows. */
const KEPT_BLOCKS = 3;

/** The same source, read in blocks, of which the latest are kept: an archive is read in small pieces, mostly in order. */
export function inBlocks(source: ByteSource): ByteSource {
  const blocks = new Map<number, Promise<Uint8Array>>();

  function blockAt(index: number): Promise<Uint8Array> {
    const block = blocks.get(index) ?? source.read(index * BLOCK_BYTES, BLOCK_BYTES);
    blocks.delete(index);
    blocks.set(index, block);
    const [oldest] = blocks.keys();
    if (blocks.size > KEPT_BLOCKS && oldest !== undefined) blocks.delete(oldest);
    return block;
  }

  return {
    size: source.size,
    async read(from, length) {
      const end = Math.min(from + length, source.size);
      const parts: Uint8Array[] = [];
      for (let at = from; at < end; ) {
        const index = Math.floor(at / BLOCK_BYTES);
        const start = at - index * BLOCK_BYTES;
        const part = (await blockAt(index)).subarray(start, start + end - at);
        // A file that became shorter.
        if (part.length === 0) break;
        parts.push(part);
        at += part.length;
      }
      return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    },
  };
}
