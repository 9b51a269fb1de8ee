import { readFileSync } from "node:fs";
import * as z from "zod";

const Examples = z.record(z.string(), z.object({ request: z.unknown().optional(), response: z.unknown() }));

/** Recorded by `npm run examples`. */
const examples = Examples.parse(JSON.parse(readFileSync(new URL("examples.json", import.meta.url), "utf8")));

/** The recorded request and response of an operation; undefined if nothing was recorded. */
export function exampleOf(operationId: string): z.output<typeof Examples>[string] | undefined {
  return examples[operationId];
}
