import { describe, expect, test } from "vitest";
import { type Contract, contractOf, contractText } from "#tools/reference/contract";
import { contractBreaks, mayBreak } from "#tools/reference/contract-breaks";

type Promised = Contract["operations"][string];

const operation: Promised = {
  function: "goals.create",
  security: ["bearer"],
  takesIdempotencyKey: true,
  parameters: [{ in: "query", name: "status", required: false, schema: { type: "string", enum: ["active", "ended"] } }],
  body: { isRequired: false, isForm: false, schema: { type: "object", properties: { title: { type: "string" } } } },
  status: "201",
  response: { type: "object", properties: { goal: { $ref: "#/components/schemas/Goal" } }, required: ["goal"] },
};

function contractWith(changes: Partial<Promised>, goal: object = { type: "object", properties: { id: {} } }): Contract {
  return { version: "0.1.0", operations: { "POST /api/goals": { ...operation, ...changes } }, schemas: { Goal: goal } };
}

const breaksOf = (present: Contract) => contractBreaks(contractWith({}), present);

describe("a change of an operation is named", () => {
  test.each<[string, Contract, string]>([
    ["gone", { ...contractWith({}), operations: {} }, "POST /api/goals is gone."],
    [
      "with another name",
      contractWith({ function: "goals.add" }),
      "POST /api/goals: nectar.goals.create is called nectar.goals.add now.",
    ],
    ["for others", contractWith({ security: ["cron"] }), "POST /api/goals: it no longer accepts bearer."],
    [
      "without keys",
      contractWith({ takesIdempotencyKey: false }),
      "POST /api/goals: it no longer takes Idempotency-Key.",
    ],
    ["with another status", contractWith({ status: "200" }), "POST /api/goals: it responds 200 instead of 201."],
    ["without a parameter", contractWith({ parameters: [] }), "POST /api/goals: the parameter `status` is gone."],
    [
      "with a new required parameter",
      contractWith({
        parameters: [...operation.parameters, { in: "query", name: "team", required: true, schema: {} }],
      }),
      "POST /api/goals: the parameter `team` is new and required.",
    ],
    [
      "with a parameter that becomes required",
      contractWith({ parameters: operation.parameters.map((parameter) => ({ ...parameter, required: true })) }),
      "POST /api/goals: the parameter `status` is required now.",
    ],
    [
      "with a narrower parameter",
      contractWith({
        parameters: [{ in: "query", name: "status", required: false, schema: { type: "string", enum: ["active"] } }],
      }),
      'POST /api/goals: the parameter `status` no longer takes "ended".',
    ],
    ["without a body", contractWith({ body: null }), "POST /api/goals: it no longer takes a body."],
    [
      "with a form",
      contractWith({ body: { isRequired: false, isForm: true, schema: {} } }),
      "POST /api/goals: its body is a form now.",
    ],
    [
      "with a required body",
      contractWith({ body: { isRequired: true, isForm: false, schema: operation.body?.schema } }),
      "POST /api/goals: its body is required now.",
    ],
    [
      "with a narrower body",
      contractWith({ body: { isRequired: false, isForm: false, schema: { type: "object", properties: {} } } }),
      "POST /api/goals: in the request, `title` is gone.",
    ],
    [
      "with another response, in a named schema",
      contractWith({}, { type: "object", properties: {} }),
      "POST /api/goals: in the response, `goal.id` is gone.",
    ],
  ])("%s", (_, present, sentence) => {
    expect(breaksOf(present)).toEqual([sentence]);
  });

  test("needing a token or a body that it did not need", () => {
    const open = contractWith({ security: [], body: null });
    const closed = contractWith({ body: { isRequired: true, isForm: false, schema: {} } });
    expect(contractBreaks(open, closed)).toEqual([
      "POST /api/goals: it needs bearer now.",
      "POST /api/goals: it needs a body now.",
    ]);
  });
});

test("new operations, parameters, fields and schemas break nothing", () => {
  const more = contractWith(
    {
      security: ["bearer", "cron"],
      parameters: [...operation.parameters, { in: "query", name: "team", required: false, schema: { type: "string" } }],
    },
    { type: "object", properties: { id: {}, title: {} } },
  );
  expect(breaksOf({ ...more, operations: { ...more.operations, "GET /api/goals": operation } })).toEqual([]);
});

test.each([
  ["0.1.0", "0.1.0", false],
  ["0.1.0", "0.1.9", false],
  ["0.1.0", "0.2.0", true],
  ["0.9.3", "1.0.0", true],
  ["1.2.0", "1.9.0", false],
  ["1.2.0", "2.0.0", true],
  ["0.2.0", "0.1.0", false],
])("after %s, the version %s may break clients: %o", (released, present, allowed) => {
  expect(mayBreak(released, present)).toBe(allowed);
});

test("a contract has no prose and no jobs, keeps fields with the names of prose, and survives being written", () => {
  const success = (schema: object) => ({ 200: { content: { "application/json": { schema } } } });
  const document = {
    info: { version: "0.1.0" },
    tags: [{ name: "goals", description: "Your goals." }],
    paths: {
      "/api/goals": {
        get: {
          operationId: "listGoals",
          tags: ["goals"],
          summary: "List",
          security: [{ bearer: [] }],
          responses: success({
            type: "object",
            description: "For people.",
            properties: { description: { type: "string", examples: ["x"], default: "y" }, default: { type: "object" } },
          }),
        },
      },
      "/api/goals/cron/end": {
        post: {
          operationId: "runEnd",
          tags: ["goals"],
          summary: "End",
          security: [{ cron: [] }],
          responses: success({}),
        },
      },
    },
    components: { schemas: { Error: {} } },
  };
  const contract = contractOf(document);
  expect(contract).toEqual({
    version: "0.1.0",
    operations: {
      "GET /api/goals": {
        function: "goals.list",
        security: ["bearer"],
        takesIdempotencyKey: false,
        parameters: [],
        body: null,
        status: "200",
        response: { type: "object", properties: { description: { type: "string" }, default: { type: "object" } } },
      },
    },
    schemas: {},
  });
  expect(JSON.parse(contractText(contract))).toEqual(contract);
});
