import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { routeToGroups } from "#functions/all";
import { job } from "#http/jobs/jobs";
import { startServer } from "#ops/server/start-server";
import { useApi } from "#tests/api";

/** Longer than a busy machine takes for a few requests. */
const GRACE_MS = 5_000;
const api = useApi();
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server whose path `/gated` responds when `open` is called. */
async function started({ graceMs = 0, drainMs = 20_000 } = {}) {
  const stopping = new AbortController();
  const gate = Promise.withResolvers<Response>();
  const entered = Promise.withResolvers<void>();
  let isClosed = false;
  const services = { ...api.services, stopping: stopping.signal };
  const groups = routeToGroups(services);
  const server = await startServer({
    services,
    close: async () => {
      isClosed = true;
    },
    settings: { host: "127.0.0.1", port: 0, runsJobs: false, graceMs, drainMs },
    schedules: [],
    fetch: (request) => {
      if (!request.url.endsWith("/gated")) return groups(request);
      entered.resolve();
      return gate.promise;
    },
  });
  const stop = () => {
    stopping.abort();
    return server.stop();
  };
  stops.push(() => {
    gate.resolve(new Response("late"));
    return stop();
  });
  const base = `http://127.0.0.1:${server.port}`;
  return {
    base,
    stop,
    services,
    isClosed: () => isClosed,
    /** A request, and when it is being worked on. */
    gatedRequest: () => ({ response: fetch(`${base}/gated`), entered: entered.promise }),
    open: () => gate.resolve(new Response("finished")),
  };
}

/** Sends a request over a connection that the agent keeps. */
function getOver(agent: Agent, url: string): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.on("end", () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    }).on("error", reject);
  });
}

describe("a server that is asked to stop", () => {
  it("fails its health checks at once and serves other requests during the grace period", async () => {
    const server = await started({ graceMs: GRACE_MS });
    expect((await fetch(`${server.base}/health`)).status).toBe(200);
    const stopped = server.stop();
    for (const path of ["/health", "/health/ready"]) {
      const response = await fetch(`${server.base}${path}`);
      expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
        503,
        "5",
        { error: "This server is stopping; try again.", code: "service.stopping" },
      ]);
    }
    expect((await fetch(`${server.base}/api/moods`)).status).toBe(401);
    expect(await stopped).toEqual({ drained: true });
    await expect(fetch(`${server.base}/health`)).rejects.toThrow();
  });

  it("lets running requests finish, then closes the database", async () => {
    const server = await started();
    const { response, entered } = server.gatedRequest();
    await entered;
    const stopped = server.stop();
    await sleep(200);
    expect(server.isClosed()).toBe(false);
    server.open();
    expect(await (await response).text()).toBe("finished");
    expect(await stopped).toEqual({ drained: true });
    expect(server.isClosed()).toBe(true);
  });

  it("closes idle keep-alive connections, and tells clients to close those that they use during the grace period", async () => {
    const server = await started({ graceMs: GRACE_MS });
    const agent = new Agent({ keepAlive: true });
    expect((await getOver(agent, `${server.base}/health`)).connection).toBe("keep-alive");
    const idle = new Agent({ keepAlive: true });
    await getOver(idle, `${server.base}/health`);
    const stopped = server.stop();
    expect(await getOver(agent, `${server.base}/health`)).toEqual({ status: 503, connection: "close" });
    expect(await stopped).toEqual({ drained: true });
    agent.destroy();
    idle.destroy();
  });

  it("does not wait longer than it may for a request that does not end", async () => {
    const server = await started({ drainMs: 300 });
    const { response, entered } = server.gatedRequest();
    const failed = response.then(
      () => false,
      () => true,
    );
    await entered;
    expect(await server.stop()).toEqual({ drained: false });
    expect(await failed).toBe(true);
    expect(server.isClosed()).toBe(true);
  });
});

it("a job that is running when its process stops ends after its batch", async () => {
  const server = await started();
  const schedule = {
    name: "a-long-job",
    path: "/health/cron/a",
    secret: "DROPS_CRON_SECRET",
    budgetSeconds: 600,
  } as const;
  let batches = 0;
  const endless = job(schedule, ({ forEachBatch }) =>
    forEachBatch(1, async () => {
      batches += 1;
      if (batches === 3) void server.stop();
      return { seen: 1, counts: {} };
    }),
  );
  const { results } = await endless.run(server.services);
  expect(results).toEqual({
    seen: 3,
    errors: ["The time was up before everything was done; the next run continues."],
  });
});
