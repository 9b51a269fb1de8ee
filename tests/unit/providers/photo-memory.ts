import sharp from "sharp";
import { photoFormat } from "#providers/photo-format";
import { examinePhoto, reducePhoto } from "#providers/photos";
import { peakMemory } from "#tests/peak-memory";
import { heicGrid } from "#tests/photos";

/** Runs as a process of its own: examines and reduces photos of a kind at the same time, and prints the memory used. Arguments: kind, count. */
const KINDS: Readonly<Record<string, () => Promise<Buffer>>> = {
  "jpeg-36-progressive": progressiveJpeg,
  "heic-49-10-bit": () => heicGrid(8_064, 6_048, "photo-10-bit"),
};
const [, , kind = "", count] = process.argv;
const photo = await KINDS[kind]?.();
const format = photo === undefined ? null : photoFormat(photo);
if (photo === undefined || format === null) throw new Error("There is no photo of this kind.");
// Only memory is measured, even on a slow machine.
const deadlineMs = 120_000;
const photos = await Promise.all(
  Array.from({ length: Number(count) }, (_, index) =>
    (index % 2 === 0 ? examinePhoto : reducePhoto)(Buffer.from(photo), format, deadlineMs),
  ),
);
const peakMb = Math.round(peakMemory() / 1024 ** 2);
const examined = photos.filter((one) => one !== null && one.jpeg.length > 0).length;
process.stdout.write(JSON.stringify({ examined, peakMb, bytes: photo.length }));

/** Thirty-six megapixels, which are decoded as a whole: about the maximum. */
function progressiveJpeg(): Promise<Buffer> {
  sharp.cache(false);
  sharp.concurrency(1);
  const half = { create: { width: 3_000, height: 6_000, channels: 3, background: "black" } } as const;
  return sharp({ create: { width: 6_000, height: 6_000, channels: 3, background: "grey" } })
    .composite([{ input: half, left: 0, top: 0 }])
    .jpeg({ quality: 60, progressive: true })
    .toBuffer();
}
