import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { write } from "#tests/groups";
import {
  heicGrid,
  heicTaken,
  hugeJpeg,
  hugePng,
  hugeWebp,
  jpegWith,
  MARK,
  picture,
  pngWith,
  webpWith,
  xmpPacket,
} from "#tests/photos";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { load, picturesOf } from "./picture-scene.ts";

const api = useApi({ environment: await useFileStore() });
const { add } = picturesOf(api);
const ada = beforeEachTest(() => api.person());
const entry = beforeEachTest(() => write(api, ada, {}));

/** The markers of a JPEG before its pixels: FF E1 and those after it, and FF FE, are metadata. */
function markersOf(jpeg: Uint8Array): number[] {
  const bytes = Buffer.from(jpeg);
  const markers: number[] = [];
  for (let at = 2; bytes[at + 1] !== 0xda; at += 2 + bytes.readUInt16BE(at + 2)) markers.push(bytes[at + 1] ?? 0);
  return markers;
}

/** JFIF, tables and frames: what a JPEG needs to be shown. */
const NEEDED = new Set([0xe0, 0xdb, 0xc0, 0xc2, 0xc4, 0xdd]);

/** @returns the code of the refusal; null if nothing but pixels is served */
async function outcomeOf(bytes: Uint8Array): Promise<string | null> {
  const sent = add(ada, entry.id, bytes);
  const { status, body } = await sent;
  if (status !== 201) {
    expect(status).toBeLessThan(500);
    return String(body.code);
  }
  const { picture: added } = await sent.created();
  for (const file of [await load(added.url), await load(added.thumbnail_url)]) {
    const found = markersOf(file).filter((marker) => !NEEDED.has(marker));
    if (found.length > 0) return `has the markers ${found.join(", ")}`;
    if (file.includes(MARK)) return "has metadata";
  }
  if (Math.max(added.width, added.height) > 2_048) return "is too large";
  await api.delete(`/api/pictures/${added.id}`, ada).ok();
  return null;
}

const EXIF = { make: MARK, gps: [47.4, 8.5], orientation: 6, comment: MARK } as const;
const marked = (image: Sharp) => image.withExif({ IFD0: { Make: MARK, Copyright: MARK } }).withXmp(xmpPacket(MARK));

function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function pngText(type: string, content: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from(type), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  // The checksum of a text is not looked at.
  return Buffer.concat([length, chunk, Buffer.alloc(4)]);
}

const small = (seed: number) => picture(seed, 96, 64);

/** Files of every format and kind, each with marks in all places where the format has metadata. */
const MARKED: Readonly<Record<string, () => Promise<Buffer>>> = {
  "a JPEG with EXIF and a thumbnail": async () =>
    jpegWith({ ...EXIF, thumbnail: await jpegWith({ make: MARK }, small(2)) }, small(1)),
  "a JPEG with XMP": () => jpegWith(EXIF, small(1), xmpPacket(MARK)),
  "a JPEG with IPTC and a comment": async () => {
    const jpeg = await jpegWith(null, small(1));
    const iptc = jpegSegment(
      0xed,
      Buffer.from(`Photoshop 3.0\u00008BIM\u0004\u0004\0\0\0\0\0\u0020\u001c\u0002\u0050\0\u0012${MARK}`, "latin1"),
    );
    return Buffer.concat([
      jpeg.subarray(0, 2),
      iptc,
      jpegSegment(0xfe, Buffer.from(MARK)),
      jpeg.subarray(2),
      Buffer.from(MARK),
    ]);
  },
  "a progressive JPEG": () => marked(small(3)).jpeg({ progressive: true }).toBuffer(),
  "a JPEG for print": () => marked(small(4)).toColourspace("cmyk").jpeg().toBuffer(),
  "a grey JPEG with a color profile": () => marked(small(5)).greyscale().withIccProfile("p3").jpeg().toBuffer(),
  "a PNG with EXIF": () => pngWith(EXIF, small(1)),
  "a PNG with texts": async () => {
    const png = await pngWith(EXIF, small(1));
    const texts = ["tEXt", "iTXt", "zTXt"].map((type) =>
      pngText(type, Buffer.from(`Author\0\0\0\0\0${MARK}`, "latin1")),
    );
    return Buffer.concat([png.subarray(0, 33), ...texts, png.subarray(33), Buffer.from(MARK)]);
  },
  "an interlaced PNG": () => marked(small(6)).png({ progressive: true }).toBuffer(),
  "a PNG with a palette": () => marked(small(7)).png({ palette: true }).toBuffer(),
  "a PNG of 16 bits with transparency": () => marked(small(8)).ensureAlpha(0.5).toColourspace("rgb16").png().toBuffer(),
  "a WebP with EXIF": () => webpWith(EXIF, small(1)),
  "a WebP with EXIF and XMP": () => marked(small(9)).webp().toBuffer(),
  "a WebP without loss": () => marked(small(10)).webp({ lossless: true }).toBuffer(),
  "a moving WebP": async () => {
    const frames = await Promise.all([11, 12].map((seed) => small(seed).png().toBuffer()));
    return marked(sharp(frames, { join: { animated: true } }))
      .webp({ delay: [100, 100] })
      .toBuffer();
  },
  "a HEIC with EXIF": () => heicTaken("2026:03:04 06:20:00"),
  "a HEIC with XMP": () => heicGrid(1_280, 960, "photo", xmpPacket(MARK)),
};

const files = beforeTests(async () => ({
  marked: new Map(await Promise.all(Object.entries(MARKED).map(async ([name, make]) => [name, await make()] as const))),
}));
const markedFile = (name: string) => files.marked.get(name) ?? Buffer.alloc(0);
const names = Object.keys(MARKED);

describe("what is served of a picture", () => {
  it.each(names)("is pixels alone: %s", async (name) => {
    expect(await outcomeOf(markedFile(name))).toBe(null);
  });
});

describe("of a file that is damaged, the picture is refused or has pixels alone", () => {
  it.each(names)("cut short or changed: %s", async (name) => {
    const whole = markedFile(name);
    const isSlow = name.includes("HEIC");
    const parts = isSlow ? [0.1, 0.5, 0.9] : [0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99];
    const cut = parts.map((part) => whole.subarray(0, Math.max(12, Math.floor(whole.length * part))));
    const changed = parts.map((part, index) => {
      const bytes = Buffer.from(whole);
      for (let at = 16 + index; at < bytes.length; at += Math.ceil(bytes.length * part))
        bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      return bytes;
    });
    for (const bytes of [...cut, ...changed]) expect([null, "picture.unusable"]).toContain(await outcomeOf(bytes));
  });

  it.each([
    ["a PNG of 270 megapixels", hugePng(16_384, 16_384)],
    ["a JPEG of 270 megapixels", hugeJpeg(16_384, 16_384)],
    ["a WebP of 270 megapixels", hugeWebp(16_383, 16_383)],
    ["a JPEG that is a PNG afterwards", Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), hugePng(16, 16)])],
    ["a HEIC without items", Buffer.from("\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "latin1")],
  ])("%s is refused", async (_, bytes) => {
    expect(await outcomeOf(bytes)).toBe("picture.unusable");
  });

  it("other formats are not accepted, AVIF among them", async () => {
    const avif = await small(1).avif({ effort: 0 }).toBuffer();
    const gif = await small(1).gif().toBuffer();
    const tiff = await small(1).tiff().toBuffer();
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>${MARK}</script></svg>`);
    for (const bytes of [avif, gif, tiff, svg, Buffer.alloc(0)])
      expect(await outcomeOf(bytes)).toBe("picture.unsupported");
  });
});
