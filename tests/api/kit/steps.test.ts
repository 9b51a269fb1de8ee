import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { user } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { type GroupApp, groupApp } from "#http/endpoint/group-app";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();

/** The vendor's side of the call: it responds, fails, or hangs, as when the process dies. */
let externalCall: () => Promise<string>;
let lastStepFails = false;
let afterwardsFails = false;

/** Both endpoints write a row in each transaction. One has a fallback. */
function appInSteps() {
  return groupApp(
    api.services,
    "steps",
    (["/plain", "/fallback"] as const).map((path) =>
      endpointInSteps(
        `POST ${path}`,
        {
          id: "createNotebook",
          summary: "Create a notebook in steps",
          guard: user,
          body: z.object({ name: z.string() }),
          status: 201,
          response: z.object({ id: z.string(), description: z.string().nullable() }),
        },
        async ({ commit, respond, body: { name } }) => {
          const { id } = await commit(
            (tx) => tx.insertInto("notebooks").values({ name }).returning("id").executeTakeFirstOrThrow(),
            path === "/plain" ? undefined : (row) => ({ id: row.id, description: null }),
          );
          const description = await externalCall();
          const response = await respond(async (tx) => {
            await tx.updateTable("notebooks").set({ description }).where("id", "=", id).execute();
            if (lastStepFails) throw new Error("The second transaction failed.");
            return { id, description };
          });
          if (afterwardsFails) throw new Error("The push service is away.");
          return response;
        },
      ),
    ),
  );
}
const ada = beforeEachTest(() => api.person());
beforeEach(() => {
  externalCall = async () => "found";
  lastStepFails = false;
  afterwardsFails = false;
});

async function post(
  path: string,
  { key, name = "A notebook", app = appInSteps() }: { key?: string; name?: string; app?: GroupApp } = {},
) {
  const response = await app.request(path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${ada.token}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify({ name }),
  });
  const body = z
    .object({ id: z.string().optional(), description: z.string().nullish(), code: z.string().optional() })
    .parse(await response.json());
  return { status: response.status, body, replayed: response.headers.get("idempotent-replayed") === "true" };
}
const notebooks = () =>
  api.query`select id, description from nectar.notebooks where user_id = ${ada.id} order by created_at, id`;
const age = (by: string) =>
  api.query`update private.idempotency_keys set created_at = created_at - ${by}::interval where user_id = ${ada.id}`;

let unfinished: (() => void)[] = [];
afterEach(() => {
  for (const end of unfinished) end();
  unfinished = [];
});
/** Makes the call hang until the test ends it. */
function hangingCall(): { started: Promise<void>; end: (text: string) => void } {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  externalCall = () => {
    started.resolve();
    return ended.promise;
  };
  unfinished.push(() => ended.resolve("too late"));
  return { started: started.promise, end: ended.resolve };
}
const inProgress = { status: 409, body: { code: "idempotency.in_progress" } };

describe.each(["/plain", "/fallback"])("a command with an external call (%s)", (path) => {
  it("runs every step, and runs again for each request without a key", async () => {
    const [first, second] = [await post(path), await post(path)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.description).toBe("found");
    expect(second.body.id).not.toBe(first.body.id);
    expect(await notebooks()).toHaveLength(2);
  });

  it("gets 409 while the same request is running, and a replay afterwards", async () => {
    const call = hangingCall();
    const first = post(path, { key: "one" });
    await call.started;
    expect(await notebooks()).toMatchObject([{ description: null }]);
    expect(await post(path, { key: "one" })).toMatchObject(inProgress);
    const other = await post(path, { key: "one", name: "Another" });
    expect(other).toMatchObject({ status: 409, body: { code: "idempotency.key_reused" } });
    call.end("found after a while");
    const { status, body, replayed } = await first;
    expect([status, body.description, replayed]).toEqual([201, "found after a while", false]);
    expect(await post(path, { key: "one" })).toEqual({ status, body, replayed: true });
    expect(await notebooks()).toEqual([{ id: body.id, description: "found after a while" }]);
  });

  it("runs once for simultaneous requests with the same key", async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => post(path, { key: "one" })));
    expect(responses.filter(({ status, replayed }) => status === 201 && !replayed)).toHaveLength(1);
    expect(responses.filter(({ status, replayed }) => status !== 201 && !replayed)).toEqual(
      responses.filter(({ body }) => body.code === "idempotency.in_progress"),
    );
    expect(await notebooks()).toHaveLength(1);
  });

  it("runs again with the same key after 24 hours", async () => {
    await post(path, { key: "one" });
    await age("24 hours 1 second");
    expect(await post(path, { key: "one" })).toMatchObject({ status: 201, replayed: false });
    expect(await notebooks()).toHaveLength(2);
  });
});

it.each([undefined, "one"])("what fails after the last step is logged and changes nothing (key %s)", async (key) => {
  afterwardsFails = true;
  const options = key === undefined ? {} : { key };
  const { status, body } = await post("/plain", options);
  expect([status, body.description]).toEqual([201, "found"]);
  expect(api.logged()).toContain("work after the commit failed");
  expect((await post("/plain", options)).replayed).toBe(key !== undefined);
});

