import { decodeHeic } from "@nectar/providers/heic";
import { photoFormat } from "@nectar/providers/photo-format";
import { type ExaminedPhoto, examinePhoto } from "@nectar/providers/photos";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import {
  type CameraExif,
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
} from "../../support/photos.ts";

async function look(bytes: Uint8Array): Promise<ExaminedPhoto> {
  const format = photoFormat(bytes);
  const photo = format === null ? null : await examinePhoto(bytes, format, { heicDeadlineMs: 60_000 });
  if (photo === null) throw new Error("no photo");
  return photo;
}
const distance = (a: ExaminedPhoto, b: ExaminedPhoto) =>
  [...a.perceptualHash].filter((bit, at) => bit !== b.perceptualHash[at]).length;
const thumbnail = await picture(2, 160, 120).jpeg().toBuffer();

describe("what a photo says of itself", () => {
  const taken = "2026:03:04 06:10:59";
  it.each<[string, CameraExif, string | null]>([
    ["a phone with little end first and an offset", { taken, offset: "+02:00" }, "+02:00"],
    ["a camera with big end first and none", { endian: "big", taken, software: "Ver.1.02" }, null],
    [
      "an offset west of UTC, a place and a thumbnail",
      { taken, offset: "-03:30", gps: [-33.9, 18.4], thumbnail },
      "-03:30",
    ],
    [
      "big end first with all of it",
      { endian: "big", taken, offset: "+05:45", gps: [27.7, 85.3], thumbnail, orientation: 6, software: "17.1.1" },
      "+05:45",
    ],
  ])("%s", async (_, camera, takenOffset) => {
    for (const bytes of [await jpegWith(camera), await pngWith(camera), await webpWith(camera)]) {
      const { claims } = await look(bytes);
      expect(claims).toMatchObject({
        takenAt: "2026-03-04T06:10:59",
        takenOffset,
        isEdited: false,
        isScreenshot: false,
      });
    }
  });

  it("HEIC says it in an item of its own", async () => {
    expect((await look(await heicTaken("2026:03:04 06:10:59"))).claims.takenAt).toBe("2026-03-04T06:10:59");
  });

  it.each([
    "2026:02:30 10:00:00",
    "0000:00:00 00:00:00",
    "    :  :     :  :  ",
    "yesterday",
    "2026:03:04 24:61:00",
    "9999:12:31 23:59:59",
  ])("%s is no moment", async (text) => {
    expect((await look(await jpegWith({ taken: text }))).claims.takenAt).toBeNull();
  });

  it("survives EXIF that is cut off or points anywhere", async () => {
    const photo = await jpegWith({ taken, gps: [1, 2], thumbnail });
    const start = photo.indexOf("Exif\0\0") + 6;
    for (let at = start + 4; at < start + 200; at += 7) {
      const broken = Buffer.from(photo);
      broken.fill(0xff, at, at + 5);
      expect((await look(broken)).jpeg.length).toBeGreaterThan(0);
    }
  });

  it("names of editing programs and pictures of screens are noticed", async () => {
    expect((await look(await jpegWith({ taken, software: "Adobe Photoshop 25.0 (Macintosh)" }))).claims.isEdited).toBe(
      true,
    );
    expect((await look(await jpegWith({ taken }, picture(1), xmpPacket("Adobe Lightroom 9")))).claims.isEdited).toBe(
      true,
    );
    expect((await look(await heicGrid(640, 480, "photo", xmpPacket("Adobe Lightroom 9")))).claims.isEdited).toBe(true);
    expect((await look(await pngWith({ taken, comment: "Screenshot" }))).claims.isScreenshot).toBe(true);
  });
});

