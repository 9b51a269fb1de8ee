import { crc32, deflateRawSync } from "node:zlib";

/** A file of a zip archive; what is left out is as it should be. */
export interface ZipFileSpec {
  readonly path: string | Uint8Array;
  readonly content?: string | Uint8Array;
  readonly method?: 0 | 8 | 14;
  /** Size in the directory; the true one if left out. */
  readonly size?: number;
  readonly packedSize?: number;
  readonly crc?: number;
  readonly flags?: number;
  /** The type and permissions on Unix. */
  readonly mode?: number;
  /** When it was last changed, by a local clock; null for none. */
  readonly modifiedAt?: Date | null;
  /** Extra fields, such as `unixTime()`. */
  readonly extra?: Uint8Array;
  /** Offset of the header in the directory; the true one if left out. */
  readonly offset?: number;
  /** Whether its sizes are in the extra field of Zip64. */
  readonly zip64?: boolean;
}

const UTF8_NAME = 0x800;

/** A zip archive of these files, written byte by byte, so that it can lie about anything. */
export function zipOf(
  files: readonly ZipFileSpec[],
  { entryCount = files.length, prefix = new Uint8Array() }: { entryCount?: number; prefix?: Uint8Array } = {},
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [prefix];
  const directory: Uint8Array[] = [];
  let at = prefix.length;
  for (const file of files) {
    const { local, central } = partsOf(file, file.offset ?? at);
    parts.push(...local);
    directory.push(central);
    at += bytesOf(local);
  }
  return new Uint8Array(Buffer.concat([...parts, ...directory, endOf(entryCount, bytesOf(directory), at)]));
}

function partsOf(file: ZipFileSpec, offset: number) {
  const name = Buffer.from(file.path);
  const content = Buffer.from(file.content ?? "");
  const method = file.method ?? 8;
  const packed = method === 8 ? deflateRawSync(content) : content;
  const size = file.size ?? content.length;
  const packedSize = file.packedSize ?? packed.length;
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(UTF8_NAME | (file.flags ?? 0), 2);
  common.writeUInt16LE(method, 4);
  common.writeUInt32LE(dosTime(file.modifiedAt), 6);
  common.writeUInt32LE(file.crc ?? crc32(content), 10);
  common.writeUInt32LE(file.zip64 === true ? 0xffffffff : packedSize, 14);
  common.writeUInt32LE(file.zip64 === true ? 0xffffffff : size, 18);
  common.writeUInt16LE(name.length, 22);
  const extra = file.zip64 === true ? zip64Field(size, packedSize) : (file.extra ?? new Uint8Array());
  common.writeUInt16LE(extra.length, 24);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(((file.mode ?? 0) << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  return {
    local: [Buffer.from("PK\x03\x04"), common, name, extra, packed],
    central: Buffer.concat([Buffer.from("PK\x01\x02\x14\x03"), common, rest, name, extra]),
  };
}

/** The extra field of Info-ZIP with the UTC time of the last change. */
export function unixTime(at: Date): Buffer {
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeInt32LE(at.getTime() / 1_000, 5);
  return field;
}

/** The extra field of Windows with the UTC time of the last change. */
export function ntfsTime(at: Date): Buffer {
  const field = Buffer.alloc(36);
  field.writeUInt16LE(0x000a, 0);
  field.writeUInt16LE(32, 2);
  field.writeUInt16LE(1, 8);
  field.writeUInt16LE(24, 10);
  field.writeBigUInt64LE(BigInt(at.getTime() - Date.UTC(1601, 0, 1)) * 10_000n, 12);
  return field;
}

function zip64Field(size: number, packedSize: number): Buffer {
  const field = Buffer.alloc(20);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(16, 2);
  field.writeBigUInt64LE(BigInt(size), 4);
  field.writeBigUInt64LE(BigInt(packedSize), 12);
  return field;
}

function endOf(entryCount: number, directoryBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  const shownCount = Math.min(entryCount, 0xffff);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(shownCount, 8);
  end.writeUInt16LE(shownCount, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return entryCount > 0xffff ? Buffer.concat([zip64EndOf(entryCount, directoryBytes, offset), end]) : end;
}

function zip64EndOf(entryCount: number, directoryBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(76);
  end.write("PK\x06\x06", "latin1");
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(entryCount), 24);
  end.writeBigUInt64LE(BigInt(entryCount), 32);
  end.writeBigUInt64LE(BigInt(directoryBytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.write("PK\x06\x07", 56, "latin1");
  end.writeBigUInt64LE(BigInt(offset + directoryBytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

/** Date and time as the format has them; the earliest of the format for none. */
function dosTime(at: Date | null = new Date("2026-05-01T08:30:00Z")): number {
  if (at === null) return ((1 << 5) | 1) * 0x10000;
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x10000 + time;
}

function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
