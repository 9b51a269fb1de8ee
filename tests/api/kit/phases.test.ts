import { phasedEndpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { admin, user } from "@nectar/http/guards";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { useApi } from "../../support/api.ts";
import { beforeEachTest } from "../../support/prepare.ts";

const api = useApi();

/** The vendor's side of the call: it responds, fails, or hangs, as when the process dies. */
let externalCall: () => Promise<string>;
let afterFails = false;
let afterCommitFails = false;
let failures: unknown[] = [];
let committed: unknown[] = [];
let undone: string[] = [];

/** Both endpoints write a row in each phase. One has a provisional response. */
function phasedApp() {
  return groupApp(
    api.services,
    "phases",
    (["/plain", "/provisional"] as const).map((path) =>
      phasedEndpoint(
        `POST ${path}`,
        {
          id: "createNotebook",
          summary: "Create a notebook in phases",
          guard: user,
          body: z.object({ name: z.string() }),
          status: 201,
          response: z.object({ id: z.string(), description: z.string().nullable() }),
        },
        {
          before: ({ tx, body, afterCommit }) => {
            afterCommit(async () => {
              if (afterCommitFails) throw new Error("The push service is away.");
              committed.push("before");
            });
            return tx.insertInto("notebooks").values({ name: body.name }).returning("id").executeTakeFirstOrThrow();
          },
          during: () => externalCall(),
          after: async ({ tx, afterCommit }, { id }, description) => {
            afterCommit(async () => committed.push(await notebooks()));
            await tx.updateTable("notebooks").set({ description }).where("id", "=", id).execute();
            if (afterFails) throw new Error("The second transaction failed.");
            return { id, description };
          },
          undo: async (_, description) => void undone.push(description),
          ...(path === "/plain"
            ? {}
            : {
                provisional: ({ id }: { id: string }) => ({ id, description: null }),
                onFailure: (_: unknown, error: unknown) => void failures.push(error),
              }),
        },
      ),
    ),
  );
}
const ada = beforeEachTest(() => api.person());
beforeEach(() => {
  externalCall = async () => "found";
  afterFails = false;
  afterCommitFails = false;
  failures = [];
  committed = [];
  undone = [];
});

async function post(path: string, { key, name = "A notebook" }: { key?: string; name?: string } = {}) {
  const response = await phasedApp().request(path, {
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

describe.each(["/plain", "/provisional"])("a command with an external call (%s)", (path) => {
  it("runs every phase, and runs again for each request without a key", async () => {
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

describe.each([undefined, "one"])("work outside of the database (key %s)", (key) => {
  it("runs after the commit, and is not undone", async () => {
    await post("/plain", key === undefined ? {} : { key });
    expect([committed, undone]).toEqual([["before", [expect.objectContaining({ description: "found" })]], []]);
  });

  it("is logged and changes nothing if it fails after the commit", async () => {
    afterCommitFails = true;
    const options = key === undefined ? {} : { key };
    const response = await post("/plain", options);
    expect([response.status, undone]).toEqual([201, []]);
    expect(api.logged()).toContain("work after the commit failed");
    expect((await post("/plain", options)).replayed).toBe(key !== undefined);
  });

  it("is undone if the second transaction fails, and no work after the commit runs", async () => {
    afterFails = true;
    expect((await post("/plain", key === undefined ? {} : { key })).status).toBe(500);
    expect([committed, undone]).toEqual([[], ["found"]]);
  });
});

describe("without a provisional response", () => {
  it("the key can be used again if the call or the second transaction fails", async () => {
    externalCall = () => Promise.reject(new Error("The vendor is away."));
    expect((await post("/plain", { key: "one" })).status).toBe(500);
    externalCall = async () => "found";
    afterFails = true;
    expect((await post("/plain", { key: "one" })).status).toBe(500);
    afterFails = false;
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
    const second = await post("/plain", { key: "one" });
    expect(second).toMatchObject({ status: 201, body: { description: "found" }, replayed: false });
    expect(await post("/plain", { key: "one" })).toEqual({ ...second, replayed: true });
    expect(await notebooks()).toHaveLength(2);
  });
});

describe("with a provisional response", () => {
  it("a replay gets it six minutes after the process died", async () => {
    const call = hangingCall();
    void post("/provisional", { key: "one" });
    await call.started;
    externalCall = async () => "found";
    expect(await post("/provisional", { key: "one" })).toMatchObject(inProgress);
    await age("361 seconds");
    const other = await post("/provisional", { key: "one", name: "Another" });
    expect(other.body.code).toBe("idempotency.key_reused");
    const [row] = await notebooks();
    const replay = { status: 201, body: { id: row?.id, description: null }, replayed: true };
    expect(await post("/provisional", { key: "one" })).toEqual(replay);
    expect(await notebooks()).toHaveLength(1);
  });

  const ways: [string, () => unknown][] = [
    ["the call", () => (externalCall = () => Promise.reject(new Error("The vendor is away.")))],
    ["the second transaction", () => (afterFails = true)],
  ];

  it.each(ways)("it is sent if %s fails, and to replays", async (_, fail) => {
    fail();
    const first = await post("/provisional", { key: "one" });
    const [row] = await notebooks();
    expect(first).toEqual({ status: 201, body: { id: row?.id, description: null }, replayed: false });
    expect(failures).toHaveLength(1);
    [externalCall, afterFails] = [async () => "found", false];
    expect(await post("/provisional", { key: "one" })).toEqual({ ...first, replayed: true });
    expect(await notebooks()).toEqual([{ id: row?.id, description: null }]);
  });

  it.each(ways)("it is sent if %s fails, also without a key", async (_, fail) => {
    fail();
    const { status, body } = await post("/provisional");
    expect([status, body, await notebooks()]).toEqual([201, { id: body.id, description: null }, [body]]);
    expect(failures).toHaveLength(1);
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
      first = await post("/provisional", { key: "one" });
    } finally {
      await api.query`drop function private.fail_for_a_test() cascade`;
    }
    expect(first).toMatchObject({ status: 201, body: { description: null }, replayed: false });
    expect(failures).toHaveLength(2);
    expect(await post("/provisional", { key: "one" })).toMatchObject(inProgress);
    await age("361 seconds");
    expect(await post("/provisional", { key: "one" })).toEqual({ ...first, replayed: true });
    expect(await notebooks()).toEqual([first.body]);
  });

  it("it is not sent if the first transaction fails", async () => {
    const { status } = await post("/provisional", { name: "x".repeat(10_000) });
    expect([status, failures, await notebooks()]).toEqual([500, [], []]);
  });
});

it("what an admin changes cannot be split in two transactions, of which only one would be in the audit log", () => {
  const declare = () =>
    phasedEndpoint(
      "PUT /plain",
      { id: "updateGoal", summary: "Update", guard: admin, audit: { target: "user" }, response: z.object({}) },
      { before: async () => undefined, during: async () => undefined, after: async () => ({}) },
    );
  expect(declare).toThrow("PUT /plain: what admins change must be in one transaction");
});