describe("what is kept", () => {
  it("has no metadata in it, and is bounded", { timeout: 120_000 }, async () => {
    const camera = { taken: "2026:03:04 06:10:59", gps: [52.5, 13.4], thumbnail, software: MARK } as const;
    const large = () => picture(3, 1_800, 1_200);
    const files = [
      await jpegWith(camera, large().withIccProfile("p3"), xmpPacket(MARK)),
      await pngWith(camera, large()),
      await webpWith(camera, large()),
      await heicTaken("2026:03:04 06:10:59"),
    ];
    for (const bytes of files) {
      expect(Buffer.from(bytes).includes(MARK)).toBe(true);
      const { jpeg } = await look(bytes);
      const kept = Buffer.from(jpeg);
      for (const trace of [MARK, "Exif", "GPS", "adobe", "ICC_PROFILE", "http"])
        expect(kept.includes(trace)).toBe(false);
      const { width = 0, height = 0, format, exif, xmp, icc } = await sharp(kept).metadata();
      expect([format, exif, xmp, icc]).toEqual(["jpeg", undefined, undefined, undefined]);
      expect(Math.max(width, height)).toBeLessThanOrEqual(1600);
      expect(kept.length).toBeLessThan(1024 * 1024);
    }
  });

  // Where what is stored in the upper left corner belongs, by the standard, and whether the sides change places.
  it.each([
    [1, "upper left", false],
    [2, "upper right", false],
    [3, "lower right", false],
    [4, "lower left", false],
    [5, "upper left", true],
    [6, "upper right", true],
    [7, "lower right", true],
    [8, "lower left", true],
  ] as const)("stands upright whose orientation is %i", async (orientation, where, isTurned) => {
    const white = { create: { width: 200, height: 150, channels: 3, background: "white" } } as const;
    const image = sharp(
      await picture(4, 640, 480)
        .composite([{ input: white, left: 0, top: 0 }])
        .png()
        .toBuffer(),
    );
    const camera = { taken: "2026:03:04 06:10:59", orientation } as const;
    for (const bytes of [await jpegWith(camera, image), await pngWith(camera, image), await webpWith(camera, image)]) {
      const { jpeg } = await look(bytes);
      const { width = 0, height = 0, orientation: left } = await sharp(jpeg).metadata();
      expect([width, height, left]).toEqual(isTurned ? [480, 640, undefined] : [640, 480, undefined]);
      const light = async (corner: string) => {
        const at = {
          left: corner.endsWith("left") ? 20 : width - 120,
          top: corner.startsWith("upper") ? 20 : height - 120,
        };
        const pixels = await sharp(jpeg)
          .extract({ ...at, width: 100, height: 100 })
          .raw()
          .toBuffer();
        return pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
      };
      const lights = new Map<string, number>();
      for (const corner of ["upper left", "upper right", "lower left", "lower right"]) {
        lights.set(corner, await light(corner));
      }
      expect([...lights].filter(([, value]) => value > 240).map(([corner]) => corner)).toEqual([where]);
    }
  });
});

describe("a HEIC as phones write it, in tiles", () => {
  it.each([
    // The first has the size of a phone's photos: the memory of the decoder has to grow for it.
    ["8 bits", "photo", [4_032, 3_024]],
    ["10 bits", "photo-10-bit", [2_016, 1_512]],
  ] as const)("of %s a colour shows what its tiles show", { timeout: 120_000 }, async (_, fixture, [wide, high]) => {
    const { jpeg } = await look(await heicGrid(wide, high, fixture));
    const tile = await look(await heicGrid(640, 480, fixture));
    const size = { width: 200, height: 150, fit: "fill" } as const;
    const { width = 0, height = 0 } = await sharp(jpeg).metadata();
    const shown = { width: Math.floor((width * 640) / wide), height: Math.floor((height * 480) / high) };
    const corner = { left: 0, top: 0, ...shown };
    const got = await sharp(jpeg).extract(corner).resize(size).raw().toBuffer();
    const expected = await sharp(tile.jpeg).resize(size).raw().toBuffer();
    const off = got.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0) / got.length;
    expect(off).toBeLessThan(8);
  });
});

describe("what a photo looks like", () => {
  it("is nearly the same in another size and quality, and not for another picture", async () => {
    const original = await look(await jpegWith(null, picture(5, 2_000, 1_500)));
    const smaller = await look(await webpWith({}, picture(5, 2_000, 1_500).resize(700, 525)));
    expect(distance(original, smaller)).toBeLessThanOrEqual(4);
    for (let seed = 6; seed < 16; seed += 1) {
      expect(distance(original, await look(await jpegWith(null, picture(seed))))).toBeGreaterThan(4);
    }
  });
});

