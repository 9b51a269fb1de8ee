import { describe, expect, it } from "vitest";
import { createLogger } from "#http/telemetry/logging";

function linesOf(level: "info" | "warn" | "silent", log: (logger: ReturnType<typeof createLogger>) => void) {
  const lines: string[] = [];
  log(createLogger(level, { write: (line) => lines.push(line) }));
  return lines;
}

describe("a log line", () => {
  it("is JSON, with level, time, fields and message", () => {
    const [line = "", ...more] = linesOf("info", (logger) =>
      logger.info({ status: 200, path: "a\nb", missing: undefined }, "request"),
    );
    expect(more).toEqual([]);
    expect(line).toMatch(/^\{"level":"info","time":"[^"]+Z",.*\}\n$/);
    expect(JSON.parse(line)).toEqual({
      level: "info",
      time: expect.any(String),
      status: 200,
      path: "a\nb",
      msg: "request",
    });
  });

  it("has no values of forbidden fields, at any depth and in any case", () => {
    const [line = ""] = linesOf("info", (logger) =>
      logger.error({ Authorization: "hush", failure: { cause: { token: "hush", kind: "Error" } } }, "request failed"),
    );
    expect(line).not.toContain("hush");
    expect(JSON.parse(line)).toMatchObject({
      Authorization: "[redacted]",
      failure: { cause: { token: "[redacted]", kind: "Error" } },
    });
  });

  it("is left out below the level of the logger", () => {
    const logAll = (logger: ReturnType<typeof createLogger>) => {
      for (const name of ["info", "warn", "error"] as const) logger[name]({}, name);
    };
    expect(linesOf("warn", logAll).map((line) => JSON.parse(line).msg)).toEqual(["warn", "error"]);
    expect(linesOf("silent", logAll)).toEqual([]);
  });
});
