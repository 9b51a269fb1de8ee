import { createHash } from "node:crypto";
import { MOODS, type MoodCategory } from "#core/assistant/moods";
import { tonesOf } from "./model-replies.ts";

/** Width and height of every image, in pixels. */
const SIZE = 1024;

const CIRCLES = 10;

/** The hue in degrees around which the tones of a category are. */
const HUES: Readonly<Record<MoodCategory, number>> = { positive: 80, neutral: 200, negative: 340 };

/** Draws a PNG for a prompt: its tone gives the color, and a hash of all of it the circles. */
export async function drawing(prompt: string): Promise<Uint8Array> {
  const named = /\b(?:mood|tone)"?\s*:?\s*"([^"]{1,60})"/i.exec(prompt);
  const hue = hueOf(named?.[1]?.toLowerCase() ?? tonesOf(prompt)[0] ?? "neutral");
  const bytes = hash(prompt);
  const circles = Array.from({ length: CIRCLES }, (_, number) => {
    const [x = 0, y = 0, radius = 0] = bytes.subarray(3 * number);
    const color = `hsl(${hue}, 65%, ${30 + 3 * number}%)`;
    return `<circle cx="${4 * x}" cy="${4 * y}" r="${60 + radius}" fill="${color}" fill-opacity="0.8"/>`;
  });
  const background = `<rect width="100%" height="100%" fill="hsl(${hue}, 75%, 25%)"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}">${background}${circles.join("")}</svg>`;
  // Loaded on first use, as by the service.
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer();
}

/** The hue of a tone, near that of its category. */
function hueOf(tone: string): number {
  const category = MOODS.find(({ name }) => name === tone)?.category ?? "neutral";
  return (HUES[category] + Math.floor((40 * hash(tone).readUInt8()) / 256)) % 360;
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
