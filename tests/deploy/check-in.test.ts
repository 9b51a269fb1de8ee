import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFileStore } from "#local/stand-ins/file-store";
import { useDatabase } from "#tests/database";
import { type Person, signUp } from "#tests/people";
import { cameraTime, heicTaken } from "#tests/photos";
import { functionUrlEvent } from "./function-url-event.ts";
import { type RunningFunction, startFunction } from "./lambda.ts";

const database = useDatabase();

describe("the bundled game", () => {
  let folder: string;
  let store: Awaited<ReturnType<typeof startFileStore>>;
  let game: RunningFunction;
  let person: Person;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "nectar-files-"));
    store = await startFileStore({ folder, accessKey: "files-of-a-test" });
    game = await startFunction("workout-window", database.apiUrl, {
      settings: { S3_BUCKET: store.bucket, S3_ENDPOINT: store.url },
      secrets: { S3_ACCESS_KEY_ID: store.accessKeyId, S3_SECRET_ACCESS_KEY: store.secretAccessKey },
    });
    person = await signUp(database.adminUrl);
  });
  afterAll(async () => {
    await game?.stop();
    await store?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("decodes a HEIC in a worker that starts from a file of the bundle", async () => {
    const now = new Date();
    const hour = (offset: number) => `${String((now.getUTCHours() + offset) % 24).padStart(2, "0")}:00`;
    const window = { activityType: "walk", timezone: "UTC", windowStartTime: hour(0), windowEndTime: hour(2) };
    const setUp = await post("/api/workout-window/setup", JSON.stringify(window), "application/json");
    expect([setUp.status, setUp.body.code]).toEqual([200, undefined]);

    const form = new FormData();
    form.set("photo", new Blob([new Uint8Array(await heicTaken(cameraTime(now.toISOString())))]), "IMG_0001.HEIC");
    form.set("activityType", "walk");
    const encoded = new Response(form);
    const type = encoded.headers.get("content-type") ?? "";
    const checkedIn = await post("/api/workout-window/checkin", new Uint8Array(await encoded.arrayBuffer()), type);
    expect([checkedIn.status, checkedIn.body.code]).toEqual([201, undefined]);
    const photo = Buffer.from(await (await fetch(checkedIn.body.checkin.photo_url)).arrayBuffer());
    expect(photo.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  it("has libheif beside its bundle and not in it, so that it can be replaced", async () => {
    const { files, inputs } = game.bundle;
    expect(inputs.filter((path) => path.includes("libheif-js"))).toEqual([]);
    const texts = await Promise.all(files.map((path) => readFile(path, "utf8")));
    expect(texts.filter((text) => text.includes("libheif-js/libheif-wasm"))).toHaveLength(1);
  });

  async function post(path: string, body: string | Uint8Array, type: string) {
    const headers = { authorization: `Bearer ${person.token}`, "content-type": type };
    const result = await game.invoke(functionUrlEvent({ method: "POST", path, headers, body }));
    return { status: result.statusCode, body: JSON.parse(result.body) };
  }
});
