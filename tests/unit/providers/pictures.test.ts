import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { photoFormat } from "#providers/photo-format";
import { type ReducedPicture, reducePhoto } from "#providers/photos";
import { jpegWith, picture, pngWith, webpWith } from "#tests/photos";

/** Reduces a file as an upload does, with a timeout for slow machines. */
async function reduce(bytes: Uint8Array): Promise<ReducedPicture> {
  const format = photoFormat(bytes);
  if (format === null) throw new Error("This is no picture.");
  return reducePhoto(bytes, format, 600_000);
}

describe("the pictures to store", () => {
  it("are upright for each of the eight orientations, and have the sides that are returned", async () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      for (const make of [jpegWith, pngWith, webpWith]) {
        const { jpeg, thumbnail, width, height } = await reduce(await make({ orientation }, picture(1, 500, 250)));
        expect([width, height]).toEqual(orientation < 5 ? [500, 250] : [250, 500]);
        expect(await sharp(jpeg).metadata()).toMatchObject({ width, height });
        expect(await sharp(thumbnail).metadata()).toMatchObject(
          orientation < 5 ? { width: 400, height: 200 } : { width: 200, height: 400 },
        );
      }
    }
  });

  it("have one pixel if the picture has, and one side of a pixel if it is a line", async () => {
    const grey = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: "grey" } })
        .png()
        .toBuffer();
    expect(await reduce(await grey(1, 1))).toMatchObject({ width: 1, height: 1 });
    expect(await reduce(await grey(20_000, 1))).toMatchObject({ width: 2_048, height: 1 });
  });
});

it("a HEIC of a phone is stored in its orientation", async () => {
  const heic = await readFile(new URL("../../support/fixtures/photo.heic", import.meta.url));
  expect(await reduce(heic)).toMatchObject({ width: 640, height: 480 });
});
