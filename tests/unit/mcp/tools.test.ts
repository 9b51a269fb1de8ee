import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readOperations } from "#tools/reference/operations";
import { strictSchema } from "#tools/reference/strict-schema";
import reference from "../../../openapi.json" with { type: "json" };
import { TOOLS } from "../../../packages/mcp/tools.generated.ts";

const Schema = z.record(z.string(), z.unknown());
type Schema = z.output<typeof Schema>;

/** The words of a schema that every host takes, by its type. What another host refuses is left out here. */
const COMMON = ["type", "description", "default", "enum"];
const WORDS: Readonly<Record<string, readonly string[]>> = {
  string: [...COMMON, "format", "pattern", "minLength", "maxLength"],
  integer: [...COMMON, "minimum", "maximum"],
  number: [...COMMON, "minimum", "maximum"],
  boolean: ["type", "description", "default"],
  null: ["type", "description"],
  array: ["type", "description", "default", "items", "minItems", "maxItems"],
  object: ["type", "description", "properties", "required"],
};

/** What the strictest hosts refuse in a schema, such as Gemini, OpenAI, Claude and Kimi. */
function problemsOf(path: string, schema: unknown): string[] {
  const { type, anyOf, ...rest } = Schema.parse(schema);
  if (anyOf !== undefined) {
    const words = Object.keys(rest).filter((word) => word !== "description" && word !== "default");
    const nested = z.array(Schema).parse(anyOf);
    return [
      ...(type === undefined ? [] : [`${path}: type beside anyOf`]),
      ...words.map((word) => `${path}: ${word} beside anyOf`),
      ...nested.flatMap((one, index) =>
        "anyOf" in one ? [`${path}: anyOf in anyOf`] : problemsOf(`${path}|${index}`, one),
      ),
    ];
  }
  const words = WORDS[String(type)];
  if (typeof type !== "string" || words === undefined) return [`${path}: type ${JSON.stringify(type)}`];
  return [
    ...Object.keys(rest).flatMap((word) => (words.includes(word) ? [] : [`${path}: ${word}`])),
    ...(rest.format === undefined || rest.format === "date-time" ? [] : [`${path}: format ${rest.format}`]),
    ...(/\(\?|\\[pb]/.test(String(rest.pattern ?? "")) ? [`${path}: pattern ${rest.pattern}`] : []),
    ...(rest.enum === undefined || isEnum(type, rest.enum) ? [] : [`${path}: enum ${JSON.stringify(rest.enum)}`]),
    ...(type === "array" ? problemsOf(`${path}[]`, rest.items ?? {}) : []),
    ...(type === "object" ? problemsOfObject(path, rest) : []),
  ];
}

function isEnum(type: string, values: unknown): boolean {
  return type === "string" && z.array(z.string().min(1)).min(1).safeParse(values).success;
}

function problemsOfObject(path: string, { properties, required = [] }: Schema): string[] {
  const named = Schema.safeParse(properties);
  if (!named.success || (Object.keys(named.data).length === 0 && path.includes("."))) return [`${path}: no properties`];
  const names = Object.keys(named.data);
  return [
    ...names.filter((name) => !/^[A-Za-z][\w.-]{0,63}$/.test(name)).map((name) => `${path}: property ${name}`),
    ...z
      .array(z.string())
      .parse(required)
      .flatMap((name) => (names.includes(name) ? [] : [`${path}: requires ${name}`])),
    ...Object.entries(named.data).flatMap(([name, one]) => problemsOf(`${path}.${name}`, one)),
  ];
}

/** What has the fields of a person or an entry, but only the caller's. */
const ONES_OWN = ["readProfile", "updateProfile", "listTrash", "listJournalEntriesOnThisDay"];

describe("the tools of the MCP package", () => {
  test("have schemas that every host takes", () => {
    expect(TOOLS.flatMap(({ name, inputSchema }) => problemsOf(name, inputSchema))).toEqual([]);
  });

  test("have names and descriptions of a length that every host takes", () => {
    expect(TOOLS.filter(({ name }) => !/^[A-Za-z]\w{0,47}$/.test(name))).toEqual([]);
    expect(TOOLS.filter(({ description }) => description.length > 1024)).toEqual([]);
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
  });

  test("list what is one's own unless they are asked for more", () => {
    const scoped = TOOLS.filter(({ inputSchema }) => "scope" in (inputSchema.properties ?? {}));
    expect(scoped.map(({ name }) => name)).toContain("listJournalEntries");
    for (const { name, inputSchema } of scoped) {
      expect.soft(inputSchema.properties?.scope, name).toMatchObject({ type: "string", default: "own" });
    }
  });

  test("say that they destroy when they delete, overwrite, publish, send or spend", () => {
    const destructive = new Set(TOOLS.filter((tool) => tool.annotations?.destructiveHint).map(({ name }) => name));
    for (const { name, method, annotations, inputSchema } of TOOLS) {
      const fields = Object.keys(inputSchema.properties ?? {});
      const publishes = fields.some((field) => field.endsWith("_visibility")) && !name.startsWith("preview");
      if (method === "GET")
        expect.soft(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      else expect.soft(annotations?.readOnlyHint, name).toBe(false);
      if (["PUT", "DELETE"].includes(method) || (method === "POST" && publishes)) {
        expect.soft(destructive, name).toContain(name);
      }
    }
    const sendOrSpend = ["sendEncouragementDrop", "sendSquadMessage", "createJournalComment", "purchaseTonePack"];
    for (const name of [...sendOrSpend, "shareTonePack", "generateTonePackImages"])
      expect.soft(destructive).toContain(name);
    for (const name of ["createWellnessEntry", "markDropRead"]) expect.soft(destructive).not.toContain(name);
  });

  test("say where things of others come in: wherever a response has a card of a person, a comment or an entry", () => {
    const { operations, schemas } = readOperations(reference);
    const texts = new Map(Object.entries(schemas).map(([name, schema]) => [name, JSON.stringify(schema)]));
    for (const { name, annotations } of TOOLS) {
      const response = JSON.stringify(operations.find(({ id }) => id === name)?.response);
      const all = [
        response,
        ...[...response.matchAll(/schemas\/(\w+)"/g)].map(([, one = ""]) => texts.get(one)),
      ].join();
      const hasOthers = /"is_ai"|"is_assistant"|"content_hidden"/.test(all);
      if (hasOthers && !ONES_OWN.includes(name)) {
        expect.soft(annotations?.openWorldHint, name).toBe(true);
      }
    }
    expect(TOOLS.find(({ name }) => name === "listWellnessEntries")?.annotations?.openWorldHint).toBe(false);
  });
});

test("a schema of any kind is written in the words that every host takes", () => {
  const schema = {
    type: "object",
    properties: {
      theme: { type: ["string", "null"], maxLength: 5, description: "A theme." },
      anything: { description: "Whatever it is." },
      visibility: { anyOf: [{ type: "string", enum: ["user", ""] }, { type: "null" }], default: "user" },
      mood: { type: ["string", "null"], enum: ["calm", null] },
      kind: { type: "string", const: "walk", enum: ["walk"] },
      day: { type: "string", format: "date", description: "A day." },
      ip: {
        anyOf: [
          {
            anyOf: [
              { type: "string", format: "ipv4" },
              { type: "string", format: "hostname" },
            ],
          },
          { type: "null" },
        ],
      },
      year: { type: "integer", pattern: "^\\d+$", minimum: 1 },
      tags: { type: "array", items: { type: ["string", "null"] } },
    },
    required: ["kind"],
  };
  expect(problemsOf("before", schema)).toHaveLength(9);
  const strict = strictSchema(schema);
  expect(problemsOf("after", strict)).toEqual([]);
  expect(strict.properties).toMatchObject({
    theme: { anyOf: [{ type: "string", maxLength: 5 }, { type: "null" }], description: "A theme." },
    visibility: { anyOf: [{ type: "string", enum: ["user"] }, { type: "null" }], default: "user" },
    mood: { anyOf: [{ type: "string", enum: ["calm"] }, { type: "null" }] },
    kind: { type: "string", enum: ["walk"] },
    day: { type: "string", description: "A day. A date such as 2026-11-28." },
  });
});
