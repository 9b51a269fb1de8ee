import { readFile } from "node:fs/promises";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

/** How a camera writes its EXIF block. */
export interface CameraExif {
  readonly endian?: "little" | "big";
  /** `YYYY:MM:DD HH:MM:SS`; absent: not said. */
  readonly taken?: string;
  /** Such as `+02:00`. */
  readonly offset?: string;
  readonly make?: string;
  readonly software?: string;
  readonly orientation?: number;
  /** Degrees north and east. */
  readonly gps?: readonly [number, number];
  readonly comment?: string;
  /** A picture in the block, as cameras put there. */
  readonly thumbnail?: Uint8Array;
}

type Value =
  | { readonly type: "ascii"; readonly text: string }
  | { readonly type: "short" | "long"; readonly number: number }
  | { readonly type: "rationals"; readonly parts: readonly (readonly [number, number])[] }
  | { readonly type: "undefined"; readonly bytes: Uint8Array };

const TYPES = { ascii: 2, short: 3, long: 4, rationals: 5, undefined: 7 } as const;
/** Text that stands in blocks of places, so that a test can look for it in what was stored. */
export const MARK = "NECTAR-TEST-CAMERA";

/** An EXIF block (TIFF, without the heading of JPEG), written from the standard and not by a library. */
function exifBlock(camera: CameraExif): Buffer {
  const little = camera.endian !== "big";
  const u16 = (value: number) => {
    const bytes = Buffer.alloc(2);
    if (little) bytes.writeUInt16LE(value);
    else bytes.writeUInt16BE(value);
    return bytes;
  };
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    if (little) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  const content = (value: Value): Buffer => {
    switch (value.type) {
      case "ascii":
        return Buffer.from(`${value.text}\0`, "latin1");
      case "short":
        return u16(value.number);
      case "long":
        return u32(value.number);
      case "rationals":
        return Buffer.concat(value.parts.flatMap(([above, below]) => [u32(above), u32(below)]));
      case "undefined":
        return Buffer.from(value.bytes);
    }
  };
  const size = (entries: ReadonlyMap<number, Value>) =>
    6 +
    entries.size * 12 +
    [...entries.values()].reduce((sum, value) => {
      const length = content(value).length;
      return sum + (length > 4 ? length + (length % 2) : 0);
    }, 0);
  const directory = (entries: ReadonlyMap<number, Value>, at: number, next: number): Buffer => {
    const head: Buffer[] = [u16(entries.size)];
    const tail: Buffer[] = [];
    let free = at + 6 + entries.size * 12;
    for (const [tag, value] of [...entries].sort(([a], [b]) => a - b)) {
      const bytes = content(value);
      const count = value.type === "ascii" || value.type === "undefined" ? bytes.length : countOf(value);
      head.push(u16(tag), u16(TYPES[value.type]), u32(count));
      if (bytes.length <= 4) head.push(Buffer.concat([bytes, Buffer.alloc(4 - bytes.length)]));
      else {
        const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
        head.push(u32(free));
        tail.push(padded);
        free += padded.length;
      }
    }
    return Buffer.concat([...head, u32(next), ...tail]);
  };

  const ifd0 = new Map<number, Value>([[0x010f, { type: "ascii", text: camera.make ?? MARK }]]);
  if (camera.orientation !== undefined) ifd0.set(0x0112, { type: "short", number: camera.orientation });
  if (camera.software !== undefined) ifd0.set(0x0131, { type: "ascii", text: camera.software });
  const exif = new Map<number, Value>([[0x9000, { type: "undefined", bytes: Buffer.from("0232") }]]);
  if (camera.taken !== undefined) exif.set(0x9003, { type: "ascii", text: camera.taken });
  if (camera.offset !== undefined) exif.set(0x9011, { type: "ascii", text: camera.offset });
  if (camera.comment !== undefined) {
    exif.set(0x9286, { type: "undefined", bytes: Buffer.from(`ASCII\0\0\0${camera.comment}`, "latin1") });
  }
  const gps = new Map<number, Value>();
  if (camera.gps !== undefined) {
    const [north, east] = camera.gps;
    gps.set(1, { type: "ascii", text: north < 0 ? "S" : "N" });
    gps.set(2, { type: "rationals", parts: degreesOf(north) });
    gps.set(3, { type: "ascii", text: east < 0 ? "W" : "E" });
    gps.set(4, { type: "rationals", parts: degreesOf(east) });
  }
  ifd0.set(0x8769, { type: "long", number: 0 });
  if (gps.size > 0) ifd0.set(0x8825, { type: "long", number: 0 });
  const exifAt = 8 + size(ifd0);
  const gpsAt = exifAt + size(exif);
  const thumbnailAt = gpsAt + (gps.size > 0 ? size(gps) : 0);
  ifd0.set(0x8769, { type: "long", number: exifAt });
  if (gps.size > 0) ifd0.set(0x8825, { type: "long", number: gpsAt });
  const thumbnail = camera.thumbnail;
  const ifd1 = new Map<number, Value>();
  if (thumbnail !== undefined) {
    ifd1.set(0x0103, { type: "short", number: 6 });
    ifd1.set(0x0201, { type: "long", number: 0 });
    ifd1.set(0x0202, { type: "long", number: thumbnail.length });
    ifd1.set(0x0201, { type: "long", number: thumbnailAt + size(ifd1) });
  }
  return Buffer.concat([
    Buffer.from(little ? "II" : "MM"),
    u16(42),
    u32(8),
    directory(ifd0, 8, ifd1.size > 0 ? thumbnailAt : 0),
    directory(exif, exifAt, 0),
    ...(gps.size > 0 ? [directory(gps, gpsAt, 0)] : []),
    ...(thumbnail === undefined ? [] : [directory(ifd1, thumbnailAt, 0), Buffer.from(thumbnail)]),
  ]);
}

