import pino, { type DestinationStream, type Logger } from "pino";

/** Fields that must never be written, wherever a log call might put them by mistake. */
const REDACTED = [
  "authorization",
  "token",
  "access_token",
  "password",
  "secret",
  "content",
  "title",
  "text",
  "email",
  "body",
  "headers",
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Structured JSON logs, one line an event, on standard output unless told otherwise. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED, censor: "[redacted]" },
  };
  return destination === undefined
    ? pino(options, pino.destination({ fd: 1, sync: true }))
    : pino(options, destination);
}

/**
 * What may be said about an unexpected error: its kind, its codes and where it was thrown. Its message stays out, for a
 * database or a provider may quote the very text that it was given.
 */
export function describeFailure(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    kind: error.name,
    ...field(error, "code"),
    ...field(error, "constraint"),
    ...field(error, "routine"),
    at: frames.slice(0, 8).map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: describeFailure(error.cause) }),
  };
}

function field(error: Error, name: "code" | "constraint" | "routine"): Record<string, string> {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? { [name]: value } : {};
}
