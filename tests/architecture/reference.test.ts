import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readOperations } from "#functions/reference/operations";

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

const UnlimitedList = z.object({ type: z.literal("array"), maxItems: z.never().optional() });
const Named = z.object({ $ref: z.templateLiteral(["#/components/schemas/", z.string()]) });

/** A schema and all schemas in it, also the named ones. */
function schemasIn(schema: unknown, named: Readonly<Record<string, unknown>>): unknown[] {
  if (typeof schema !== "object" || schema === null) return [];
  const name = Named.safeParse(schema).data?.$ref.split("/").at(-1);
  const parts = name === undefined ? Object.values(schema) : [named[name]];
  return [schema, ...parts.flatMap((part) => schemasIn(part, named))];
}

describe("the reference", () => {
  test("limits every list in a request, so that a long one is refused before its elements are looked at", () => {
    const { operations: all, schemas } = readOperations(read("openapi.json"));
    const unlimited = all.filter(({ body, parameters }) =>
      schemasIn([body?.schema, parameters.map(({ schema }) => schema)], schemas).some(
        (schema) => UnlimitedList.safeParse(schema).success,
      ),
    );
    expect(unlimited.map(({ id }) => id)).toEqual([]);
  });

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