describe("what is refused", () => {
  const unusable = { code: "checkin.unusable_photo" };
  const flat = (background: string) => sharp({ create: { width: 400, height: 400, channels: 3, background } });

  it("nothing to see: one colour, the noise of a covered lens, a transparent picture", async () => {
    const noise = sharp({
      create: {
        width: 800,
        height: 600,
        channels: 3,
        background: "black",
        noise: { type: "gaussian", mean: 8, sigma: 6 },
      },
    });
    const clear = sharp({
      create: { width: 400, height: 400, channels: 4, background: { r: 1, g: 200, b: 3, alpha: 0 } },
    });
    for (const image of [flat("white"), flat("#123456"), noise]) {
      await expect(look(await jpegWith(null, image))).rejects.toMatchObject(unusable);
    }
    await expect(look(await pngWith(null, clear))).rejects.toMatchObject(unusable);
  });

  it("under 200 pixels, cut off, and what only begins like a picture", async () => {
    const heic = await heicTaken("2026:03:04 06:10:59");
    const files = [
      await jpegWith(null, picture(1, 199, 900)),
      (await jpegWith(null)).subarray(0, 9_000),
      (await pngWith(null)).subarray(0, 50_000),
      (await webpWith({})).subarray(0, 4_000),
      heic.subarray(0, 3_000),
      Buffer.concat([Buffer.from("\u00ff\u00d8\u00ff", "latin1"), Buffer.from("<script>alert(1)</script>".repeat(50))]),
      Buffer.concat([heic.subarray(0, 40), Buffer.alloc(5_000, 7)]),
    ];
    for (const file of files) await expect(look(file)).rejects.toMatchObject(unusable);
  });

  it.each([
    ["PNG", hugePng(16_384, 16_384), hugePng(300, 300)],
    ["JPEG", hugeJpeg(16_384, 16_384), hugeJpeg(304, 304)],
    ["WebP", hugeWebp(16_383, 16_383), hugeWebp(300, 300)],
  ])("a bomb of 256 megapixels that takes hardly any bytes, as %s", async (_, bomb, small) => {
    expect(bomb.length).toBeLessThan(1024 * 1024);
    // It is a picture: of a usual size it is read to its end, and only then found to be blank.
    await expect(sharp(small, { failOn: "error" }).raw().toBuffer()).resolves.toBeInstanceOf(Buffer);
    const { width = 0, height = 0 } = await sharp(bomb, { limitInputPixels: false }).metadata();
    expect(width * height).toBeGreaterThan(255_000_000);
    const before = process.memoryUsage.rss();
    await expect(look(bomb)).rejects.toMatchObject(unusable);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
  });

  it("other kinds of file, whatever they are called; of a file that is two things only the picture is kept", async () => {
    const others = [
      "PK\u0003\u0004",
      "GIF89a",
      "%PDF-1.7",
      "<svg xmlns=",
      "\0\0\0\u001cftypavif\0\0\0\0avifmif1",
      "\0\0\0\u001cftypmp42\0\0\0\0mp42isom",
    ];
    for (const head of others) expect(photoFormat(Buffer.from(head.padEnd(64), "latin1"))).toBeNull();
    const both = Buffer.concat([await jpegWith(null), Buffer.from(`PK\u0003\u0004<script>${MARK}</script>`)]);
    expect(Buffer.from((await look(both)).jpeg).includes(MARK)).toBe(false);
  });
});

describe("the thread that decodes a HEIC", { timeout: 120_000 }, () => {
  const limits = { maxPixels: 50_000_000, side: 1_600, maxHeapBytes: 320 * 1024 * 1024, deadlineMs: 60_000 };
  const threads = () => process.getActiveResourcesInfo().filter((kind) => kind === "MessagePort" || kind === "Worker");

  it("is ended at the deadline, in the middle of its work", async () => {
    const large = await heicGrid(8_064, 6_048, "photo");
    const before = threads();
    expect(await decodeHeic(large, { ...limits, deadlineMs: 700 })).toBe("too_slow");
    expect(threads()).toEqual(before);
    expect(await decodeHeic(await heicGrid(640, 480, "photo"), limits)).toMatchObject({ width: 640, height: 480 });
  });

  it("takes no more memory than it may, whatever the file asks for", async () => {
    const large = await heicGrid(5_712, 4_284, "photo");
    expect(await decodeHeic(large, { ...limits, maxHeapBytes: 32 * 1024 * 1024 })).toBe("unreadable");
  });

  it("leaves the bytes that it was given as they are", async () => {
    const file = await heicTaken("2026:03:04 06:10:59");
    const copy = Buffer.from(file);
    await decodeHeic(file, limits);
    expect(file.equals(copy)).toBe(true);
  });
});

describe("the boxes of a HEIC", { timeout: 60_000 }, () => {
  const box = (type: string, content: Uint8Array) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(content.length + 8);
    return Buffer.concat([size, Buffer.from(type), content]);
  };
  const empty = (count: number) => Buffer.alloc(count * 8, box("free", Buffer.alloc(0)));
  const taken = "2026:03:04 06:10:59";

  it("after its metadata do not matter, however many there are", async () => {
    const { claims } = await look(Buffer.concat([await heicTaken(taken), empty(1_200_000)]));
    expect(claims.takenAt).toBe("2026-03-04T06:10:59");
  });

  it("that a million others precede are refused", async () => {
    const file = await heicTaken(taken);
    // Its items point to positions in the file, which are others now.
    const meta = file.indexOf("meta") - 4;
    await expect(look(Buffer.concat([file.subarray(0, meta), empty(1_200_000), file.subarray(meta)]))).rejects.toThrow(
      "cannot be read",
    );
  });

  it("are refused when they claim four thousand million items", async () => {
    // Each of them at 65,535 locations of no bytes.
    const item = Buffer.from([0, 0, 0, 9, 0, 0, 0, 0, 0xff, 0xff]);
    const locations = Buffer.concat([
      Buffer.from([2, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]),
      ...Array<Buffer>(500_000).fill(item),
    ]);
    const info = Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 1, 0, 0]), Buffer.from("Exif\0")]);
    const infos = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 1]), box("infe", info)]);
    const meta = Buffer.concat([Buffer.alloc(4), box("iinf", infos), box("iloc", locations)]);
    const brands = Buffer.concat([Buffer.from("heic"), Buffer.alloc(4), Buffer.from("heic")]);
    await expect(look(Buffer.concat([box("ftyp", brands), box("meta", meta)]))).rejects.toThrow("cannot be read");
  });
});
