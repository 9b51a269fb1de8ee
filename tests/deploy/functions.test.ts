import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GROUPS, type Group, type GroupName } from "#functions/groups";
import { SCHEDULES } from "#functions/schedules";
import { ROUTER_HEADER } from "#lambda/router-secret";
import { SCHEDULE_SOURCE, scheduledEvent } from "#lambda/scheduled-event";
import { useDatabase } from "#tests/database";
import { LONG } from "#tests/long";
import { asSuperuser, type Person, signUp } from "#tests/people";
import { type Bundle, bundleAll, bundleBaseline } from "./bundle.ts";
import { missingVariables } from "./config-reads.ts";
import { functionUrlEvent, ROUTER_SECRET, type UrlRequest } from "./function-url-event.ts";
import { CRON_SECRET, type RunningFunction, startFunction } from "./lambda.ts";

/** The maximum size of a function, compared with the libraries that every function uses. */
const MAX_RATIO = 1.3;

/** The functions that are started: one with a job, the one that most apps call, and the largest; at night all. */
const STARTED = GROUPS.filter(({ name }) => LONG || ["health", "journal", "workout-window"].includes(name));
const SCHEDULED = SCHEDULES.filter(({ group }) => STARTED.some(({ name }) => name === group));

const database = useDatabase();
let baseline: Bundle;
let all: Map<string, Bundle>;
const functions = new Map<GroupName, RunningFunction>();
let person: Person;
/** Nothing listens there: these tests store no files, but jobs that need a bucket must have one configured. */
const BUCKET = {
  settings: { S3_BUCKET: "none", S3_ENDPOINT: "http://127.0.0.1:9" },
  secrets: { S3_ACCESS_KEY_ID: "none", S3_SECRET_ACCESS_KEY: "none" },
};

beforeAll(async () => {
  [baseline, all] = await Promise.all([bundleBaseline(), bundleAll()]);
  // Two at a time: each starts with a bundle, which takes a processor.
  const waiting = STARTED.values();
  const startTheNext = async () => {
    for (const { name } of waiting) functions.set(name, await startFunction(name, database.apiUrl, BUCKET));
  };
  await Promise.all([startTheNext(), startTheNext()]);
  person = await signUp(database.adminUrl);
});
afterAll(() =>
  Promise.all([
    baseline?.remove(),
    all?.values().next().value?.remove(),
    ...[...functions.values()].map((started) => started.stop()),
  ]),
);

function runningFunction(group: GroupName): RunningFunction {
  const found = functions.get(group);
  if (found === undefined) throw new Error(`${group} is not running.`);
  return found;
}

async function call(group: GroupName, request: UrlRequest) {
  const { statusCode, headers, body, isBase64Encoded } = await runningFunction(group).invoke(functionUrlEvent(request));
  const text = isBase64Encoded ? Buffer.from(body, "base64").toString("utf8") : body;
  return { status: statusCode, headers, body: JSON.parse(text) };
}

const json = { "content-type": "application/json" };
const signedIn = () => ({ authorization: `Bearer ${person.token}` });

describe.each<Group & { name: GroupName }>(GROUPS)(
  "the bundle of $name",
  ({ name, capabilities, unbundledPackages = [] }) => {
    it("reads only variables that the function is given, and contains all its imports", () => {
      const bundle = all.get(name);
      if (bundle === undefined) throw new Error(`There is no bundle of ${name}.`);
      expect(missingVariables(bundle, capabilities)).toEqual([]);
      // Optional dependencies of libraries are not installed here; all others must be beside the bundle.
      expect(bundle.missing).toEqual(unbundledPackages);
    });
  },
);

describe.each<Group & { name: GroupName }>(STARTED)(
  "the bundle of $name alone",
  ({ name, folder, unbundledPackages = [] }) => {
    it(`loads at most ${MAX_RATIO} times the size of its libraries at start`, () => {
      const { eagerBytesGz, weights, missing } = runningFunction(name).bundle;
      expect(missing).toEqual(unbundledPackages);
      expect(weights.map((weight) => weight.name)).toContain(`functions/${folder.split("/")[0]}`);
      expect(eagerBytesGz).toBeGreaterThan(0);
      expect(eagerBytesGz / baseline.eagerBytesGz).toBeLessThan(MAX_RATIO);
    });
  },
);

it("the sizes are compared with the libraries that every function needs", () => {
  const names = baseline.weights.map((weight) => weight.name);
  expect(names).toEqual(expect.arrayContaining(["hono", "zod", "pg", "kysely", "jose"]));
});

describe.each(STARTED.flatMap(({ name, paths }) => paths.map((path) => ({ name, path }))))(
  "$name, bundled, at $path",
  ({ name, path }) => {
    it("responds 404 with our error body below its prefix", async () => {
      const response = await call(name, { path: `${path}/no/such/route/at/all`, headers: signedIn() });
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ code: "route.not_found" });
      expect(response.headers).toMatchObject({ "content-type": expect.stringContaining("application/json") });
      expect(response.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    });
  },
);

