import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startFileStore } from "#local/stand-ins/file-store";
import { useDatabase } from "#tests/database";
import { type Person, signUp } from "#tests/people";
import { zipOf } from "#tests/zip";
import { functionUrlEvent } from "./function-url-event.ts";
import { type RunningFunction, startFunction } from "./lambda.ts";

const database = useDatabase();
let folder: string;
let store: Awaited<ReturnType<typeof startFileStore>>;
let imports: RunningFunction;
let tasks: RunningFunction;
let person: Person;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nectar-files-"));
  store = await startFileStore({ folder, accessKey: "files-of-a-test" });
  const files = {
    settings: { S3_BUCKET: store.bucket, S3_ENDPOINT: store.url },
    secrets: { S3_ACCESS_KEY_ID: store.accessKeyId, S3_SECRET_ACCESS_KEY: store.secretAccessKey },
  };
  imports = await startFunction("imports", database.apiUrl, files);
  tasks = await startFunction("tasks", database.apiUrl, files);
  person = await signUp(database.adminUrl);
});
afterAll(async () => {
  await Promise.all([imports?.stop(), tasks?.stop()]);
  await store?.stop();
  await rm(folder, { recursive: true, force: true });
});

it("the bundled subscriber reads an archive in a worker that starts from a file of its bundle", async () => {
  const archive = zipOf([{ path: "a-walk.md", content: "---\ntags: [lake]\n---\nTo the lake" }]);
  const created = await post("/api/journal/imports", { source: "markdown", size: archive.length });
  expect([created.status, created.body.code]).toEqual([201, undefined]);
  const { id, upload_url } = created.body.import;
  const upload = { method: "PUT", body: archive, headers: { "content-type": "application/zip" } };
  expect((await fetch(upload_url, upload)).status).toBe(200);
  expect((await post(`/api/journal/imports/${id}/start`, {})).status).toBe(200);
  const message = { messageId: "1", body: JSON.stringify({ name: "import", id }), eventSource: "aws:sqs" };
  expect(await tasks.handle({ Records: [message] })).toEqual({ batchItemFailures: [] });
  const { body } = await call("GET", `/api/journal/imports/${id}`);
  expect(body.import).toMatchObject({ status: "done", found: 1, created: 1, problems: [] });
});

const post = (path: string, body: object) => call("POST", path, JSON.stringify(body));

async function call(method: string, path: string, body?: string) {
  const headers = { authorization: `Bearer ${person.token}`, "content-type": "application/json" };
  const event = functionUrlEvent({ method, path, headers, ...(body === undefined ? {} : { body }) });
  const result = await imports.invoke(event);
  return { status: result.statusCode, body: JSON.parse(result.body) };
}
