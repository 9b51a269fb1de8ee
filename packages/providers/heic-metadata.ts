import type { MetadataParts } from "./photo-metadata.ts";

/** A box of a file in the ISO base media format. */
interface Box {
  readonly type: string;
  readonly content: Buffer;
}

/** Blocks beyond this size are not metadata of a photo. */
const MAX_BLOCK_BYTES = 4 * 1024 * 1024;

/** The names of an item beyond which nothing of it is read, in bytes. */
const MAX_KIND_BYTES = 512;

/** Boxes of one level, or items, that are looked at: a photo of 50 megapixels in tiles has some 200. */
const MAX_BOXES = 1_024;

/**
 * Finds the EXIF block and the XMP packet of a HEIC file (ISO/IEC 23008-12), which are items of its `meta` box. What cannot
 * be found is left out.
 */
export function heicMetadata(file: Uint8Array): MetadataParts {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  try {
    const meta = findBox(bytes, "meta")?.subarray(4);
    if (meta === undefined) return {};
    const [infos, locations] = [findBox(meta, "iinf"), findBox(meta, "iloc")];
    if (infos === undefined || locations === undefined) return {};
    const items = itemsOf(infos);
    const block = (wanted: (kind: string) => boolean) => {
      const id = items.find(({ kind }) => wanted(kind))?.id;
      return id === undefined ? undefined : itemContent(bytes, locations, id);
    };
    return { exif: tiffOf(block((kind) => kind === "Exif")), xmp: block((kind) => kind.includes("rdf+xml")) };
  } catch (error) {
    // A length or an offset that points out of the file.
    if (error instanceof RangeError) return {};
    throw error;
  }
}

/** The boxes of one level, read one at a time, so that nothing behind the one that is looked for is read. */
function* boxesOf(bytes: Buffer): Generator<Box> {
  for (let at = 0, count = 0; at + 8 <= bytes.length && count < MAX_BOXES; count += 1) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    const short = bytes.readUInt32BE(at);
    const head = short === 1 ? 16 : 8;
    const size = short === 0 ? bytes.length - at : short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    if (size < head) return;
    yield { type, content: bytes.subarray(at + head, at + size) };
    at += size;
  }
}

/** The content of the first box of a type. */
function findBox(bytes: Buffer, wanted: string): Buffer | undefined {
  for (const { type, content } of boxesOf(bytes)) if (type === wanted) return content;
  return undefined;
}

/** The items of the file: their number, and their type, for `mime` with the type of content behind it. */
function itemsOf(infos: Buffer): { id: number; kind: string }[] {
  const start = infos.readUInt8(0) === 0 ? 6 : 8;
  const items: { id: number; kind: string }[] = [];
  for (const { type, content } of boxesOf(infos.subarray(start))) {
    const version = type === "infe" ? content.readUInt8(0) : 0;
    if (version < 2) continue;
    const wide = version > 2;
    const id = wide ? content.readUInt32BE(4) : content.readUInt16BE(4);
    const kind = content.toString("latin1", wide ? 10 : 8, MAX_KIND_BYTES);
    items.push({ id, kind: kind.startsWith("Exif") ? "Exif" : kind });
  }
  return items;
}

/** The bytes of an item that lies in the file in one piece; undefined for one that lies elsewhere or in several. */
function itemContent(file: Buffer, locations: Buffer, wanted: number): Buffer | undefined {
  const version = locations.readUInt8(0);
  const sizes = locations.readUInt16BE(4);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  let at = 6;
  const next = (size: number): number => {
    if (size === 0) return 0;
    const value = size === 8 ? Number(locations.readBigUInt64BE(at)) : locations.readUIntBE(at, size);
    at += size;
    return value;
  };
  const items = Math.min(next(version < 2 ? 2 : 4), MAX_BOXES);
  for (let item = 0; item < items; item += 1) {
    const id = next(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2);
    const base = next(baseSize);
    const extents = next(2);
    if (id !== wanted) {
      at += extents * (indexSize + offsetSize + lengthSize);
      continue;
    }
    next(indexSize);
    const offset = base + next(offsetSize);
    const length = next(lengthSize);
    return method === 0 && extents === 1 && length <= MAX_BLOCK_BYTES
      ? file.subarray(offset, offset + length)
      : undefined;
  }
  return undefined;
}

/** The item begins with how far behind these four bytes the TIFF heading is. */
function tiffOf(item: Buffer | undefined): Buffer | undefined {
  return item?.subarray(4 + item.readUInt32BE(0));
}
