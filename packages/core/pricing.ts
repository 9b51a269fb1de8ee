import * as z from "zod";

// Prices of model calls as exact decimals: computed in whole micro-dollars and written with six places, without
// floating-point numbers.

/** Micro-dollars for a million tokens of the small text model: $0.15 for input, $0.60 for output. */
const TEXT_INPUT_PER_MILLION = 150_000n;
const TEXT_OUTPUT_PER_MILLION = 600_000n;
const MILLION = 1_000_000n;

/** How carefully an image is drawn; the price depends on it. */
export const ImageQuality = z.enum(["standard", "hd"]);
export type ImageQuality = z.infer<typeof ImageQuality>;

/** Micro-dollars for one image: $0.040 standard, $0.080 HD. */
const IMAGE_PRICES: Readonly<Record<ImageQuality, bigint>> = { standard: 40_000n, hd: 80_000n };

/**
 * The price of a call of the text model in US dollars, half a micro-dollar rounded up.
 * @returns a decimal with six places, such as `0.000135`
 * @throws RangeError if a number of tokens is negative or not whole
 */
export function textCostUsd(inputTokens: number, outputTokens: number): string {
  const parts = whole(inputTokens) * TEXT_INPUT_PER_MILLION + whole(outputTokens) * TEXT_OUTPUT_PER_MILLION;
  return dollars((parts + MILLION / 2n) / MILLION);
}

/**
 * The price of images of one quality in US dollars.
 * @returns a decimal with six places, such as `0.040000`
 * @throws RangeError if the number of images is negative or not whole
 */
export function imageCostUsd(quality: ImageQuality, count = 1): string {
  return dollars(whole(count) * IMAGE_PRICES[quality]);
}

function whole(count: number): bigint {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError("must be a whole number of at least 0");
  return BigInt(count);
}

function dollars(micros: bigint): string {
  return `${micros / MILLION}.${String(micros % MILLION).padStart(6, "0")}`;
}