function countOf(value: Value): number {
  return value.type === "rationals" ? value.parts.length : 1;
}

function degreesOf(value: number): [number, number][] {
  const seconds = Math.round(Math.abs(value) * 360_000);
  return [
    [Math.floor(seconds / 360_000), 1],
    [Math.floor((seconds % 360_000) / 6_000), 1],
    [seconds % 6_000, 100],
  ];
}

export function xmpPacket(tool: string): string {
  return `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="${tool}" xmp:Label="${MARK}"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
}

/** A picture with something to see on it; each number another one. */
export function picture(seed: number, width = 640, height = 480): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  // Waves whose lengths and phases follow from the number, so that pictures differ as a whole.
  const drawn = (n: number) => Math.abs(Math.sin(seed * 12.9898 + n * 78.233) * 43_758.5453) % 1;
  const [a, b, c, d] = [1 + drawn(1) * 5, 1 + drawn(2) * 5, 1 + drawn(3) * 5, 1 + drawn(4) * 5];
  const [p, q, r] = [drawn(5) * 6.28, drawn(6) * 6.28, drawn(7) * 6.28];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = [(x / width) * 6.28, (y / height) * 6.28];
      const light = Math.sin(u * a + p) * Math.cos(v * b + q) + Math.sin(u * c - v * d + r);
      const at = (y * width + x) * 3;
      pixels[at] = 128 + light * 60;
      pixels[at + 1] = 128 + light * 40;
      pixels[at + 2] = 128 - light * 50;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A JPEG with an EXIF block, and an XMP packet when there is one. */
export async function jpegWith(camera: CameraExif | null, image = picture(1), xmp?: string): Promise<Buffer> {
  const jpeg = await image.jpeg({ quality: 80 }).toBuffer();
  const segments: Buffer[] = [];
  const segment = (heading: string, content: Uint8Array) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(2 + heading.length + content.length);
    segments.push(Buffer.from([0xff, 0xe1]), length, Buffer.from(heading, "latin1"), Buffer.from(content));
  };
  if (camera !== null) segment("Exif\0\0", exifBlock(camera));
  if (xmp !== undefined) segment("http://ns.adobe.com/xap/1.0/\0", Buffer.from(xmp));
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** A PNG with an EXIF block. */
export async function pngWith(camera: CameraExif | null, image = picture(1)): Promise<Buffer> {
  const png = await image.png().toBuffer();
  if (camera === null) return png;
  // Behind the header, which is 8 bytes of signature and 25 of IHDR.
  return Buffer.concat([png.subarray(0, 33), pngChunk("eXIf", exifBlock(camera)), png.subarray(33)]);
}

/** A WebP in its extended form, with an EXIF block. */
export async function webpWith(camera: CameraExif, image = picture(1)): Promise<Buffer> {
  const plain = await image.webp({ quality: 80 }).toBuffer();
  const { width = 0, height = 0 } = await sharp(plain).metadata();
  const header = Buffer.alloc(10);
  header[0] = 0x08;
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  const chunk = (name: string, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return Buffer.concat([Buffer.from(name), length, content, Buffer.alloc(content.length % 2)]);
  };
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    chunk("VP8X", header),
    plain.subarray(12),
    chunk("EXIF", exifBlock(camera)),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from("RIFF"), length, body]);
}

/** When the HEIC of the fixtures was taken, as it stands in its EXIF block. */
const FIXTURE_TAKEN = "2026:11:21 07:05:09";

/** A HEIC, 640 by 480, with an EXIF block that says another moment. @param taken as the fixture's, `YYYY:MM:DD HH:MM:SS` */
export async function heicTaken(taken: string): Promise<Buffer> {
  const file = await readFile(new URL("./fixtures/photo.heic", import.meta.url));
  const at = file.indexOf(FIXTURE_TAKEN);
  if (at < 0) throw new Error("The fixture has no moment in it.");
  file.write(taken, at, "latin1");
  return file;
}

/**
 * A PNG of one colour that says how large it is and takes hardly any bytes.
 * @param kind grey with one bit a pixel, or color and transparency with 64
 */
export function hugePng(width: number, height: number, kind: "grey" | "deep" = "grey"): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(kind === "grey" ? [1, 0] : [16, 6], 8);
  const rowBytes = 1 + (kind === "grey" ? Math.ceil(width / 8) : width * 8);
  const pixels = Buffer.alloc(rowBytes * height);
  // Each row of the second kind has the filter that takes longest.
  if (kind === "deep") for (let at = 0; at < pixels.length; at += rowBytes) pixels[at] = 4;
  const rows = deflateSync(pixels, { level: kind === "grey" ? 9 : 1 });
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", rows),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A moment as cameras write it. @param moment RFC 3339; the time as it stands there is taken over, whatever its zone */
export function cameraTime(moment: string): string {
  return `${moment.slice(0, 10).replaceAll("-", ":")} ${moment.slice(11, 19)}`;
}

/** A JPEG that says how large it is and holds next to nothing: of its blocks only one scan, of one bit each, is there. */
export function hugeJpeg(width: number, height: number): Buffer {
  const segment = (marker: number, content: readonly number[]) =>
    Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255, ...content]);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    // Progressive, eight bits, one component.
    segment(0xc2, [8, ...size, 1, 1, 0x11, 0]),
    // One code of one bit: no difference to the block before.
    segment(0xc4, [0, 1, ...Array.from({ length: 15 }, () => 0), 0]),
    segment(0xda, [1, 1, 0, 0, 0, 0]),
    Buffer.alloc(Math.ceil((Math.ceil(width / 8) * Math.ceil(height / 8)) / 8)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A WebP without loss whose pixels take no bits at all, for each of its codes has a single symbol. At most 16,384 a side. */
export function hugeWebp(width: number, height: number): Buffer {
  // Sizes less one, no transparency, version 0, no transforms, no colour cache, no groups, then five codes of one symbol.
  const bits = [...bitsOf(width - 1, 14), ...bitsOf(height - 1, 14), 0, 0, 0, 0, 0, 0, 0];
  for (let code = 0; code < 5; code += 1) bits.push(1, 0, 0, 0);
  const data = Buffer.alloc(Math.ceil(bits.length / 16) * 2 + 1);
  data[0] = 0x2f;
  for (const [at, bit] of bits.entries()) data[1 + (at >> 3)] = (data[1 + (at >> 3)] ?? 0) | (bit << (at & 7));
  const head = Buffer.alloc(20);
  head.write("RIFF", 0);
  head.writeUInt32LE(12 + data.length + (data.length % 2), 4);
  head.write("WEBPVP8L", 8);
  head.writeUInt32LE(data.length, 16);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function bitsOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => (value >> at) & 1);
}

/** Sides of the tile that the HEIC of the fixtures is. */
const TILE = { width: 640, height: 480 } as const;

/**
 * A HEIC as phones write large photos: a grid of tiles, each coded by itself. Here all of them show the same, and lie in the
 * file once.
 * @param fixture what the tiles are: of eight bits a colour, or of ten as with high dynamic range
 */
export async function heicGrid(
  width: number,
  height: number,
  fixture: "photo" | "photo-10-bit",
  xmp = "",
): Promise<Buffer> {
  const file = await readFile(new URL(`./fixtures/${fixture}.heic`, import.meta.url));
  const [columns, rows] = [Math.ceil(width / TILE.width), Math.ceil(height / TILE.height)];
  const tiles = columns * rows;
  const u8 = (value: number) => Buffer.from([value]);
  const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const box = (type: string, ...content: Uint8Array[]) => {
    const body = Buffer.concat(content);
    return Buffer.concat([u32(body.length + 8), Buffer.from(type), body]);
  };
  const full = (type: string, version: number, flags: number, ...content: Uint8Array[]) =>
    box(type, u32(version * 2 ** 24 + flags), ...content);
  const configuration = file.indexOf("hvcC") - 4;
  const coded = codedPicture(file);
  const grid = Buffer.concat([u8(0), u8(0), u8(rows - 1), u8(columns - 1), u16(width), u16(height)]);
  const ids = Array.from({ length: tiles }, (_, index) => index + 2);
  const [xmpId, packet] = [tiles + 2, Buffer.from(xmp)];
  const item = (id: number, type: string) => full("infe", 2, 0, u16(id), u16(0), Buffer.from(`${type}\0`));
  const size = (w: number, h: number) => full("ispe", 0, 0, u32(w), u32(h));
  const configurationBox = file.subarray(configuration, configuration + file.readUInt32BE(configuration));
  const meta = (dataAt: number) => {
    // Version 1, whose items say how they are found: 0 in the file. Offsets and lengths of four bytes.
    const place = (id: number, at: number, length: number) =>
      Buffer.concat([u16(id), u16(0), u16(0), u16(1), u32(at), u32(length)]);
    return full(
      "meta",
      0,
      0,
      full("hdlr", 0, 0, u32(0), Buffer.from("pict"), Buffer.alloc(13)),
      full("pitm", 0, 0, u16(1)),
      full(
        "iinf",
        0,
        0,
        u16(tiles + 2),
        item(1, "grid"),
        ...ids.map((id) => item(id, "hvc1")),
        item(xmpId, "mime\0application/rdf+xml"),
      ),
      full("iref", 0, 0, box("dimg", u16(1), u16(tiles), ...ids.map(u16)), box("cdsc", u16(xmpId), u16(1), u16(1))),
      box(
        "iprp",
        box("ipco", configurationBox, size(TILE.width, TILE.height), size(width, height)),
        full(
          "ipma",
          0,
          0,
          u32(tiles + 1),
          Buffer.concat([u16(1), u8(1), u8(3)]),
          ...ids.map((id) => Buffer.concat([u16(id), u8(2), u8(0x81), u8(2)])),
        ),
      ),
      full(
        "iloc",
        1,
        0,
        u16(0x4400),
        u16(tiles + 2),
        place(1, dataAt, grid.length),
        ...ids.map((id) => place(id, dataAt + grid.length, coded.length)),
        place(xmpId, dataAt + grid.length + coded.length, packet.length),
      ),
    );
  };
  const brands = box("ftyp", Buffer.from("heic"), u32(0), Buffer.from("mif1heic"));
  const dataAt = brands.length + meta(0).length + 8;
  return Buffer.concat([brands, meta(dataAt), box("mdat", grid, coded, packet)]);
}

/** The first item of a fixture, which is its picture. */
function codedPicture(file: Buffer): Buffer {
  // Version 0: behind the name of the box are its version, the sizes of its fields, how many items, and the first item's id.
  const first = file.indexOf("iloc") + 4 + 4 + 2 + 2 + 2;
  const base = file.readUInt32BE(first + 2);
  const [offset, length] = [file.readUInt32BE(first + 8), file.readUInt32BE(first + 12)];
  return file.subarray(base + offset, base + offset + length);
}