describe("without a fallback", () => {
  it("the key can be used again if the call or the second transaction fails", async () => {
    externalCall = () => Promise.reject(new Error("The vendor is away."));
    expect((await post("/plain", { key: "one" })).status).toBe(500);
    externalCall = async () => "found";
    lastStepFails = true;
    expect((await post("/plain", { key: "one" })).status).toBe(500);
    lastStepFails = false;
    expect(await post("/plain", { key: "one" })).toMatchObject({ status: 201, replayed: false });
    expect(await notebooks()).toMatchObject([{ description: null }, { description: null }, { description: "found" }]);
  });

  it("the command runs again six minutes after the process died, but not before", async () => {
    const call = hangingCall();
    void post("/plain", { key: "one" });
    await call.started;
    externalCall = async () => "found";
    await age("350 seconds");
    expect(await post("/plain", { key: "one" })).toMatchObject(inProgress);
    expect(await notebooks()).toHaveLength(1);
    await age("11 seconds");
    const other = await post("/plain", { key: "one", name: "Another" });
    expect(other).toMatchObject({ status: 409, body: { code: "idempotency.key_reused" } });
    const second = await post("/plain", { key: "one" });
    expect(second).toMatchObject({ status: 201, body: { description: "found" }, replayed: false });
    expect(await post("/plain", { key: "one" })).toEqual({ ...second, replayed: true });
    expect(await notebooks()).toHaveLength(2);
  });

  it("a command that counted as dead and then fails leaves the response of the one that ran after it", async () => {
    const call = hangingCall();
    const first = post("/plain", { key: "one" });
    await call.started;
    externalCall = async () => "found";
    await age("361 seconds");
    const second = await post("/plain", { key: "one" });
    expect(second.status).toBe(201);
    lastStepFails = true;
    call.end("found too late");
    expect((await first).status).toBe(500);
    expect(await post("/plain", { key: "one" })).toEqual({ ...second, replayed: true });
  });
});

describe("with a fallback", () => {
  it("a replay gets it six minutes after the process died", async () => {
    const call = hangingCall();
    void post("/fallback", { key: "one" });
    await call.started;
    externalCall = async () => "found";
    expect(await post("/fallback", { key: "one" })).toMatchObject(inProgress);
    await age("361 seconds");
    const other = await post("/fallback", { key: "one", name: "Another" });
    expect(other.body.code).toBe("idempotency.key_reused");
    const [row] = await notebooks();
    const replay = { status: 201, body: { id: row?.id, description: null }, replayed: true };
    expect(await post("/fallback", { key: "one" })).toEqual(replay);
    expect(await notebooks()).toHaveLength(1);
  });

  const ways: [string, () => unknown][] = [
    ["the call", () => (externalCall = () => Promise.reject(new Error("The vendor is away.")))],
    ["the second transaction", () => (lastStepFails = true)],
  ];

  it.each(ways)("it is sent if %s fails, also without a key, and to replays", async (_, fail) => {
    fail();
    const { status, body } = await post("/fallback");
    expect([status, body, await notebooks()]).toEqual([201, { id: body.id, description: null }, [body]]);
    const first = await post("/fallback", { key: "one" });
    const row = (await notebooks())[1];
    expect(first).toEqual({ status: 201, body: { id: row?.id, description: null }, replayed: false });
    [externalCall, lastStepFails] = [async () => "found", false];
    expect(await post("/fallback", { key: "one" })).toEqual({ ...first, replayed: true });
    expect(await notebooks()).toEqual([body, row]);
  });

  it("it is sent even if the final response cannot be stored, and later to replays", async () => {
    await api.query(
      `create function private.fail_for_a_test() returns trigger language plpgsql
         as $$ begin raise exception 'the disk is full'; end $$;
       create trigger fail_for_a_test before update on private.idempotency_keys
         for each row when (new.is_final) execute function private.fail_for_a_test()`,
    );
    let first: Awaited<ReturnType<typeof post>>;
    try {
      first = await post("/fallback", { key: "one" });
    } finally {
      await api.query`drop function private.fail_for_a_test() cascade`;
    }
    expect(first).toMatchObject({ status: 201, body: { description: null }, replayed: false });
    expect(await post("/fallback", { key: "one" })).toMatchObject(inProgress);
    await age("361 seconds");
    expect(await post("/fallback", { key: "one" })).toEqual({ ...first, replayed: true });
    expect(await notebooks()).toEqual([first.body]);
  });

  it("it is not sent if the first transaction fails", async () => {
    const { status } = await post("/fallback", { name: "x".repeat(10_000) });
    expect([status, await notebooks()]).toEqual([500, []]);
  });
});

describe("work after the commit of an endpoint with one transaction", () => {
  let committed: unknown[] = [];
  const body = z.object({ name: z.string() });
  const definition = { id: "createNotebook", summary: "Create", guard: user, body, response: z.object({}) };
  const app = () =>
    groupApp(api.services, "one", [
      endpoint("POST /one", definition, async ({ tx, body, afterCommit }) => {
        afterCommit(async () => {
          committed.push(await notebooks());
          if (afterwardsFails) throw new Error("The push service is away.");
        });
        await tx.insertInto("notebooks").values(body).execute();
        return {};
      }),
    ]);
  beforeEach(() => {
    committed = [];
  });

  it("runs after the commit, and neither for replays nor for requests that failed", async () => {
    expect((await post("/one", { key: "one", app: app() })).status).toBe(200);
    expect((await post("/one", { key: "one", app: app() })).replayed).toBe(true);
    expect((await post("/one", { name: "x".repeat(10_000), app: app() })).status).toBe(500);
    expect(committed).toEqual([[expect.objectContaining({ description: null })]]);
  });

  it("is logged and changes nothing if it fails", async () => {
    afterwardsFails = true;
    expect((await post("/one", { app: app() })).status).toBe(200);
    expect(api.logged()).toContain("work after the commit failed");
  });
});
