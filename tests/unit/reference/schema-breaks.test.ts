import { describe, expect, test } from "vitest";
import { schemaBreaks } from "#tools/reference/schema-breaks";

type Case = [name: string, before: object, after: object, ...sentences: string[]];

const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
const text = { type: "string" };
const number = { type: "number" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function check(direction: "input" | "output", before: object, after: object): string[] {
  return schemaBreaks(
    { schema: object({ field: before }), schemas: {} },
    { schema: object({ field: after }), schemas: {} },
    direction,
  );
}

describe("a request breaks", () => {
  test.each<Case>([
    ["if a field is gone", object({ a: text }), object({}), "`field.a` is gone"],
    ["if a new field is required", object({}), object({ a: text }, ["a"]), "`field.a` is required now"],
    ["if a field becomes required", object({ a: text }), object({ a: text }, ["a"]), "`field.a` is required now"],
    ["if another type is taken", text, number, "`field` no longer takes string"],
    ["if null is no longer taken", { type: ["string", "null"] }, text, "`field` no longer takes null"],
    ["if a choice is gone", { anyOf: [text, number] }, text, "`field` no longer takes number"],
    ["if a number must be an integer", number, { type: "integer" }, "`field` no longer takes number"],
    ["if a value is gone", { ...text, enum: ["a", "b"] }, { ...text, enum: ["a"] }, '`field` no longer takes "b"'],
    ["if only some values are taken", text, { ...text, enum: ["a", "b"] }, '`field` only takes "a" or "b" now'],
    ["if a constant changes", { const: 1 }, { const: 2 }, "`field` no longer takes 1"],
    [
      "if a text must be shorter",
      { ...text, maxLength: 9 },
      { ...text, maxLength: 5 },
      "`field` has the maxLength 5 now, instead of 9",
    ],
    ["if a text must be longer", text, { ...text, minLength: 1 }, "`field` has the minLength 1 now, instead of none"],
    [
      "if a number must be larger",
      { ...number, minimum: 0 },
      { ...number, minimum: 1 },
      "`field` has the minimum 1 now, instead of 0",
    ],
    [
      "if a list must be shorter",
      { type: "array" },
      { type: "array", maxItems: 3 },
      "`field` has the maxItems 3 now, instead of none",
    ],
    ["if a text gets a format", text, { ...text, format: "uuid" }, "`field` must have the format uuid now"],
    ["if a text gets a pattern", text, { ...text, pattern: "^a" }, "`field` must have the pattern ^a now"],
    [
      "if items of a list break",
      { type: "array", items: text },
      { type: "array", items: number },
      "`field[]` no longer takes string",
    ],
    [
      "if values of a record break",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: number },
      "`field.*` no longer takes string",
    ],
    [
      "if a name in a record is gone",
      { type: "object", propertyNames: { ...text, enum: ["a", "b"] }, additionalProperties: number },
      { type: "object", propertyNames: { ...text, enum: ["a"] }, additionalProperties: number },
      '`field.<name>` no longer takes "b"',
    ],
    [
      "if other fields are no longer taken",
      { ...object({}), additionalProperties: true },
      { ...object({}), additionalProperties: false },
      "`field` takes no other fields now",
    ],
    [
      "if items of a list get a type",
      { type: "array" },
      { type: "array", items: text },
      "`field[]` no longer takes any value",
    ],
    [
      "if values of a record get a type",
      { type: "object" },
      { type: "object", additionalProperties: text },
      "`field.*` no longer takes any value",
    ],
    [
      "if a constant choice gets a required field",
      { oneOf: [object({ type: { const: "a" } })] },
      { oneOf: [object({ type: { const: "a" }, b: text }, ["b"])] },
      "`field.b` is required now",
    ],
  ])("%s", (_, before, after, ...sentences) => {
    expect(check("input", before, after)).toEqual(sentences);
  });
});

describe("a response breaks", () => {
  test.each<Case>([
    ["if a field is gone", object({ a: text }, ["a"]), object({}), "`field.a` is gone"],
    ["if a field may be missing", object({ a: text }, ["a"]), object({ a: text }), "`field.a` may be missing now"],
    ["if a value may be null", text, { type: ["string", "null"] }, "`field` may be null now"],
    ["if a value may have another type", text, { anyOf: [text, number] }, "`field` may be number now"],
    ["if an integer may be any number", { type: "integer" }, number, "`field` may be number now"],
    ["if there is a new value", { ...text, enum: ["a"] }, { ...text, enum: ["a", "b"] }, '`field` may be "b" now'],
    ["if any value may come", { ...text, enum: ["a"] }, text, "`field` may be any string now"],
    ["if a format is gone", { ...text, format: "date" }, text, "`field` is no longer a date"],
    [
      "if items of a list break",
      { type: "array", items: text },
      { type: "array", items: number },
      "`field[]` may be number now",
    ],
    [
      "if items of a list may be anything",
      { type: "array", items: text },
      { type: "array", items: {} },
      "`field[]` may be any value now",
    ],
    [
      "if values of a record may be anything",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: {} },
      "`field.*` may be any value now",
    ],
    [
      "if a record has a new name",
      { type: "object", propertyNames: { ...text, enum: ["a"] } },
      { type: "object", propertyNames: { ...text, enum: ["a", "b"] } },
      '`field.<name>` may be "b" now',
    ],
  ])("%s", (_, before, after, ...sentences) => {
    expect(check("output", before, after)).toEqual(sentences);
  });
});

