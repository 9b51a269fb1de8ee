import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { photoFormat } from "@nectar/providers/photo-format";
import { type ExaminedPhoto, examinePhoto } from "@nectar/providers/photos";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import {
  type CameraExif,
  heicTaken,
  hugePng,
  jpegWith,
  MARK,
  picture,
  pngWith,
  webpWith,
  xmpPacket,
} from "../../support/photos.ts";

async function look(bytes: Uint8Array): Promise<ExaminedPhoto> {
  const format = photoFormat(bytes);
  const photo = format === null ? null : await examinePhoto(bytes, format);
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

  it.each(["2026:02:30 10:00:00", "0000:00:00 00:00:00", "    :  :     :  :  ", "yesterday", "2026:03:04 24:61:00"])(
    "%s is no moment",
    async (text) => {
      expect((await look(await jpegWith({ taken: text }))).claims.takenAt).toBeNull();
    },
  );

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
    expect((await look(await pngWith({ taken, comment: "Screenshot" }))).claims.isScreenshot).toBe(true);
  });
});

describe("what is kept", () => {
  it("has no metadata in it, and is bounded", { timeout: 30_000 }, async () => {
    const camera = { taken: "2026:03:04 06:10:59", gps: [52.5, 13.4], thumbnail, software: MARK } as const;
    const large = () => picture(3, 3_000, 2_000);
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

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("stands upright whose orientation is %i", async (orientation) => {
    // White where the upper left corner belongs; sharp's own reading of EXIF is what it is held against.
    const corner = {
      input: { create: { width: 200, height: 150, channels: 3, background: "white" } },
      left: 0,
      top: 0,
    } as const;
    const image = sharp(await picture(4, 640, 480).composite([corner]).png().toBuffer());
    const bytes = await jpegWith({ taken: "2026:03:04 06:10:59", orientation }, image);
    const { jpeg } = await look(bytes);
    const expected = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
    const got = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
    expect([got.info.width, got.info.height]).toEqual([expected.info.width, expected.info.height]);
    const worst =
      got.data.reduce((sum, value, at) => sum + Math.abs(value - (expected.data[at] ?? 0)), 0) / got.data.length;
    expect(worst).toBeLessThan(6);
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

  it("a bomb of 256 megapixels that takes hardly any bytes", async () => {
    const bomb = hugePng(16_384, 16_384);
    expect(bomb.length).toBeLessThan(1024 * 1024);
    await expect(look(bomb)).rejects.toMatchObject(unusable);
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

describe("memory", () => {
  it("stays under 400 MB with eight large photos at the same time", { timeout: 120_000 }, async () => {
    const script = fileURLToPath(new URL("./photo-memory.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    const { examined, peakMb } = JSON.parse(stdout);
    expect(examined).toBe(8);
    expect(peakMb).toBeGreaterThan(50);
    expect(peakMb).toBeLessThan(400);
  });
});
