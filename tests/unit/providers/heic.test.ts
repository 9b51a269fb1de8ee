import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeHeic } from "#providers/heic";
import { heicGrid, heicTaken } from "#tests/photos";
import { examine } from "./examine.ts";

describe("a HEIC in tiles, as phones write it", () => {
  it.each([
    // The first has the size of a phone's photos, so the memory of the decoder has to grow.
    ["8 bits", "photo", [4_032, 3_024]],
    ["10 bits", "photo-10-bit", [2_016, 1_512]],
  ] as const)("of %s per color looks like its tiles", async (_, fixture, [wide, high]) => {
    const { jpeg } = await examine(await heicGrid(wide, high, fixture));
    const tile = await examine(await heicGrid(640, 480, fixture));
    const size = { width: 200, height: 150, fit: "fill" } as const;
    const { width = 0, height = 0 } = await sharp(jpeg).metadata();
    const tileSize = { width: Math.floor((width * 640) / wide), height: Math.floor((height * 480) / high) };
    const corner = { left: 0, top: 0, ...tileSize };
    const got = await sharp(jpeg).extract(corner).resize(size).raw().toBuffer();
    const expected = await sharp(tile.jpeg).resize(size).raw().toBuffer();
    const off = got.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0) / got.length;
    expect(off).toBeLessThan(8);
  });
});

it("a HEIC in Display P3 has the same colors as the PNG of its pixels", async () => {
  const [heic, png] = await Promise.all(
    ["p3.heic", "p3.png"].map(async (name) => {
      const file = await readFile(new URL(`../../support/fixtures/${name}`, import.meta.url));
      return sharp((await examine(file)).jpeg)
        .resize(48, 48)
        .raw()
        .toBuffer();
    }),
  );
  const off = Math.max(...(heic ?? []).map((value, at) => Math.abs(value - (png?.[at] ?? 0))));
  expect(off).toBeLessThan(30);
});

it("a HEIC panorama of 61 megapixels is refused with the reason and the remedy, before it is decoded", async () => {
  await expect(examine(await heicGrid(15_600, 3_900, "photo"))).rejects.toMatchObject({
    code: "checkin.unusable_photo",
    message: "The photo has 60 megapixels. Send it with at most 50.",
  });
});

describe("the thread that decodes a HEIC", () => {
  const limits = { maxPixels: 50_000_000, side: 1_600, maxHeapBytes: 320 * 1024 * 1024, deadlineMs: 600_000 };
  const threads = () => process.getActiveResourcesInfo().filter((kind) => kind === "MessagePort" || kind === "Worker");

  it("ends at the deadline, during its work", async () => {
    const large = await heicGrid(8_064, 6_048, "photo");
    const before = threads();
    expect(await decodeHeic(large, { ...limits, deadlineMs: 700 })).toBe("too_slow");
    expect(threads()).toEqual(before);
    expect(await decodeHeic(await heicGrid(640, 480, "photo"), limits)).toMatchObject({ width: 640, height: 480 });
  });

  it("uses no more memory than allowed, whatever the file demands", async () => {
    const large = await heicGrid(5_712, 4_284, "photo");
    expect(await decodeHeic(large, { ...limits, maxHeapBytes: 32 * 1024 * 1024 })).toBe("unreadable");
  });

  it("does not change the given bytes", async () => {
    const file = await heicTaken("2026:03:04 06:10:59");
    const copy = Buffer.from(file);
    await decodeHeic(file, limits);
    expect(file.equals(copy)).toBe(true);
  });
});

describe("the boxes of a HEIC", () => {
  const box = (type: string, content: Uint8Array) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(content.length + 8);
    return Buffer.concat([size, Buffer.from(type), content]);
  };
  const empty = (count: number) => Buffer.alloc(count * 8, box("free", Buffer.alloc(0)));
  const taken = "2026:03:04 06:10:59";

  it("do not matter after its metadata, however many there are", async () => {
    const { claims } = await examine(Buffer.concat([await heicTaken(taken), empty(1_200_000)]));
    expect(claims.takenAt).toBe("2026-03-04T06:10:59");
  });

  it("are refused if a million others precede the metadata", async () => {
    const file = await heicTaken(taken);
    // The positions of its items in the file are now wrong.
    const meta = file.indexOf("meta") - 4;
    await expect(
      examine(Buffer.concat([file.subarray(0, meta), empty(1_200_000), file.subarray(meta)])),
    ).rejects.toThrow("cannot be read");
  });

  it("are refused if they claim four billion items", async () => {
    // Each of them has 65,535 empty locations.
    const item = Buffer.from([0, 0, 0, 9, 0, 0, 0, 0, 0xff, 0xff]);
    const locations = Buffer.concat([
      Buffer.from([2, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]),
      ...Array<Buffer>(500_000).fill(item),
    ]);
    const info = Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 1, 0, 0]), Buffer.from("Exif\0")]);
    const infos = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 1]), box("infe", info)]);
    const meta = Buffer.concat([Buffer.alloc(4), box("iinf", infos), box("iloc", locations)]);
    const brands = Buffer.concat([Buffer.from("heic"), Buffer.alloc(4), Buffer.from("heic")]);
    await expect(examine(Buffer.concat([box("ftyp", brands), box("meta", meta)]))).rejects.toThrow("cannot be read");
  });
});
