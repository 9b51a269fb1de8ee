import { describe, it } from "vitest";
import * as z from "zod";
import { Uuid } from "#core/text/uuid";
import { admin, adminOrCron, anyone, user } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";

const Goal = z.object({ id: z.uuid(), title: z.string(), due: z.iso.date().nullable(), tags: z.array(z.string()) });
const goal = { id: "1", title: "Run", due: null, tags: [] };
const common = { id: "readGoal", summary: "Read a goal", guard: user, response: z.object({ goal: Goal }) } as const;

describe("a handler that does not return the declared response does not compile:", () => {
  it("with a field of the wrong type", () => {
    // @ts-expect-error title is a text
    endpoint("GET /api/goal", common, async () => ({ goal: { ...goal, title: 1 } }));
  });

  it("without a field", () => {
    const { title: _, ...untitled } = goal;
    // @ts-expect-error title is missing
    endpoint("GET /api/goal", common, async () => ({ goal: untitled }));
  });

  it("with null where the schema has no null", () => {
    const found: typeof goal | null = Math.random() > 2 ? goal : null;
    // @ts-expect-error the goal may be null
    endpoint("GET /api/goal", common, async () => ({ goal: found }));
  });

  it("with undefined where the schema has null", () => {
    // @ts-expect-error due is null, never absent
    endpoint("GET /api/goal", common, async () => ({ goal: { ...goal, due: undefined } }));
  });

  it("with a field that is not declared", () => {
    // @ts-expect-error nothing declares `secret`
    endpoint("GET /api/goal", common, async () => ({ goal, secret: "x" }));
  });

  it("of an endpoint in steps as well", () => {
    // @ts-expect-error title is missing
    endpointInSteps("GET /api/goal", common, async () => ({ goal: { id: "1" } }));
    // @ts-expect-error the step before returns a number
    endpointInSteps("POST /api/goal", common, async ({ commit, respond }) => {
      const before = await commit(async () => 1);
      return respond(async () => ({ goal: before }));
    });
  });

  it("with a value that is not one of the declared ones", () => {
    const response = z.object({ status: z.enum(["open", "done"]) });
    endpoint("GET /api/goal", { ...common, response }, async () => ({ status: "open" as const }));
    // @ts-expect-error nothing declares "lost"
    endpoint("GET /api/goal", { ...common, response }, async () => ({ status: "lost" as const }));
  });
});

describe("a definition does not compile", () => {
  it("without a schema for each parameter of its path", () => {
    // @ts-expect-error params are missing
    endpoint("GET /api/goal/:id", common, async () => ({ goal }));
    // @ts-expect-error member is missing
    endpoint("GET /api/goal/:id/:member", { ...common, params: { id: Uuid } }, async () => ({ goal }));
  });

  it("with an error code that the catalogue does not have", () => {
    // @ts-expect-error a wrong code
    endpoint("GET /api/goal", { ...common, errors: ["goal.lost"] }, async () => ({ goal }));
  });

  it("with a method that is not supported", () => {
    // @ts-expect-error no endpoint uses PATCH
    endpoint("PATCH /api/goal", common, async () => ({ goal }));
  });
});

describe("what an admin changes does not compile", () => {
  const ofAdmins = { ...common, guard: admin };

  it("without saying what the audit log records", () => {
    // @ts-expect-error audit is missing
    endpoint("PUT /api/goal", ofAdmins, async () => ({ goal }));
    const ofScheduler = { ...common, guard: adminOrCron("CHAT_CRON_SECRET") };
    // @ts-expect-error audit is missing
    endpointInSteps("POST /api/goal", ofScheduler, async () => ({ goal }));
    endpoint("GET /api/goal", ofAdmins, async () => ({ goal }));
    endpoint("PUT /api/goal", { ...ofAdmins, audit: { target: "user" } }, async () => ({ goal }));
  });

  it("with an id that is neither in the request nor in the response", () => {
    endpoint(
      "PUT /api/goal/:id",
      { ...ofAdmins, params: { id: Uuid }, audit: { target: "user", id: ({ params }) => params.id } },
      async () => ({ goal }),
    );
    endpoint(
      "POST /api/goal",
      // @ts-expect-error the response has no such field
      { ...ofAdmins, audit: { target: "user", newId: ({ user: created }) => created.id } },
      async () => ({ goal }),
    );
  });

  it("if anyone else changes it", () => {
    // @ts-expect-error the audit log is for admins
    endpoint("PUT /api/goal", { ...common, audit: { target: "user" } }, async () => ({ goal }));
  });
});

describe("a handler", () => {
  it("gets parameters, query and body as their schemas describe them, and nothing else", () => {
    endpoint(
      "PUT /api/goal/:id",
      { ...common, params: { id: Uuid }, query: z.object({ loud: z.string() }), body: Goal },
      async ({ params, query, body, actor }) => {
        const texts: string[] = [params.id, query.loud, body.title, actor.userId];
        // @ts-expect-error the path has no such parameter
        texts.push(params.other);
        return { goal };
      },
    );
  });

  it("has a caller only behind a guard that needs one", () => {
    endpoint("GET /api/goal", { ...common, guard: admin }, async ({ actor }) => ({
      goal: { ...goal, id: actor.userId },
    }));
    endpoint("GET /api/goal", { ...common, guard: anyone }, async ({ actor }) => {
      // @ts-expect-error anyone may call, so there is no caller
      const id = actor.userId;
      return { goal: { ...goal, id } };
    });
  });

  it("may return read-only lists", () => {
    const tags: readonly string[] = [];
    endpoint("GET /api/goal", common, async () => ({ goal: { ...goal, tags } }));
  });
});
