import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { createNectar, NectarOptions } from "#client";
import type { createSync, Write } from "#client/sync";
import type { callEveryOperation } from "#tests/call-every-operation";
import { everyOperationScript, expectedRequests, startEchoingServer } from "#tests/every-operation";
import { inReactNative } from "./react-native.ts";

const server = await startEchoingServer();
afterAll(() => server.stop());
beforeEach(() => {
  server.arrived.length = 0;
});
const requests = () => server.arrived.map(({ request }) => request).toSorted();
const ofFiles = () => server.arrived.filter(({ request }) => request.startsWith("PUT /files"));

describe("in React Native 0.83 with Hermes, the client", async () => {
  const photo = { name: "walk.jpg", type: "image/jpeg" };
  const small = { ...photo, uri: "file:///small" };
  const large = { ...photo, uri: "file:///large", size: 4_000_001 };
  const files = { [small.uri]: new Uint8Array([0xff, 0xd8]), [large.uri]: new Uint8Array(large.size) };
  // As Metro does, for an engine without private fields and asynchronous generators.
  const script = await everyOperationScript({ target: "es2017", format: "iife", globalName: "app" });
  const { exports, timers } = inReactNative(script, "app", files);
  const app: { createNectar: typeof createNectar; callEveryOperation: typeof callEveryOperation } = Object(exports);
  const randomBytes = (size: number) => new Uint8Array(size).fill(7);
  const nectarWith = (options: Partial<NectarOptions>) =>
    app.createNectar({ baseUrl: server.url, randomBytes, retries: 0, ...options });

  test("calls every operation, sends and uploads local files, and leaves no timer behind", async () => {
    await app.callEveryOperation(server.url, { small, large }, { randomBytes });
    expect(requests()).toEqual(expectedRequests());
    const keys = new Set(server.arrived.map(({ key }) => key));
    expect(keys).toEqual(new Set([undefined, "07".repeat(16)]));
    const form = server.arrived.find(({ body }) => body.includes('name="photo"; filename="walk.jpg"'));
    expect(form?.body).toContain("\u00ff\u00d8");
    expect(ofFiles().map(({ body }) => body.length)).toEqual([large.size, large.size]);
    expect(timers.size).toBe(0);
  });

  test("uploads a large photo with the app's own function, of the client or of the call", async () => {
    const uploads: unknown[] = [];
    const upload = async (url: string, request: object) => {
      uploads.push(url, request);
      return { status: 200 };
    };
    await nectarWith({ upload }).checkIn({ photo: large, activityType: "walk" });
    await nectarWith({}).addPicture({ picture: large, entry_id: "x" }, { upload });
    const request = expect.objectContaining({ headers: { "content-type": "image/jpeg" }, photo: large });
    expect(uploads).toEqual(
      Array(2)
        .fill([`${server.url}/files/1`, request])
        .flat(),
    );
    expect(ofFiles()).toEqual([]);
    const refused = nectarWith({ upload: async () => ({ status: 403 }) });
    await expect(refused.checkIn({ photo: large, activityType: "walk" })).rejects.toMatchObject({
      code: "client.upload_refused",
    });
  });

  test("takes a large Blob without a type for HEIC, because its bytes cannot be read", async () => {
    const photo: Blob = Object({ size: 4_000_001, type: "", slice: () => ({}) });
    const types: unknown[] = [];
    const upload: NectarOptions["upload"] = async (_, { headers }) => {
      types.push(headers["content-type"]);
      return { status: 200 };
    };
    await nectarWith({ upload }).checkIn({ photo, activityType: "walk" });
    expect(types).toEqual(["image/heic"]);
  });

  test("says that it needs random bytes, unless the call has a key", async () => {
    const nectar = app.createNectar({ baseUrl: server.url });
    const entry = { title: "A walk", content: "To the lake" };
    await expect(nectar.journal.createEntry(entry)).rejects.toThrow("give createNectar the option `randomBytes`");
    await nectar.journal.createEntry(entry, { idempotencyKey: "mine" });
    expect(server.arrived.map(({ key }) => key)).toEqual(["mine"]);
  });

  test("ends an attempt that takes too long, and a call that is aborted without a reason", async () => {
    const hanging: NectarOptions["fetch"] = (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("Aborted"))));
    const nectar = nectarWith({ fetch: hanging });
    await expect(nectar.health.read({}, { timeoutMs: 1 })).rejects.toMatchObject({ code: "client.timeout" });
    const signal: AbortSignal = Object(Object.assign(new EventTarget(), { aborted: false }));
    const aborted = nectar.health.read({}, { signal });
    Object.assign(signal, { aborted: true }).dispatchEvent(new Event("abort"));
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    await expect(nectar.health.read({}, { signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(timers.size).toBe(0);
  });

  test("has lists that Metro's loops can read, which look for the name of the missing symbol", async () => {
    const list = nectarWith({}).journal.listEntries();
    await list;
    expect(list).toHaveProperty("@@asyncIterator");
  });
});

test("in React Native, sync pushes and pulls", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from "./index.ts"; export * from "./sync.ts"`,
      resolveDir: fileURLToPath(new URL("../../../packages/client", import.meta.url)),
    },
    ...{ bundle: true, write: false, target: "es2017", format: "iife", globalName: "app" },
  });
  const { exports } = inReactNative(outputFiles[0]?.text ?? "", "app", {});
  const app: { createNectar: typeof createNectar; createSync: typeof createSync } = Object(exports);
  const entry = { title: "A walk" };
  const change = { type: "entry", id: "1", removed: false, etag: '"b"', data: { title: "Rain" } };
  const fetch: NectarOptions["fetch"] = async (_, { method }) =>
    method === "POST"
      ? Response.json({ entry }, { status: 201, headers: { etag: '"a"' } })
      : Response.json({ changes: [change], next_cursor: "next", has_more: false });
  const put: unknown[] = [];
  const writes: Write[] = [{ key: "key", type: "entry", id: "1", action: "create", input: entry }];
  const { push, pull } = app.createSync({
    nectar: app.createNectar({ baseUrl: server.url, fetch }),
    store: { get: () => null, put: (thing) => put.push(thing), delete: () => {}, cursor: () => null },
    queue: { next: () => writes[0], done: () => writes.shift() },
    onConflict: () => undefined,
  });
  await push();
  await pull();
  expect(put).toMatchObject([
    { type: "entry", id: "1", etag: '"a"', data: entry, replaced: [null] },
    { type: "entry", id: "1", etag: '"b"', data: { title: "Rain" } },
  ]);
});

/** The programs of Node on this machine, by their versions. */
const nodes = new Map(
  [process.execPath, ...(process.env.PATH ?? "").split(":").map((folder) => `${folder}/node`)]
    .filter((path) => existsSync(path))
    .map((path) => [execFileSync(path, ["--version"], { encoding: "utf8" }).trim(), path]),
);

test.each([...nodes])("in Node %s, the client calls every operation", async (_, program) => {
  const script = await everyOperationScript({ target: "es2022", format: "esm" });
  const photos = `{ small: new Blob(["x"]), large: new Blob([new Uint8Array(4_000_001)], { type: "image/jpeg" }) }`;
  const run = `${script}\nawait callEveryOperation("${server.url}", ${photos});`;
  const child = spawn(program, ["--input-type=module", "-"], { stdio: ["pipe", "inherit", "inherit"], env: {} });
  child.stdin.end(run);
  expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(0);
  expect(requests()).toEqual(expectedRequests());
  expect(ofFiles().map(({ body }) => body.length)).toEqual([4_000_001, 4_000_001]);
});
