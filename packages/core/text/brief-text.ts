import * as z from "zod";
import { firstCodePoints, normalizeText, textProblem } from "./text.ts";

/**
 * A text from a model's reply, as it is stored. A text that is too long is cut instead of refused, because the reply has
 * been paid for. Blank texts and texts that cannot be stored are refused.
 * @param max number of code points
 */
export function briefText(max: number) {
  return z
    .string()
    .overwrite((text) => firstCodePoints(normalizeText(text), max).trimEnd())
    .check((context) => {
      const problem = context.value === "" ? "must not be blank" : textProblem(context.value);
      if (problem !== null) context.issues.push({ code: "custom", message: problem, input: context.value });
    });
}

/** A list from a model's reply, of which only the first items are kept. @param max number of items */
export function briefList<Item extends z.ZodType>(item: Item, max: number) {
  return z
    .array(item)
    .overwrite((items) => items.slice(0, max))
    .max(max);
}
