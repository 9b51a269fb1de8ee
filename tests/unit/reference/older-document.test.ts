import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { olderDocument } from "#tools/reference/older-document";
import reference from "../../../openapi.json" with { type: "json" };

test("the reference is valid as OpenAPI 3.0, and its examples still fit", async () => {
  const rules = { struct: "error", "no-unresolved-refs": "error", "no-invalid-media-type-examples": "error" } as const;
  const config = await createConfig({ rules, telemetry: "off" });
  const lint = (document: unknown) =>
    lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi-3.0.json", config });
  expect((await lint(olderDocument(reference))).map(({ message }) => message)).toEqual([]);
  // The same rules find what only a newer version may say.
  expect(await lint({ ...reference, openapi: "3.0.3" })).not.toEqual([]);
});

test("what only OpenAPI 3.1 can say is written in the words of 3.0", () => {
  const ref = { $ref: "#/components/schemas/Goal" };
  const schema = {
    type: "object",
    properties: {
      mood: { type: ["string", "null"], enum: ["calm", null], examples: ["calm"] },
      kind: { type: "string", const: "walk", enum: ["walk"] },
      share: { type: "number", exclusiveMinimum: 0 },
      goal: { ...ref, description: "A goal." },
      identifier: ref,
      counts: { type: "object", propertyNames: { enum: ["a"] }, additionalProperties: { type: "integer" } },
    },
  };
  expect(olderDocument({ openapi: "3.1.0", schema, example: { type: ["kept"], const: 1 } })).toEqual({
    openapi: "3.0.3",
    schema: {
      type: "object",
      properties: {
        mood: { type: "string", nullable: true, enum: ["calm", null], example: "calm" },
        kind: { type: "string", enum: ["walk"] },
        share: { type: "number", minimum: 0, exclusiveMinimum: true },
        goal: { allOf: [ref], description: "A goal." },
        identifier: ref,
        counts: { type: "object", additionalProperties: { type: "integer" } },
      },
    },
    example: { type: ["kept"], const: 1 },
  });
  expect(() => olderDocument({ type: ["string", "integer"] })).toThrow("OpenAPI 3.0 has no type string or integer.");
});
