import { describe, expect, it } from "vitest";
import { type CameraExif, heicGrid, heicTaken, jpegWith, picture, pngWith, webpWith, xmpPacket } from "#tests/photos";
import { examine } from "./examine.ts";

const thumbnail = await picture(2, 160, 120).jpeg().toBuffer();

describe("the metadata of a photo", () => {
  const taken = "2026:03:04 06:10:59";
  it.each<[string, CameraExif, string | null]>([
    ["a phone with little-endian EXIF and an offset", { taken, offset: "+02:00" }, "+02:00"],
    ["a camera with big-endian EXIF and no offset", { endian: "big", taken, software: "Ver.1.02" }, null],
    [
      "an offset west of UTC, a location and a thumbnail",
      { taken, offset: "-03:30", gps: [-33.9, 18.4], thumbnail },
      "-03:30",
    ],
    [
      "big-endian EXIF with all of that",
      { endian: "big", taken, offset: "+05:45", gps: [27.7, 85.3], thumbnail, orientation: 6, software: "17.1.1" },
      "+05:45",
    ],
  ])("is read from JPEG, PNG and WebP: %s", async (_, camera, takenOffset) => {
    for (const bytes of [await jpegWith(camera), await pngWith(camera), await webpWith(camera)]) {
      const { claims } = await examine(bytes);
      expect(claims).toMatchObject({
        takenAt: "2026-03-04T06:10:59",
        takenOffset,
        isEdited: false,
        isScreenshot: false,
      });
    }
  });

  it("is read from HEIC, where it is an item of its own", async () => {
    expect((await examine(await heicTaken("2026:03:04 06:10:59"))).claims.takenAt).toBe("2026-03-04T06:10:59");
  });

  it.each([
    "2026:02:30 10:00:00",
    "0000:00:00 00:00:00",
    "    :  :     :  :  ",
    "yesterday",
    "2026:03:04 24:61:00",
    "9999:12:31 23:59:59",
  ])("ignores %s, which is no moment", async (text) => {
    expect((await examine(await jpegWith({ taken: text }))).claims.takenAt).toBeNull();
  });

  it("may be broken EXIF", async () => {
    const photo = await jpegWith({ taken, gps: [1, 2], thumbnail });
    const start = photo.indexOf("Exif\0\0") + 6;
    for (let at = start + 4; at < start + 200; at += 7) {
      const broken = Buffer.from(photo);
      broken.fill(0xff, at, at + 5);
      expect((await examine(broken)).jpeg.length).toBeGreaterThan(0);
    }
  });

  it("reveals editing programs and screenshots", async () => {
    const edited = [
      await jpegWith({ taken, software: "Adobe Photoshop 25.0 (Macintosh)" }),
      await jpegWith({ taken }, picture(1), xmpPacket("Adobe Lightroom 9")),
      await heicGrid(640, 480, "photo", xmpPacket("Adobe Lightroom 9")),
    ];
    for (const photo of edited) expect((await examine(photo)).claims.isEdited).toBe(true);
    expect((await examine(await pngWith({ taken, comment: "Screenshot" }))).claims.isScreenshot).toBe(true);
  });
});
