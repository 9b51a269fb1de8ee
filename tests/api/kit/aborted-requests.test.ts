import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routeToGroups } from "#functions/all";
import { serveLocally } from "#local/support/listen";
import { freePort } from "#local/support/ports";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

// A client that disconnects while it sends its body made an incomplete request: that is not an error of the server.
const api = useApi();
let port: number;
let server: Awaited<ReturnType<typeof serveLocally>>;

beforeAll(async () => {
  port = await freePort();
  server = await serveLocally(routeToGroups(api.services), port, "The API");
});
const ada = beforeTests(() => api.person());
afterAll(() => server.stop());

const bodies = [
  { path: "/api/journal", type: "application/json", sent: '{"title": "half' },
  { path: "/api/workout-window/checkin", type: "multipart/form-data; boundary=x", sent: "--x\r\nContent-Disposition:" },
  { path: "/api/email/webhook", type: "application/json", sent: '{"type": "email.' },
];

describe.each(bodies)("a client that disconnects while it sends the body of POST $path", ({ path, type, sent }) => {
  it.each([
    ["with a length", "content-length: 1000", sent],
    ["in chunks", "transfer-encoding: chunked", `${sent.length.toString(16)}\r\n${sent}\r\n`],
  ])("is logged as a 400 at level info, without an error (%s)", async (_, framing, body) => {
    const requestId = randomUUID();
    const headers = [
      `POST ${path} HTTP/1.1`,
      "host: nectar.test",
      `authorization: Bearer ${ada.token}`,
      `content-type: ${type}`,
      `x-request-id: ${requestId}`,
      framing,
    ];
    const socket = connect(port, "127.0.0.1");
    socket.write(`${headers.join("\r\n")}\r\n\r\n${body}`);
    // Gives the handler time to start reading; the log is the same if it has not.
    await setTimeout(100);
    socket.destroy();
    await expect.poll(() => linesOf(requestId)).not.toEqual([]);
    expect(linesOf(requestId)).toEqual([expect.objectContaining({ level: "info", msg: "request", status: 400 })]);
  });
});

it("other requests still succeed afterwards", async () => {
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
});

function linesOf(requestId: string): unknown[] {
  return api
    .logged()
    .split("\n")
    .filter((line) => line.includes(requestId))
    .map((line) => JSON.parse(line));
}
