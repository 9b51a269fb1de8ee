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

test("an example is kept if a new recording differs in ids, dates and times only", () => {
  const first = { response: { id: "7f1c7a2e-0000-4000-8000-000000000001", at: "2026-11-28T09:00:00.000Z", count: 2 } };
  const second = { response: { id: "7f1c7a2e-0000-4000-8000-000000000002", at: "2027-01-01T10:30:00.125Z", count: 2 } };
  expect(saysTheSame(first, second)).toBe(true);
  expect(saysTheSame(first, { response: { ...second.response, count: 3 } })).toBe(false);
  expect(saysTheSame(first, { response: { ...second.response, name: "new" } })).toBe(false);
  expect(saysTheSame(undefined, second)).toBe(false);
});
