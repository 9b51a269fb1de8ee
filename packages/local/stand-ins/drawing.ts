import { createHash } from "node:crypto";
import { encode } from "fast-png";
import { toneOf } from "./lexicon.ts";
import { journalText } from "./model-data.ts";

/** Width and height of every image, in pixels. */
export const IMAGE_SIZE = 1024;

/** The hue of the common tones, in degrees; another tone has one worked out from its letters. */
const HUES: Readonly<Record<string, number>> = {
  joyful: 48,
  grateful: 32,
  excited: 14,
  hopeful: 88,
  content: 130,
  peaceful: 165,
  optimistic: 60,
  sad: 220,
  anxious: 285,
  frustrated: 345,
  angry: 2,
  worried: 262,
  disappointed: 240,
  melancholic: 232,
  pessimistic: 275,
  calm: 190,
  contemplative: 205,
  neutral: 36,
  tired: 250,
  energetic: 24,
};

/** Brightness between 0 and 1 at a point of the image; x and y between -1 and 1, `twist` turns one image into another. */
type Pattern = (x: number, y: number, twist: number) => number;

const wave = (value: number) => 0.5 + 0.5 * Math.sin(value);
const fraction = (value: number) => value - Math.floor(value);
/** Math.hypot takes several times as long, and this runs for every pixel. */
const distance = (x: number, y: number) => Math.sqrt(x * x + y * y);
const inside = (outwards: number, softness = 0.02) => Math.min(1, Math.max(0, 0.5 - outwards / softness));

const face: Pattern = (x, y, twist) => {
  const eyes = distance(Math.abs(x) - 0.28, y + 0.18) - 0.09;
  const mouth = Math.abs(distance(x, y - (twist - 0.5) * 0.6) - 0.42) - 0.045;
  const features = Math.max(inside(eyes), y > 0.12 ? inside(mouth) : 0);
  return 0.15 + 0.7 * inside(distance(x, y) - 0.78) - 0.6 * features;
};

const PATTERNS: Readonly<Record<string, Pattern>> = {
  origami: (x, y, twist) => 0.2 + 0.35 * fraction((x + y) * 1.5 + twist) + 0.35 * fraction((x - y) * 1.5 - twist),
  animals: (x, y, twist) => {
    const head = distance(x, y - 0.1) - 0.55;
    const ears = distance(Math.abs(x) - 0.42, y + 0.45 + 0.1 * twist) - 0.24;
    const eyes = distance(Math.abs(x) - 0.2, y) - 0.06;
    return 0.15 + 0.65 * inside(Math.min(head, ears)) - 0.5 * inside(eyes);
  },
  nature: (x, y, twist) => {
    const hill = (height: number, steepness: number) =>
      inside(height + 0.18 * Math.sin(steepness * x + twist * 6) - y, 0.01);
    return 0.95 - 0.35 * (y + 1) * 0.3 - 0.25 * hill(0, 3) - 0.25 * hill(0.35, 4.5) - 0.2 * hill(0.65, 2.2);
  },
  abstract: (x, y, twist) => wave(4 * x + 3 * Math.sin(2.5 * y + twist * 6) + 2 * Math.cos(3 * x * y)),
  geometric: (x, y, twist) => {
    const ring = Math.max(Math.abs(x), Math.abs(y)) * (4 + 2 * twist);
    return 0.15 + 0.7 * fraction(ring);
  },
  minimalist: (x, y, twist) => 0.9 - 0.65 * inside(distance(x, y - 0.2 + 0.4 * twist) - 0.38, 0.008),
  watercolor: (x, y, twist) =>
    0.35 + 0.3 * wave(3 * x + 2 * wave(5 * y + twist * 6)) + 0.3 * wave(4 * y - 3 * wave(3 * x - twist * 4)),
  "line-art": (x, y, twist) => {
    const line = Math.abs(fraction(4 * y + 0.6 * Math.sin(4 * x + twist * 6)) - 0.5) - 0.42;
    return 0.95 - 0.75 * inside(-line, 0.05);
  },
  icons: (x, y, twist) => {
    const square = Math.max(Math.abs(x), Math.abs(y)) - 0.7;
    const drop = distance(x, y - 0.12) - 0.32 - 0.1 * Math.max(0, -y) * (1 + twist);
    return 0.1 + 0.5 * inside(square) + 0.35 * inside(drop);
  },
  emojis: face,
  shapes: (x, y, twist) => {
    const circle = distance(x + 0.4, y + 0.35) - 0.35;
    const square = Math.max(Math.abs(x - 0.42), Math.abs(y + 0.3)) - 0.28;
    const triangle = Math.max(y - 0.75, 0.1 - y + Math.abs(x - (twist - 0.5) * 0.6) * 1.4);
    return 0.15 + 0.75 * inside(circle) + 0.5 * inside(square) + 0.3 * inside(triangle);
  },
  patterns: (x, y, twist) => wave((8 + 4 * twist) * x) * 0.5 + wave((8 + 4 * twist) * y) * 0.5,
};
const THEMES = Object.keys(PATTERNS);

/** Draws a PNG for a prompt: its theme gives the pattern, its tone the colors, the rest of its words a twist. */
export function drawing(prompt: string): Uint8Array {
  const digest = digestOf(prompt);
  const twist = digest.readUInt16BE(0) / 65_535;
  const theme = firstNamed(prompt, THEMES) ?? THEMES[digest.readUInt8(2) % THEMES.length] ?? "abstract";
  return encode(
    {
      width: IMAGE_SIZE,
      height: IMAGE_SIZE,
      depth: 8,
      channels: 1,
      data: pixels(theme, twist),
      palette: colors(hueOf(toneIn(prompt))),
    },
    { zlib: { level: 1 } },
  );
}

/**
 * Every pixel as a number of a color, from 0 (darkest) to 255. Four pixels in a square have the same color:
 * images are shown as small icons, and computing each pixel would take most of the time of a drawing.
 */
function pixels(theme: string, twist: number): Uint8Array {
  const pattern = PATTERNS[theme] ?? face;
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

/** The tone that a prompt names, as in `the mood "calm"` or `"mood":"calm"`, or else that of the text in it. */
function toneIn(prompt: string): string {
  const named = /\b(?:mood|tone)"?\s*:?\s*"([^"]{1,60})"/i.exec(prompt)?.[1];
  return named?.toLowerCase() ?? toneOf(journalText(prompt)).primaryTone;
}

function hueOf(tone: string): number {
  const known = Object.hasOwn(HUES, tone) ? HUES[tone] : undefined;
  return known ?? (digestOf(tone).readUInt16BE(0) * 360) / 65_536;
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function firstNamed(prompt: string, names: readonly string[]): string | undefined {
  return new RegExp(`\\b(?:${names.join("|")})\\b`, "i").exec(prompt)?.[0].toLowerCase();
}
