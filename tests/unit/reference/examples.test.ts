import { describe, expect, test } from "vitest";
import { misfittingExamples } from "#tools/reference/example-fit";
import reference from "../../../openapi.json" with { type: "json" };
import { saysTheSame } from "../../examples/recorder.ts";

/** A document with one operation, whose response has an example. */
function documentWith(properties: Record<string, unknown>, example: unknown, required: string[] = []) {
  const schema = { $ref: "#/components/schemas/Goal" };
  const content = { "application/json": { schema, example } };
  return {
    paths: { "/api/goals/{id}": { get: { operationId: "readGoal", responses: { 200: { content } } } } },
    components: { schemas: { Goal: { type: "object", properties, required } } },
  };
}

describe("an example that the reference no longer fits", () => {
  const title = { type: "string" };

  test("is one without a new field, with a field that is gone, or with another type", () => {
    expect(misfittingExamples(documentWith({ title }, { title: "Run" }, ["title"]))).toEqual([]);
    expect(misfittingExamples(documentWith({ title, color: title }, { title: "Run" }, ["title", "color"]))).toEqual([
      "readGoal",
    ]);
    expect(misfittingExamples(documentWith({ title }, { title: "Run", color: "red" }))).toEqual(["readGoal"]);
    expect(misfittingExamples(documentWith({ title: { type: "integer" } }, { title: "Run" }))).toEqual(["readGoal"]);
  });

  test("is none of those that are recorded", () => {
    expect(misfittingExamples(reference)).toEqual([]);
  });
});

describe("an example is kept", () => {
  const request = { title: "Run", days: 3 };
  const response = {
    goal: {
      id: "7f1c7a2e-0000-4000-8000-000000000001",
      title: "Run",
      at: "2026-11-28T09:00:00.000Z",
      count: 2,
      team: null,
    },
    people: [{ name: "Ada", city: null }],
    next_cursor: "WyIyMDI2LTExLTI3VDA5OjA5OjE4LjAwMFoiXQ",
  };
  const other = {
    goal: {
      id: "7f1c7a2e-0000-4000-8000-000000000002",
      title: "Run",
      at: "2027-01-01T10:30:00.125Z",
      count: 3,
      team: null,
    },
    people: [{ name: "Ben", city: "Zurich" }],
    next_cursor: "WyIyMDI3LTAxLTAxVDEwOjMwOjAwLjEyNVoiXQ",
  };

  test("if a new recording differs in ids, times, numbers and the rows of a list only", () => {
    expect(saysTheSame({ request, response }, { request, response: other })).toBe(true);
    expect(saysTheSame({ response: { users: [] } }, { response: { users: [] } })).toBe(true);
  });

  test.each([
    ["a text", { ...other, goal: { ...other.goal, title: "Walk" } }],
    ["a field", { ...other, name: "new" }],
    ["a field of the rows of a list", { ...other, people: [{ name: "Ben" }] }],
    ["null in place of a value", { ...other, next_cursor: null }],
    ["an empty list", { ...other, people: [] }],
  ])("but not if it differs in %s", (_, changed) => {
    expect(saysTheSame({ request, response }, { request, response: changed })).toBe(false);
  });

  test("but not if it was requested in another way, or if there is none", () => {
    expect(saysTheSame({ request, response }, { request: { ...request, days: 4 }, response })).toBe(false);
    expect(saysTheSame(undefined, { response })).toBe(false);
  });
});