describe("a bundled function", () => {
  it("responds to a GET with JSON", async () => {
    const response = await call("health", { path: "/health", headers: { "x-request-id": "from-the-caller" } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ status: "ok", timestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(response.headers["x-request-id"]).toBe("from-the-caller");
  });

  it("reaches the database", async () => {
    expect((await call("health", { path: "/health/ready" })).status).toBe(200);
  });

  it("accepts a valid token", async () => {
    const body = JSON.stringify({ title: "Mine", content: "A day" });
    const request = { method: "POST", path: "/api/journal", headers: { ...signedIn(), ...json }, body };
    const response = await call("journal", request);
    expect([response.status, response.body.entry?.user_id]).toEqual([201, person.id]);
  });

  it("reads the same from a body sent as text and from one in base64", async () => {
    const content = "Überraschung 🌸 — “quoted”\nsecond line";
    const entry = JSON.stringify({ title: "A day", content, tags: ["honey"] });
    const headers = { ...signedIn(), ...json };
    const asText = await call("journal", { method: "POST", path: "/api/journal", headers, body: entry });
    const asBytes = await call("journal", { method: "POST", path: "/api/journal", headers, body: Buffer.from(entry) });
    expect([asText.status, asBytes.status]).toEqual([201, 201]);
    expect([asText.body.entry.content, asBytes.body.entry.content]).toEqual([content, content]);
  });

  it("refuses a body that is not UTF-8", async () => {
    const body = new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]);
    const headers = { ...signedIn(), ...json };
    const response = await call("journal", { method: "POST", path: "/api/journal", headers, body });
    expect([response.status, response.body.code]).toEqual([400, "request.malformed_json"]);
  });

  it("reads the query string, repeated names and escapes included", async () => {
    const headers = { ...signedIn(), ...json };
    for (const [title, tags] of [
      ["both", ["bee & bloom", "sun"]],
      ["one", ["sun"]],
    ]) {
      const body = JSON.stringify({ title, content: "c", tags });
      expect((await call("journal", { method: "POST", path: "/api/journal", headers, body })).status).toBe(201);
    }
    const query = "tag=sun&tag=bee%20%26%20bloom&limit=10";
    const response = await call("journal", { path: "/api/journal", query, headers: signedIn() });
    expect(response.status).toBe(200);
    expect(response.body.entries.map((entry: { title: string }) => entry.title)).toEqual(["both"]);
  });

  it("compresses a long response, and no health check", async () => {
    const headers = { ...signedIn(), ...json, "accept-encoding": "gzip, deflate, br" };
    const content = "Grüße vom See. ".repeat(100).trim();
    const request = { method: "POST", path: "/api/journal", headers, body: JSON.stringify({ title: "t", content }) };
    const written = await runningFunction("journal").invoke(functionUrlEvent(request));
    expect(written.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(JSON.parse(gunzipSync(Buffer.from(written.body, "base64")).toString())).toMatchObject({
      entry: { content },
    });
    const health = await runningFunction("health").invoke(functionUrlEvent({ path: "/health", headers }));
    expect(JSON.parse(health.body)).toMatchObject({ status: "ok" });
  });

  it("ignores cookies", async () => {
    const cookies = ["session=abc; Path=/", "theme=dark"];
    const response = await call("journal", { path: "/api/moods", headers: signedIn(), cookies });
    expect(response.status).toBe(200);
    expect(response.body.moods.length).toBeGreaterThan(0);
  });
});

describe("a request to a function's own address", () => {
  it.each(STARTED)("is refused by $name without the router's secret, and with a wrong one", async ({ name, paths }) => {
    const [path = ""] = paths;
    const { [ROUTER_HEADER]: _, ...withoutSecret } = functionUrlEvent({ path, headers: signedIn() }).headers;
    for (const headers of [withoutSecret, { ...withoutSecret, [ROUTER_HEADER]: `${ROUTER_SECRET}x` }]) {
      const { statusCode, body } = await runningFunction(name).invoke({ ...functionUrlEvent({ path }), headers });
      expect([statusCode, JSON.parse(body)]).toEqual([
        403,
        { error: "Call the API at its public address.", code: "auth.not_through_router" },
      ]);
    }
  });

  it("is refused for a job's route as well, although its secret is right", async () => {
    const [{ path }] = SCHEDULES;
    const headers = { "x-cron-secret": CRON_SECRET, [ROUTER_HEADER]: "guessed", source: SCHEDULE_SOURCE };
    const body = JSON.stringify({ source: SCHEDULE_SOURCE });
    const response = await call("health", { method: "POST", path, query: `source=${SCHEDULE_SOURCE}`, headers, body });
    expect([response.status, response.body.code]).toEqual([403, "auth.not_through_router"]);
  });
});

describe("a scheduled job", () => {
  it.each(SCHEDULED)("$name runs in the function of its own group, through its route", async (schedule) => {
    const { statusCode, body } = await runningFunction(schedule.group).invoke(scheduledEvent(schedule, CRON_SECRET));
    expect([statusCode, JSON.parse(body)]).toMatchObject([200, { success: true, message: "done" }]);
  });

  it.each(SCHEDULED)("$name fails the invocation if its secret is wrong", async (schedule) => {
    await expect(runningFunction(schedule.group).invoke(scheduledEvent(schedule, "another"))).rejects.toThrow(
      `The scheduled job at ${schedule.path} responded 401.`,
    );
  });

  it("fails the invocation if the job fails, so that it is retried and then queued", async () => {
    const [schedule] = SCHEDULES;
    const moved = (from: string, to: string) =>
      asSuperuser(database.adminUrl, (client) => client.query(`alter table private.${from} rename to ${to}`));
    await moved("job_runs", "job_runs_away");
    try {
      const invoked = runningFunction(schedule.group).invoke(scheduledEvent(schedule, CRON_SECRET));
      await expect(invoked).rejects.toThrow("responded 500.");
    } finally {
      await moved("job_runs_away", "job_runs");
    }
  });

  it("responds to an HTTP caller with a wrong secret, without failing", async () => {
    const [{ path }] = SCHEDULES;
    const response = await call("health", { method: "POST", path, headers: { "x-cron-secret": "guess" } });
    expect(response.status).toBe(401);
  });
});
