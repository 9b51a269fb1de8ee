import * as z from "zod";

// Prices of model calls as exact decimals: computed in whole micro-dollars and written with six places, without
// floating-point numbers.

/** What models cost, in micro-dollars. */
export interface Prices {
  /** A million input tokens of text. */
  readonly textInput: number;
  /** A million output tokens of text. */
  readonly textOutput: number;
  readonly image: number;
  readonly hdImage: number;
}

const MILLION = 1_000_000n;

/** How carefully an image is drawn; the price depends on it. */
export const ImageQuality = z.enum(["standard", "hd"]);
export type ImageQuality = z.infer<typeof ImageQuality>;

/**
 * The price of a call of a text model in US dollars, half a micro-dollar rounded up.
 * @returns a decimal with six places, such as `0.000135`
 * @throws RangeError if a number of tokens is negative or not whole
 */
export function textCostUsd(prices: Prices, inputTokens: number, outputTokens: number): string {
  return rounded(whole(inputTokens) * BigInt(prices.textInput) + whole(outputTokens) * BigInt(prices.textOutput));
}

/**
 * The price of an image in US dollars.
 * @returns a decimal with six places, such as `0.040000`
 */
export function imageCostUsd(prices: Prices, quality: ImageQuality): string {
  return dollars(BigInt(quality === "hd" ? prices.hdImage : prices.image));
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
