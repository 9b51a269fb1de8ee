import { photoFormat } from "@nectar/providers/photo-format";
import { examinePhoto } from "@nectar/providers/photos";
import sharp from "sharp";

/** Run as a process of its own: examines eight photos of 12 megapixels and about 6 MB at once, and says what that took. */
sharp.cache(false);
sharp.concurrency(1);
const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
const half = { create: { width: 2_000, height: 3_000, channels: 3, background: "black" } } as const;
const photo = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: "grey", noise } })
  .composite([{ input: half, left: 0, top: 0 }])
  .jpeg({ quality: 96 })
  .toBuffer();
const format = photoFormat(photo);
if (format === null) throw new Error("The photo is none.");
const photos = await Promise.all(Array.from({ length: 8 }, () => examinePhoto(Buffer.from(photo), format)));
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ examined: photos.length, peakMb, bytes: photo.length }));
