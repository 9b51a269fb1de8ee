import { z } from "zod";
import { normalizeText, textProblem } from "./text.ts";
import { firstCodePoints } from "./tone.ts";

/**
 * A text out of a model's reply, as it is stored: what is longer than asked for is cut, because a reply that was paid for
 * is worth more short than not at all. Nothing but white space, and what cannot be stored, is refused.
 * @param most largest number of code points
 */
export function briefText(most: number) {
  return z
    .string()
    .overwrite((text) => firstCodePoints(normalizeText(text), most).trimEnd())
    .check((context) => {
      const problem = context.value === "" ? "must not be blank" : textProblem(context.value);
      if (problem !== null) context.issues.push({ code: "custom", message: problem, input: context.value });
    });
}

/** A list out of a model's reply, of which no more than the first few are kept. @param most largest number of items */
export function briefList<Item extends z.ZodType>(item: Item, most: number) {
  return z
    .array(item)
    .overwrite((items) => items.slice(0, most))
    .max(most);
}
