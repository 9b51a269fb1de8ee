import { describe, expect, it } from "vitest";
import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { useApi } from "#tests/api";
import { useCollector } from "#tests/collector";
import { useModel } from "#tests/models";
import { beforeTests } from "#tests/prepare";

const SECRET = "cron-canary-of-the-spans";
const collector = await useCollector();
const model = await useModel();
const api = useApi({
  environment: {
    ...collector.environment,
    ...model.environment,
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b, x-other=c=d",
    MAINTENANCE_CRON_SECRET: SECRET,
  },
});
const ada = beforeTests(() => api.person());

/** The spans of this test, children after their parents. */
async function exported() {
  await api.services.telemetry?.flush();
  return collector.spans().toReversed();
}

describe("a request", () => {
  it("is one trace: the request, and its transactions below it", async () => {
    await api.get("/api/journal", ada).ok();
    const [request, ...children] = await exported();
    expect(request).toMatchObject({
      name: "GET /api/journal",
      kind: 2,
      attributes: {
        "http.request.method": "GET",
        "http.route": "/api/journal",
        "http.response.status_code": 200,
        "nectar.request_id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    expect(request?.parentSpanId).toBeUndefined();
    const { traceId, spanId: parentSpanId } = request ?? {};
    const attributes = { "db.system.name": "postgresql", "nectar.role": "nectar_user", "nectar.purpose": "read once" };
    expect(children).toMatchObject([{ name: "transaction nectar_user", kind: 3, traceId, parentSpanId, attributes }]);
  });

  it("has the calls of vendors in its trace, between the transactions", async () => {
    await api.post("/api/ai/analyze-tone", ada, { content: "A calm evening by the lake." }).ok();
    const spans = await exported();
    expect(spans.map(({ name }) => name)).toEqual([
      "POST /api/ai/analyze-tone",
      "transaction nectar_user",
      "models complete",
      "transaction nectar_user",
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans[2]?.attributes).toEqual({ "service.peer.name": "models", "nectar.operation": "complete" });
  });

  it("continues the trace of a caller who sends traceparent, and starts one if it is malformed", async () => {
    const theirs = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
    const send = (traceparent: string) => api.send("GET", "/api/journal", { as: ada, headers: { traceparent } });
    await send(`00-${theirs.traceId}-${theirs.spanId}-01`);
    await send(`00-${theirs.traceId}-${theirs.spanId}`);
    const [second, , first] = await exported();
    expect([first?.traceId, first?.parentSpanId]).toEqual([theirs.traceId, theirs.spanId]);
    expect(second?.traceId).not.toBe(theirs.traceId);
    expect(second?.parentSpanId).toBeUndefined();
  });

  it("that is refused has its status, and its transaction the code; neither counts as failed", async () => {
    await api.get("/api/goals/11111111-2222-4333-8444-555555555555", ada).refused(404, "goal.not_found");
    const [refused, transaction] = await exported();
    expect(refused).toMatchObject({ status: { code: 0 }, attributes: { "http.response.status_code": 404 } });
    expect(transaction).toMatchObject({ status: { code: 0 }, attributes: { "nectar.refusal": "goal.not_found" } });
    expect(collector.received()).not.toContain("This goal does not exist");
  });

  it("is not traced if it is a health check", async () => {
    await api.get("/health").ok();
    expect(await exported()).toEqual([]);
  });
});

describe("a job", () => {
  it("is a span in the trace of its route", async () => {
    await api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } });
    const spans = await exported();
    const request = spans.find(({ name }) => name === "POST /health/cron/housekeeping");
    const job = spans.find(({ name }) => name === "job housekeeping");
    expect(job).toMatchObject({ traceId: request?.traceId, attributes: { "nectar.job": "housekeeping" } });
    expect(spans.filter(({ parentSpanId }) => parentSpanId === job?.spanId).length).toBeGreaterThan(3);
  });
});

describe("a task from the queue", () => {
  it("is a trace of its own, apart from the call that queued it", async () => {
    await api.services.queue.send([{ name: "push" }]);
    await api.idle();
    const spans = await exported();
    const task = spans.find(({ name }) => name === "task push");
    expect(task).toMatchObject({ kind: 5, attributes: { "nectar.task": "push" } });
    expect(task?.parentSpanId).toBeUndefined();
    const queued = spans.find(({ name }) => name === "queue send");
    expect(queued).toMatchObject({ kind: 3, attributes: { "service.peer.name": "queue" } });
    expect(queued?.traceId).not.toBe(task?.traceId);
  });
});

describe("what is exported", () => {
  it("has route templates, and nothing of tokens, users, ids, queries, texts or SQL", async () => {
    const { entry } = await api
      .post("/api/journal", ada, { title: "title-canary", content: "content-canary", tags: ["tag-canary"] })
      .created();
    await api.get(`/api/journal/${entry.id}`, ada).ok();
    await api.send("GET", "/api/journal?q=query-canary&tag=tag-canary", { as: ada });
    await api.send("PUT", `/api/journal/${entry.id}`, {
      as: ada,
      headers: { "idempotency-key": "key-canary", cookie: "cookie-canary=1", tracestate: "state=canary" },
      body: { title: "other-canary" },
    });
    await api.send("GET", "/api/no/such/path-canary", { as: ada }).refused(404, "route.not_found");
    await api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } });
    const spans = await exported();
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["PUT /api/journal/:id", "GET /api/journal/:id", "GET /*"]),
    );
    const known = [ada.id, ada.token, ada.email, entry.id, model.environment.AI_PROVIDER_API_KEY ?? "", "nectar_api"];
    for (const secret of [...known, "canary", "select ", "insert ", "127.0.0.1", "postgres:"]) {
      expect.soft(collector.received().toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  it("goes to the collector with the configured headers", async () => {
    await api.get("/api/moods", ada).ok();
    await exported();
    expect(collector.headers()).toMatchObject({ "x-key": "a b", "x-other": "c=d" });
  });

  it("is a share of the traces, whatever a caller asks for", async () => {
    const off = servicesFor({
      ...api.services.config,
      logLevel: "silent",
      telemetry: {
        exportTo: { endpoint: collector.environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? "", headers: {} },
        share: 0,
      },
    });
    const request = new Request("http://nectar.test/api/moods", {
      headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
    });
    expect((await routeToGroups(off)(request)).status).toBe(401);
    await off.telemetry?.flush();
    await off.database.close();
    expect(collector.spans()).toEqual([]);
  });
});

it("a collector that does not respond changes nothing for callers, and flushing ends", async () => {
  const services = servicesFor(
    readConfig({
      DATABASE_URL: api.apiUrl,
      SUPABASE_URL: "http://127.0.0.1:9",
      LOG_LEVEL: "silent",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    }),
  );
  const response = await routeToGroups(services)(new Request("http://nectar.test/api/moods"));
  expect(response.status).toBe(401);
  await services.telemetry?.flush();
  await services.database.close();
});

it("without a collector nothing is wrapped or recorded", () => {
  const services = servicesFor(readConfig({ DATABASE_URL: api.apiUrl, SUPABASE_URL: "http://127.0.0.1:9" }));
  expect(services.telemetry).toBeNull();
});
