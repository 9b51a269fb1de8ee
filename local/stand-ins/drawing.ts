import { createHash } from "node:crypto";
import { encode } from "fast-png";
import { MOODS, type MoodCategory } from "#core/models/moods";
import { toneOf } from "./lexicon.ts";
import { journalText } from "./model-data.ts";

/** Width and height of every image, in pixels. */
export const IMAGE_SIZE = 1024;

/** The hue in degrees around which the tones of a category are. */
const HUES: Readonly<Record<MoodCategory, number>> = { positive: 80, neutral: 200, negative: 340 };

/** Brightness between 0 and 1 at a point of the image; x and y between -1 and 1, `twist` turns one image into another. */
type Pattern = (x: number, y: number, twist: number) => number;

const wave = (value: number) => 0.5 + 0.5 * Math.sin(value);
const fraction = (value: number) => value - Math.floor(value);

const PATTERNS: readonly Pattern[] = [
  (x, y, twist) => wave(4 * x + 3 * Math.sin(2.5 * y + twist * 6) + 2 * Math.cos(3 * x * y)),
  (x, y, twist) => 0.15 + 0.7 * fraction(Math.max(Math.abs(x), Math.abs(y)) * (4 + 2 * twist)),
  (x, y, twist) => 0.2 + 0.35 * fraction((x + y) * 1.5 + twist) + 0.35 * fraction((x - y) * 1.5 - twist),
  (x, y, twist) => 0.5 * wave((8 + 4 * twist) * x) + 0.5 * wave((8 + 4 * twist) * y),
];

/** Draws a PNG for a prompt: its tone gives the colors, the rest of its words the pattern, and all of it a twist. */
export function drawing(prompt: string): Uint8Array {
  const named = /\b(?:mood|tone)"?\s*:?\s*"([^"]{1,60})"/i.exec(prompt);
  const tone = named?.[1]?.toLowerCase() ?? toneOf(journalText(prompt)).primaryTone;
  const style = prompt.replace(named?.[0] ?? "", "");
  const pattern = PATTERNS[Math.floor(numberOf(style) * PATTERNS.length)] ?? wave;
  return encode(
    {
      width: IMAGE_SIZE,
      height: IMAGE_SIZE,
      depth: 8,
      channels: 1,
      data: pixels(pattern, numberOf(prompt)),
      palette: colors(hueOf(tone)),
    },
    { zlib: { level: 1 } },
  );
}

/**
 * Every pixel as a number of a color, from 0 (darkest) to 255. Four pixels in a square have the same color:
 * images are shown as small icons, and computing each pixel would take most of the time of a drawing.
 */
function pixels(pattern: Pattern, twist: number): Uint8Array {
  const data = new Uint8Array(IMAGE_SIZE * IMAGE_SIZE);
  const half = IMAGE_SIZE / 2;
  for (let row = 0; row < IMAGE_SIZE; row += 2) {
    const start = row * IMAGE_SIZE;
    const y = (row + 0.5) / half - 1;
    for (let column = 0; column < IMAGE_SIZE; column += 2) {
      const brightness = Math.min(1, Math.max(0, pattern((column + 0.5) / half - 1, y, twist)));
      const color = Math.round(brightness * 255);
      data[start + column] = color;
      data[start + column + 1] = color;
    }
    data.copyWithin(start + IMAGE_SIZE, start, start + IMAGE_SIZE);
  }
  return data;
}

/** 256 colors around a hue, from dark to light; the light end leans towards the neighboring hue. */
function colors(hue: number): [number, number, number][] {
  return Array.from({ length: 256 }, (_, number) => {
    const light = number / 255;
    return rgb((hue + 40 * light) % 360, 0.75 - 0.25 * light, 0.22 + 0.68 * light);
  });
}

/** A color by hue (degrees), saturation and lightness (0..1). */
function rgb(hue: number, saturation: number, lightness: number): [number, number, number] {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const position = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(position - 3, 9 - position, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** The hue of a tone, near that of its category. */
function hueOf(tone: string): number {
  const category = MOODS.find(({ name }) => name === tone)?.category ?? "neutral";
  return (HUES[category] + 40 * numberOf(tone)) % 360;
}

/** A number from 0 to 1, below 1, that is always the same for a text. */
function numberOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}
