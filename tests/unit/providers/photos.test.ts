import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { photoFormat } from "#providers/photo-format";
import { type ExaminedPhoto, examinePhoto } from "#providers/photos";
import { withProfile } from "#providers/png";
import {
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
import { examine } from "./examine.ts";

const distance = (a: ExaminedPhoto, b: ExaminedPhoto) =>
  [...a.perceptualHash].filter((bit, at) => bit !== b.perceptualHash[at]).length;
const thumbnail = await picture(2, 160, 120).jpeg().toBuffer();

describe("the stored picture", () => {
  it("has no metadata and a limited size", async () => {
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
      const { jpeg } = await examine(bytes);
      const kept = Buffer.from(jpeg);
      for (const trace of [MARK, "Exif", "GPS", "adobe", "ICC_PROFILE", "http"])
        expect(kept.includes(trace)).toBe(false);
      const { width = 0, height = 0, format, exif, xmp, icc } = await sharp(kept).metadata();
      expect([format, exif, xmp, icc]).toEqual(["jpeg", undefined, undefined, undefined]);
      expect(Math.max(width, height)).toBeLessThanOrEqual(1600);
      expect(kept.length).toBeLessThan(1024 * 1024);
    }
  });

  // The corner where the upper left one of the file belongs, by the standard, and whether width and height are swapped.
  it.each([
    [1, "upper left", false],
    [2, "upper right", false],
    [3, "lower right", false],
    [4, "lower left", false],
    [5, "upper left", true],
    [6, "upper right", true],
    [7, "lower right", true],
    [8, "lower left", true],
  ] as const)("is upright for the orientation %i", async (orientation, where, isTurned) => {
    const white = { create: { width: 200, height: 150, channels: 3, background: "white" } } as const;
    const image = sharp(
      await picture(4, 640, 480)
        .composite([{ input: white, left: 0, top: 0 }])
        .png()
        .toBuffer(),
    );
    const camera = { taken: "2026:03:04 06:10:59", orientation } as const;
    for (const bytes of [await jpegWith(camera, image), await pngWith(camera, image), await webpWith(camera, image)]) {
      const { jpeg } = await examine(bytes);
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

describe("a JPEG without its end marker", () => {
  it.each([false, true])("is accepted with all its rows, progressive: %s", async (progressive) => {
    const whole = await picture(1, 500, 400).jpeg({ progressive }).toBuffer();
    const { jpeg } = await examine(whole);
    // Some phones leave half of the marker, some add zeros.
    for (const file of [whole.subarray(0, -2), whole.subarray(0, -1)]) expect((await examine(file)).jpeg).toEqual(jpeg);
    await expect(examine(whole.subarray(0, -20))).rejects.toMatchObject({ code: "checkin.unusable_photo" });
  });
});

describe("the perceptual hash", () => {
  it("is nearly the same in another size and quality, and different for another picture", async () => {
    const original = await examine(await jpegWith(null, picture(5, 2_000, 1_500)));
    const smaller = await examine(await webpWith({}, picture(5, 2_000, 1_500).resize(700, 525)));
    expect(distance(original, smaller)).toBeLessThanOrEqual(4);
    for (let seed = 6; seed < 16; seed += 1) {
      expect(distance(original, await examine(await jpegWith(null, picture(seed))))).toBeGreaterThan(4);
    }
  });
});

describe("a photo is refused", () => {
  const unusable = { code: "checkin.unusable_photo" };
  const flat = (background: string) => sharp({ create: { width: 400, height: 400, channels: 3, background } });

  it("if it is blank: one color, the noise of a covered lens, a transparent picture", async () => {
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
      await expect(examine(await jpegWith(null, image))).rejects.toMatchObject(unusable);
    }
    await expect(examine(await pngWith(null, clear))).rejects.toMatchObject(unusable);
  });

  it("if it is under 200 pixels, cut off, or only starts like a picture", async () => {
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
    for (const file of files) await expect(examine(file)).rejects.toMatchObject(unusable);
  });

  it.each([
    ["PNG", hugePng(16_384, 16_384), hugePng(300, 300)],
    ["JPEG", hugeJpeg(16_384, 16_384), hugeJpeg(304, 304)],
    ["WebP", hugeWebp(16_383, 16_383), hugeWebp(300, 300)],
  ])("if it is a decompression bomb of 256 megapixels, as %s", async (_, bomb, small) => {
    expect(bomb.length).toBeLessThan(1024 * 1024);
    // It is a valid picture: in a normal size it is decoded, and only then refused as blank.
    await expect(sharp(small, { failOn: "error" }).raw().toBuffer()).resolves.toBeInstanceOf(Buffer);
    const { width = 0, height = 0 } = await sharp(bomb, { limitInputPixels: false }).metadata();
    expect(width * height).toBeGreaterThan(255_000_000);
    const before = process.memoryUsage.rss();
    await expect(examine(bomb)).rejects.toMatchObject(unusable);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
  });

  it("if it has too many pixels, or too many for a file that is read as a whole; the error says how many it may have", async () => {
    const files = [
      [hugePng(8_300, 6_400), "The photo has 53 megapixels. Send it with at most 50."],
      [hugeWebp(6_000, 5_000), "The photo has 30 megapixels. Send it with at most 28."],
    ] as const;
    for (const [file, message] of files) await expect(examine(file)).rejects.toMatchObject({ message });
    // The sensor of a phone that is sold with 50 megapixels; the picture is blank.
    await expect(examine(hugePng(8_192, 6_144))).rejects.toMatchObject({
      message: "There is nothing to see on the photo.",
    });
  });

  it("if it takes too long, in every format", async () => {
    // All of it has to be converted from another profile, with 16 bits a color: no machine does that within a second.
    const { icc } = await sharp(await readFile(new URL("../../support/fixtures/p3.png", import.meta.url))).metadata();
    const bomb = withProfile(hugePng(8_192, 6_144, "deep"), icc ?? Buffer.alloc(0));
    await expect(examinePhoto(bomb, "png", 1_000)).rejects.toMatchObject({
      message: "The photo takes too long to read. Send it as a smaller JPEG.",
    });
  });

  it("if it has another format; of a file with two formats only the picture is stored", async () => {
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
    expect(Buffer.from((await examine(both)).jpeg).includes(MARK)).toBe(false);
  });
});
