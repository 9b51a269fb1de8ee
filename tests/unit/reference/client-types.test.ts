import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { OPERATIONS } from "#client/operations.generated";
import { clientOperations, clientTypes } from "#tools/reference/client-types";
import { functionName, readOperations } from "#tools/reference/operations";

const document: unknown = JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8"));
const reference = readOperations(document);
/** The ids of all operations of the document. */
const documented = Object.values(
  z.object({ paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))) }).parse(document)
    .paths,
).flatMap((operations) => Object.values(operations).map(({ operationId }) => operationId));

describe("the functions of the client", () => {
  test.each([
    ["createTonePack", "tone-packs", "create"],
    ["readActiveTonePack", "tone-packs", "readActive"],
    ["listOrganizationMembers", "organizations", "listMembers"],
    ["listJournalEntries", "journal", "listEntries"],
    ["listWellnessEntries", "wellness-entries", "list"],
    ["sendEmail", "email", "send"],
    ["readProfile", "user", "readProfile"],
  ])("have names that do not repeat the group: %s of %s is %s", (id, tag, name) => {
    expect(functionName(id, tag)).toBe(name);
  });

  test("exist for every operation of the reference, each under a name of its own", () => {
    const rows = Object.entries(OPERATIONS).flatMap(([group, functions]) =>
      Object.entries(functions).map(([name, { method = "GET", path }]) => `${group}.${name} ${method} ${path}`),
    );
    const expected = reference.operations.map(({ group, name, method, path }) => `${group}.${name} ${method} ${path}`);
    expect(rows.toSorted()).toEqual(expected.toSorted());
    const ids = reference.operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("are missing only for what is for browsers", () => {
    const ids = new Set(reference.operations.map(({ id }) => id));
    expect(documented.filter((id) => !ids.has(id))).toEqual(["readUnsubscribePage"]);
  });

  test("take a key exactly where the reference documents Idempotency-Key, and read pages where it has a cursor", () => {
    for (const { group, name, takesIdempotencyKey, parameters } of reference.operations) {
      const row = OPERATIONS[group]?.[name];
      expect.soft(row?.key ?? false, `${group}.${name}`).toBe(takesIdempotencyKey);
      // The cursor of changes never ends.
      const hasPages = parameters.some((parameter) => parameter.name === "cursor") && group !== "changes";
      expect.soft(row?.items !== undefined, `${group}.${name}`).toBe(hasPages);
    }
  });
});

/** A document with one operation of the group `goals`. */
function documentOf(operation: Record<string, unknown>, path = "/api/goals/{id}", method = "put") {
  return {
    tags: [{ name: "goals", description: "Your goals." }],
    paths: {
      [path]: {
        [method]: {
          operationId: "updateGoal",
          tags: ["goals"],
          summary: "Update a goal",
          security: [{ bearer: [] }],
          responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Goal" } } } } },
          ...operation,
        },
      },
    },
    components: {
      schemas: {
        Error: { properties: { code: { type: "string", enum: ["goal.not_found"] } } },
        Goal: { type: "object", properties: { title: { type: ["string", "null"] }, "two words": { const: 2 } } },
      },
    },
  };
}
const id = { in: "path", name: "id", required: true, description: "The goal.", schema: { type: "string" } };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const MOOD = { type: ["string", "null"], enum: ["calm", null] };
const json = (schema: unknown) => ({ required: true, content: { "application/json": { schema } } });

describe("the types of the client", () => {
  test("join parameters and body to one input, with their descriptions", () => {
    const body = json({
      type: "object",
      properties: {
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
        photo: { type: "string", format: "binary", description: "Not `*/` the end." },
        more: { type: "object", additionalProperties: { type: "integer" } },
      },
      required: ["tags"],
    });
    const text = clientTypes(readOperations(documentOf({ parameters: [id], requestBody: body })));
    expect(text).toContain(`export type UpdateGoalInput = {
  /** The goal. */
  id: string;
} & ({
  tags: Array<"a" | "b">;
  /** Not \`*\\/\` the end. */
  photo?: Blob | LocalFile;
  more?: Record<string, number>;
});`);
    expect(text).toContain('export type Goal = {\n  title?: string | null;\n  "two words"?: 2;\n};');
    expect(text).toContain('export type ErrorCode = "goal.not_found";');
    expect(text).toContain("update(input: UpdateGoalInput, options?: CallOptions): Promise<UpdateGoalResponse>;");
  });

  test("say what a component or null is, and have a response of one operation under one name", () => {
    const document = documentOf({
      responses: { 200: { content: { "application/json": { schema: ref("UpdateGoalResponse") } } } },
    });
    Object.assign(document.components.schemas, {
      GoalOrNull: { ...document.components.schemas.Goal, type: ["object", "null"] },
      UpdateGoalResponse: { type: "object", properties: { goal: ref("GoalOrNull"), mood: MOOD }, required: ["mood"] },
    });
    const text = clientTypes(readOperations(document));
    expect(text).toContain('export type UpdateGoalResponse = {\n  goal?: Goal | null;\n  mood: "calm" | null;\n};');
    expect(text).not.toContain("OrNull");
  });

  test("know the items of a page if it has exactly one list", () => {
    const cursor = { in: "query", name: "cursor", schema: { type: "string" } };
    const page = (properties: Record<string, unknown>) =>
      readOperations(
        documentOf(
          {
            operationId: "listGoals",
            parameters: [cursor],
            responses: { 200: { content: { "application/json": { schema: { type: "object", properties } } } } },
          },
          "/api/goals",
          "get",
        ),
      );
    const list = { type: "array", items: { type: "string" } };
    const one = page({ goals: list, next_cursor: { type: ["string", "null"] } });
    expect(clientTypes(one)).toContain('Paged<ListGoalsResponse, ListGoalsResponse["goals"][number]>');
    expect(clientOperations(one)).toContain('list: {"path":"/api/goals","items":"goals"}');
    const two = page({ own: list, shared: list });
    expect(clientTypes(two)).toContain(
      "list(input?: ListGoalsInput, options?: CallOptions): Pages<ListGoalsResponse>;",
    );
  });

  test("cannot be written if names or inputs would clash", () => {
    const query = { in: "query", name: "dry_run", schema: { type: "boolean" } };
    const body = json({ type: "object", properties: {} });
    expect(() => clientTypes(readOperations(documentOf({ parameters: [query], requestBody: body })))).toThrow(
      "updateGoal has both a query and a body",
    );
    const named = documentOf({});
    Object.assign(named.components.schemas, { UpdateGoalInput: { type: "string" } });
    expect(() => clientTypes(readOperations(named))).toThrow("Several types have the name UpdateGoalInput");
    const twice = documentOf({});
    Object.assign(twice.paths, documentOf({ operationId: "updateGoals" }, "/api/goals").paths);
    expect(() => readOperations(twice)).toThrow("Several operations have the name goals.update");
  });

  test("call the id of a body as the paths below do, if the path has an id too", () => {
    const body = json({ type: "object", properties: { id: { type: "string" } } });
    const document = documentOf({ parameters: [id], requestBody: body }, "/api/goals/{id}/check-ins");
    Object.assign(document.paths, { "/api/goals/{id}/check-ins/{checkInId}": {} });
    expect(clientTypes(readOperations(document))).toContain("checkInId?: string;");
    expect(clientOperations(readOperations(document))).toContain('"bodyId":"checkInId"');
  });

  test("refuse a body with a field that is also in the path", () => {
    const body = json({ type: "object", properties: { id: { type: "string" } } });
    expect(() => clientTypes(readOperations(documentOf({ parameters: [id], requestBody: body })))).toThrow(
      "updateGoal has `id` in its path and in its body",
    );
  });
});
