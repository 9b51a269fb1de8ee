import { once } from "node:events";
import { Readable } from "node:stream";
import ZipStream from "zip-stream";

/** A file that is added to an archive. */
export interface NewFile {
  readonly path: string;
  /** `stored` for what is compressed already. */
  readonly method: "stored" | "deflated";
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** So much is joined before it is written. */
const PIECE_BYTES = 64 * 1024;

/**
 * Writes files one after the other into a zip archive, of which only a piece is in memory.
 * @param at the time of all files
 */
export async function* zipArchive(files: AsyncIterable<NewFile>, at: Date): AsyncGenerator<Uint8Array, void> {
  const zip = new JoinedZipStream({ zlib: { level: 6 } });
  // Ends the writer when the archive is not read to its end.
  const closed = once(zip, "close").then(() => {
    throw new Error("The archive was closed.");
  });
  closed.catch(() => undefined);
  const added = addFiles(zip, files, at, closed).catch((error: Error) => void zip.destroy(error));
  yield* zip;
  await added;
}

async function addFiles(zip: ZipStream, files: AsyncIterable<NewFile>, at: Date, closed: Promise<never>) {
  for await (const { path, method, content } of files) {
    const source =
      content instanceof Uint8Array
        ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
        : Readable.from(content);
    const added = Promise.withResolvers<void>();
    zip.entry(source, { name: path, date: at, store: method === "stored" }, (error) =>
      error === null ? added.resolve() : added.reject(error),
    );
    await Promise.race([added.promise, closed]);
    if (zip.destroyed) return;
    if (zip.writableNeedDrain) await Promise.race([once(zip, "drain"), closed]);
  }
  zip.finish();
}

/**
 * The library waits for each file, compresses, and writes Zip64. For 100,000 files yazl 3.3.1 took more than three minutes,
 * and @zip.js/zip.js 2.24.0 took 485 MB for 20,000; fflate writes no Zip64, and client-zip does not compress.
 *
 * This joins what it writes: every field of a header by itself, and at the end the whole directory without waiting,
 * which takes 500 MB for 100,000 files (archiverjs/node-compress-commons#121).
 */
class JoinedZipStream extends ZipStream {
  /** Bytes written so far: where the next file begins. */
  declare offset: number;
  #pieces: Uint8Array[] = [];
  #size = 0;

  override write(chunk: Uint8Array | string): boolean {
    const piece = Buffer.from(chunk);
    this.#pieces.push(piece);
    this.#size += piece.length;
    this.offset += piece.length;
    return this.#size < PIECE_BYTES || this.#writeJoined();
  }

  override end(): this {
    this.#writeJoined();
    return super.end();
  }

  #writeJoined(): boolean {
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    // super.write() counts them again.
    this.offset -= joined.length;
    return super.write(joined);
  }
}
