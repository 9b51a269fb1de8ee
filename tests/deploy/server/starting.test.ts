import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { DEMO_SECRETS } from "#config/demo-secrets";
import { freePort } from "#local/support/ports";
import { useDatabase } from "#tests/database";
import { TEST_JWT_SECRET } from "#tests/people";

const database = useDatabase();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Starts the server in a process of its own, with exactly these variables. */
function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, [fileURLToPath(new URL("../../../functions/start.ts", import.meta.url))], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = once(child, "close").then(() => child.exitCode ?? child.signalCode);
  return { child, ended, output: () => output };
}

async function startListening(more: Record<string, string> = {}) {
  const port = String(await freePort());
  const server = start({
    DATABASE_URL: database.apiUrl,
    SUPABASE_URL: "https://auth.example.test",
    SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
    PORT: port,
    SCHEDULER: "off",
    SHUTDOWN_GRACE_SECONDS: "0",
    ...more,
  });
  await expect.poll(server.output).toContain("listening");
  return { ...server, base: `http://127.0.0.1:${port}` };
}

describe("npm start", () => {
  it("refuses to start without required settings and with demo secrets, and lists all of them without values", async () => {
    const { ended, output } = start({
      ...DEMO_SECRETS,
      DATABASE_URL: "postgres://nectar_api:nectar-api-local@127.0.0.1:1/postgres",
      PORT: "many",
      SHUTDOWN_DRAIN_SECONDS: "-1",
    });
    expect(await ended).toBe(1);
    const lines = output().trim().split("\n");
    expect(lines[0]).toBe("Nectar cannot start with this environment (docs/self-hosting.md):");
    expect(lines.slice(1).map((line) => line.trim().split(":")[0])).toEqual([
      ...Object.keys(DEMO_SECRETS),
      "DATABASE_URL",
      "SUPABASE_URL",
      "PORT",
      "SHUTDOWN_DRAIN_SECONDS",
    ]);
    for (const value of Object.values(DEMO_SECRETS)) expect(output()).not.toContain(value);
  });

  it("serves all functions, and exits with 0 after SIGTERM", async () => {
    const server = await startListening();
    expect((await fetch(`${server.base}/health/ready`)).status).toBe(200);
    expect((await fetch(`${server.base}/api/journal`)).status).toBe(401);
    expect((await fetch(`${server.base}/nothing`)).status).toBe(404);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.output()).toContain('"drained":true');
  });

  it("shows metrics to who has their token, and has no such path without one", async () => {
    const [server, without] = [await startListening({ METRICS_TOKEN: "for-the-monitor" }), await startListening()];
    const headers = { authorization: "Bearer for-the-monitor" };
    await fetch(`${server.base}/api/journal`);
    const response = await fetch(`${server.base}/metrics`, { headers });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('nectar_requests_total{operation="listJournalEntries",status_class="4xx"} 1\n');
    expect(text).toContain("nectar_database_up 1\n");
    expect((await fetch(`${server.base}/metrics`)).status).toBe(401);
    expect((await fetch(`${without.base}/metrics`, { headers })).status).toBe(404);
  });

  it("exits at once after a second signal", async () => {
    const server = await startListening({ SHUTDOWN_GRACE_SECONDS: "600" });
    server.child.kill("SIGTERM");
    await expect.poll(server.output).toContain("stopping");
    // Signals within half a second are the same one.
    await expect
      .poll(() => {
        server.child.kill("SIGTERM");
        return server.child.exitCode;
      })
      .toBe(143);
  });

  it("disconnects clients that do not send their headers", async () => {
    const server = await startListening();
    const socket = connect(Number(new URL(server.base).port), "127.0.0.1");
    socket.write("GET /health HTTP/1.1\r\nhost: nectar\r\nx-slow: ");
    const [response] = await once(socket, "data");
    expect(String(response)).toContain("408 Request Timeout");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  it("refuses a body that is too large and stays up", async () => {
    const server = await startListening();
    const response = await fetch(`${server.base}/api/email/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "x".repeat(3 * 1024 * 1024),
    });
    expect(response.status).toBe(413);
    expect((await fetch(`${server.base}/health`)).status).toBe(200);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });
});
