import { configured } from "#http/services/configured";
import { keptFor } from "#http/services/kept";

/** Prices rarely change, and every visitor of a page of plans asks for them. */
export const PRICES_KEPT_MS = 10 * 60_000;

/**
 * The prices that users can subscribe to, as the payment processor had them within the last ten minutes.
 * @throws AppError provider.not_configured or provider.failed
 */
export const listPrices = keptFor(PRICES_KEPT_MS, async ({ payments, config }) => {
  const prices = await configured(payments).listPrices();
  const sold = config.stripe?.priceIds ?? [];
  return sold.length === 0 ? prices : prices.filter(({ id }) => sold.includes(id));
});