describe("nothing breaks", () => {
  test("if nothing changes, or a schema gets a name", () => {
    const tree = object({ children: { type: "array", items: ref("Tree") } });
    const schemas = { Tree: tree };
    for (const direction of ["input", "output"] as const) {
      expect(schemaBreaks({ schema: tree, schemas }, { schema: tree, schemas }, direction)).toEqual([]);
      expect(schemaBreaks({ schema: tree, schemas }, { schema: ref("Tree"), schemas }, direction)).toEqual([]);
      expect(schemaBreaks({ schema: ref("Tree"), schemas }, { schema: tree, schemas }, direction)).toEqual([]);
    }
  });

  test.each<Case>([
    ["a text", { anyOf: [{ ...text, maxLength: 5 }, { type: "null" }] }, { type: ["string", "null"], maxLength: 5 }],
    [
      "an object",
      { anyOf: [object({ a: text }, ["a"]), { type: "null" }] },
      { ...object({ a: text }, ["a"]), type: ["object", "null"] },
    ],
    [
      "a value of an enum",
      { anyOf: [{ ...text, enum: ["a"] }, { type: "null" }] },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "a constant",
      { anyOf: [{ ...text, const: "a" }, { type: "null" }] },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    ["a constant with an enum", { ...text, const: "a" }, { ...text, const: "a", enum: ["a"] }],
  ])("if %s or null is written in another form", (_, before, after) => {
    for (const direction of ["input", "output"] as const) {
      expect.soft(check(direction, before, after)).toEqual([]);
      expect.soft(check(direction, after, before)).toEqual([]);
    }
  });

  test.each<Case>([
    ["a new optional field", object({}), object({ a: text })],
    ["a field that becomes optional", object({ a: text }, ["a"]), object({ a: text })],
    ["null", text, { type: ["string", "null"] }],
    ["any number", { type: "integer" }, number],
    ["a new value", { ...text, enum: ["a"] }, { ...text, enum: ["a", "b"] }],
    ["any text", { ...text, enum: ["a"] }, text],
    ["longer texts", { ...text, maxLength: 5 }, { ...text, maxLength: 9 }],
    ["any format", { ...text, format: "uuid" }, text],
    ["another choice", text, { anyOf: [number, text] }],
    ["anything", text, {}],
    ["anything instead of an object", object({ a: text }), {}],
    ["more names", { type: "object", propertyNames: { ...text, enum: ["a"] } }, { type: "object" }],
    ["other fields", { ...object({}), additionalProperties: false }, object({})],
  ])("if a request may have %s", (_, before, after) => {
    expect(check("input", before, after)).toEqual([]);
  });

  test.each<Case>([
    ["a new field", object({}), object({ a: text }, ["a"])],
    ["a field that is always there", object({ a: text }), object({ a: text }, ["a"])],
    ["never null", { type: ["string", "null"] }, text],
    ["only integers", number, { type: "integer" }],
    ["fewer values", { ...text, enum: ["a", "b"] }, { ...text, enum: ["a"] }],
    ["other bounds", { ...text, maxLength: 5 }, { ...text, maxLength: 9 }],
    ["a format", text, { ...text, format: "date" }],
    ["items of a type", { type: "array" }, { type: "array", items: text }],
    [
      "fields that are known instead of any",
      { type: "object", propertyNames: text, additionalProperties: true },
      object({ a: text }, ["a"]),
    ],
    ["no other fields", object({}), { ...object({}), additionalProperties: false }],
  ])("if a response has %s", (_, before, after) => {
    expect(check("output", before, after)).toEqual([]);
  });
});

test("a schema that contains itself is compared once", () => {
  const tree = (label: object) => ({ Tree: object({ label, children: { type: "array", items: ref("Tree") } }) });
  const before = { schema: ref("Tree"), schemas: tree(text) };
  expect(schemaBreaks(before, { schema: ref("Tree"), schemas: tree(number) }, "output")).toEqual([
    "`label` may be number now",
  ]);
});
