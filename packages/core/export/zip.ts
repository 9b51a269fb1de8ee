import { constants, crc32, deflateRawSync } from "node:zlib";

/** A file of an archive, of which everything is known once it is written. */
export interface ZippedFile {
  /** With slashes, in UTF-8. */
  readonly path: string;
  /** Where its header begins, in bytes from the begin of the archive. */
  readonly offset: number;
  readonly method: "stored" | "deflated";
  /** Whether its sizes follow its bytes because they were not known before. */
  readonly isStreamed: boolean;
  readonly crc: number;
  /** Bytes in the archive. */
  readonly packed: number;
  readonly size: number;
}

/** What a central directory is about, to end an archive. */
export interface Directory {
  readonly files: number;
  readonly offset: number;
  readonly size: number;
}

const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
const VERSION = 20;
const VERSION_ZIP64 = 45;
/** Names are in UTF-8. */
const FLAG_UTF8 = 0x0800;
/** Sizes follow the bytes. */
const FLAG_STREAMED = 0x0008;
const METHODS = { stored: 0, deflated: 8 };
/** Files that the owner may read and write, in the high half of the attributes as Unix tools write them. */
const ATTRIBUTES = 0o100644 * 2 ** 16;
const MADE_BY_UNIX = 3 * 2 ** 8;

/** The header before the bytes of a file; the sizes of a streamed one are left out. @param at when the file was made */
export function localHeader(file: Omit<ZippedFile, "offset">, at: Date): Uint8Array {
  const known = file.isStreamed ? { crc: 0, packed: 0, size: 0 } : file;
  const name = Buffer.from(file.path);
  const header = Buffer.alloc(30);
  header.write("PK\x03\x04", "latin1");
  writeFields(header, 4, file, known, at);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** What follows the bytes of a streamed file. */
export function dataDescriptor({ crc, packed, size }: Pick<ZippedFile, "crc" | "packed" | "size">): Uint8Array {
  const isLarge = packed >= MAX_32 || size >= MAX_32;
  const descriptor = Buffer.alloc(isLarge ? 24 : 16);
  descriptor.write("PK\x07\x08", "latin1");
  descriptor.writeUInt32LE(crc, 4);
  if (isLarge) {
    descriptor.writeBigUInt64LE(BigInt(packed), 8);
    descriptor.writeBigUInt64LE(BigInt(size), 16);
  } else {
    descriptor.writeUInt32LE(packed, 8);
    descriptor.writeUInt32LE(size, 12);
  }
  return descriptor;
}

/** The record of a file in the central directory. @param at when the file was made */
export function directoryRecord(file: ZippedFile, at: Date): Uint8Array {
  const { offset, packed, size } = file;
  const large = [size, packed, offset].filter((value) => value >= MAX_32);
  const extra = Buffer.alloc(large.length === 0 ? 0 : 4 + large.length * 8);
  if (large.length > 0) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(large.length * 8, 2);
    for (const [index, value] of large.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  }
  const name = Buffer.from(file.path);
  const record = Buffer.alloc(46);
  record.write("PK\x01\x02", "latin1");
  record.writeUInt16LE(MADE_BY_UNIX + VERSION_ZIP64, 4);
  writeFields(record, 6, file, file, at);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(ATTRIBUTES, 38);
  record.writeUInt32LE(Math.min(offset, MAX_32), 42);
  return Buffer.concat([record, name, extra]);
}

/** The end of an archive, after its central directory. */
export function endOfArchive({ files, offset, size }: Directory): Uint8Array {
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Math.min(files, MAX_16), 8);
  end.writeUInt16LE(Math.min(files, MAX_16), 10);
  end.writeUInt32LE(Math.min(size, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  const isLarge = files >= MAX_16 || offset >= MAX_32 || size >= MAX_32;
  return isLarge ? Buffer.concat([zip64End({ files, offset, size }), end]) : end;
}

function zip64End({ files, offset, size }: Directory): Uint8Array {
  const record = Buffer.alloc(56 + 20);
  record.write("PK\x06\x06", "latin1");
  // The size of the rest of this record.
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(MADE_BY_UNIX + VERSION_ZIP64, 12);
  record.writeUInt16LE(VERSION_ZIP64, 14);
  record.writeBigUInt64LE(BigInt(files), 24);
  record.writeBigUInt64LE(BigInt(files), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  // Where this record is, for readers that come from the end.
  record.write("PK\x06\x07", 56, "latin1");
  record.writeBigUInt64LE(BigInt(offset + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

/** The fields that a file has in its header and in the directory. */
function writeFields(
  into: Buffer,
  from: number,
  file: Pick<ZippedFile, "path" | "method" | "isStreamed">,
  { crc, packed, size }: Pick<ZippedFile, "crc" | "packed" | "size">,
  at: Date,
): void {
  const isLarge = packed >= MAX_32 || size >= MAX_32;
  into.writeUInt16LE(isLarge ? VERSION_ZIP64 : VERSION, from);
  into.writeUInt16LE(FLAG_UTF8 + (file.isStreamed ? FLAG_STREAMED : 0), from + 2);
  into.writeUInt16LE(METHODS[file.method], from + 4);
  into.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1), from + 6);
  into.writeUInt16LE(((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(), from + 8);
  into.writeUInt32LE(crc, from + 10);
  into.writeUInt32LE(Math.min(packed, MAX_32), from + 14);
  into.writeUInt32LE(Math.min(size, MAX_32), from + 18);
}

/** Compresses a piece of a file so that other pieces can follow: it ends at a byte, and later ones do not refer to it. */
export function deflatePiece(bytes: Uint8Array): Uint8Array {
  // By default zlib allocates 16 KB for each call, which is garbage faster than it is collected for many small files.
  const chunkSize = Math.min(Math.max(bytes.length, 1_024), 65_536);
  return deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH, chunkSize });
}

/** Ends a file of compressed pieces: a last block without bytes. */
export const END_OF_PIECES: Uint8Array = deflateRawSync(new Uint8Array());

/** The CRC-32 of bytes that follow others. @param before of those others; 0 if there are none */
export function crcAfter(before: number, bytes: Uint8Array): number {
  return crc32(bytes, before);
}
