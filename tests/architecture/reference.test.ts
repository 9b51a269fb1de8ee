import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";

const Content = z.record(z.string(), z.object({ example: z.unknown().optional() }));
const Reference = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        requestBody: z.object({ content: Content }).optional(),
        responses: z.record(z.string(), z.object({ content: Content.optional() })),
      }),
    ),
  ),
});

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
const operations = Object.values(Reference.parse(read("openapi.json")).paths).flatMap((path) => Object.values(path));
const recorded = Object.keys(z.record(z.string(), z.unknown()).parse(read("functions/reference/examples.json")));

const withoutExample = (contents: readonly (z.output<typeof Content> | undefined)[]) =>
  contents.some((content) => Object.values(content ?? {}).some(({ example }) => example === undefined));

describe("the reference", () => {
  test("shows an example of every request body", () => {
    const missing = operations.filter(({ requestBody }) => withoutExample([requestBody?.content]));
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("shows an example of every successful response", () => {
    const missing = operations.filter(({ responses }) =>
      withoutExample([responses[200]?.content, responses[201]?.content]),
    );
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("has no example of an operation that does not exist", () => {
    const known = new Set(operations.map(({ operationId }) => operationId));
    expect(recorded.filter((id) => !known.has(id))).toEqual([]);
  });

  test("shows no address of a machine, no signature and no token", () => {
    const text = JSON.stringify(read("functions/reference/examples.json"));
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|X-Amz|Bearer |eyJ[\w-]+\.eyJ/);
  });
});
