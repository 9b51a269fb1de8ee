import * as z from "zod";

// Prices of model calls as exact decimals: computed in whole micro-dollars and written with six places, without
// floating-point numbers.

/** Micro-dollars for a million tokens of the default text model: $0.10 for input, $0.50 for output. */
const TEXT_PRICES = { input: 100_000n, output: 500_000n };
/** The same of gpt-4o-mini: $0.15 and $0.60. */
const EARLIER_TEXT_PRICES = { input: 150_000n, output: 600_000n };
/** The same of the GPT image models: $5 for text and $8 for images in the prompt, $30 for the drawn image. */
const IMAGE_TOKEN_PRICES = { text: 5_000_000n, image: 8_000_000n, output: 30_000_000n };
const MILLION = 1_000_000n;

/** How carefully an image is drawn; the price depends on it. */
export const ImageQuality = z.enum(["standard", "hd"]);
export type ImageQuality = z.infer<typeof ImageQuality>;

/** The tokens of a drawing: of its prompt, by what they stand for, and of the image. */
export interface ImageTokens {
  readonly text: number;
  readonly image: number;
  readonly output: number;
}

/** Micro-dollars for one image whose tokens are not known: $0.040 standard, $0.080 HD. */
const IMAGE_PRICES: Readonly<Record<ImageQuality, bigint>> = { standard: 40_000n, hd: 80_000n };

/**
 * The price of a call of a text model in US dollars, half a micro-dollar rounded up. Models without a price of their own
 * cost what the default one does.
 * @returns a decimal with six places, such as `0.000135`
 * @throws RangeError if a number of tokens is negative or not whole
 */
export function textCostUsd(model: string, inputTokens: number, outputTokens: number): string {
  const { input, output } = model.startsWith("gpt-4o-mini") ? EARLIER_TEXT_PRICES : TEXT_PRICES;
  return rounded(whole(inputTokens) * input + whole(outputTokens) * output);
}

/**
 * The price of an image in US dollars: that of its tokens, or of its quality if they are null.
 * @returns a decimal with six places, such as `0.040000`
 * @throws RangeError if a number of tokens is negative or not whole
 */
export function imageCostUsd(quality: ImageQuality, tokens: ImageTokens | null = null): string {
  if (tokens === null) return dollars(IMAGE_PRICES[quality]);
  const { text, image, output } = IMAGE_TOKEN_PRICES;
  return rounded(whole(tokens.text) * text + whole(tokens.image) * image + whole(tokens.output) * output);
}

/** The sum of prices in US dollars, each a decimal with six places. */
export function sumUsd(costs: readonly string[]): string {
  return dollars(costs.reduce((sum, cost) => sum + BigInt(cost.replace(".", "")), 0n));
}

/** @param parts millionths of a micro-dollar */
function rounded(parts: bigint): string {
  return dollars((parts + MILLION / 2n) / MILLION);
}

function whole(count: number): bigint {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError("must be a whole number of at least 0");
  return BigInt(count);
}

function dollars(micros: bigint): string {
  return `${micros / MILLION}.${String(micros % MILLION).padStart(6, "0")}`;
}
