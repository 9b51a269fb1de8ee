import type { MetadataParts } from "./photo-metadata.ts";

/** A box of a file in the ISO base media format. */
interface Box {
  readonly type: string;
  readonly content: Buffer;
}

/** Blocks beyond this size are not metadata of a photo. */
const LARGEST_BLOCK = 4 * 1024 * 1024;

/**
 * Finds the EXIF block and the XMP packet of a HEIC file (ISO/IEC 23008-12), which are items of its `meta` box; nothing
 * of what cannot be found.
 */
export function heicMetadata(file: Uint8Array): MetadataParts {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  try {
    const meta = boxesOf(bytes).find(({ type }) => type === "meta");
    const parts = meta === undefined ? [] : boxesOf(meta.content.subarray(4));
    const infos = parts.find(({ type }) => type === "iinf");
    const places = parts.find(({ type }) => type === "iloc");
    if (infos === undefined || places === undefined) return {};
    const block = (wanted: (kind: string) => boolean) => {
      const id = itemsOf(infos.content).find(({ kind }) => wanted(kind))?.id;
      return id === undefined ? undefined : itemContent(bytes, places.content, id);
    };
    return { exif: tiffOf(block((kind) => kind === "Exif")), xmp: block((kind) => kind.includes("rdf+xml")) };
  } catch (error) {
    // A length or place that points out of the file.
    if (error instanceof RangeError) return {};
    throw error;
  }
}

function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    const short = bytes.readUInt32BE(at);
    const head = short === 1 ? 16 : 8;
    const size = short === 0 ? bytes.length - at : short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    if (size < head) break;
    boxes.push({ type, content: bytes.subarray(at + head, at + size) });
    at += size;
  }
  return boxes;
}

/** What items there are: their number, and their type, for `mime` with the type of content behind it. */
function itemsOf(infos: Buffer): { id: number; kind: string }[] {
  const start = infos.readUInt8(0) === 0 ? 6 : 8;
  return boxesOf(infos.subarray(start)).flatMap(({ type, content }) => {
    const version = content.readUInt8(0);
    if (type !== "infe" || version < 2) return [];
    const wide = version > 2;
    const id = wide ? content.readUInt32BE(4) : content.readUInt16BE(4);
    const kind = content.toString("latin1", wide ? 10 : 8);
    return [{ id, kind: kind.startsWith("Exif") ? "Exif" : kind }];
  });
}

/** The bytes of an item that lies in the file in one piece; undefined for one that lies elsewhere or in several. */
function itemContent(file: Buffer, places: Buffer, wanted: number): Buffer | undefined {
  const version = places.readUInt8(0);
  const sizes = places.readUInt16BE(4);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  let at = 6;
  const next = (size: number): number => {
    if (size === 0) return 0;
    const value = size === 8 ? Number(places.readBigUInt64BE(at)) : places.readUIntBE(at, size);
    at += size;
    return value;
  };
  const items = next(version < 2 ? 2 : 4);
  for (let item = 0; item < items; item += 1) {
    const id = next(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2);
    const base = next(baseSize);
    const extents = next(2);
    for (let extent = 0; extent < extents; extent += 1) {
      next(indexSize);
      const offset = base + next(offsetSize);
      const length = next(lengthSize);
      if (id !== wanted) continue;
      return method === 0 && extents === 1 && length <= LARGEST_BLOCK
        ? file.subarray(offset, offset + length)
        : undefined;
    }
  }
  return undefined;
}

/** The item begins with how far behind these four bytes the TIFF heading is. */
function tiffOf(item: Buffer | undefined): Buffer | undefined {
  return item?.subarray(4 + item.readUInt32BE(0));
}
