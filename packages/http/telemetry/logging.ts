import pino, { type DestinationStream, type Logger } from "pino";

/** Names of fields whose values are never logged. */
const FORBIDDEN = new Set([
  "access_token",
  "authorization",
  "body",
  "content",
  "cookie",
  "email",
  "headers",
  "password",
  "secret",
  "text",
  "title",
  "token",
]);

/** Logs JSON, one line per event. @param destination standard output by default */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: redact },
  };
  return destination === undefined
    ? pino(options, pino.destination({ fd: 1, sync: true }))
    : pino(options, destination);
}

/**
 * Removes the values of forbidden fields at any depth. pino's own redaction needs wildcards for that, which take longer
 * than writing the line.
 */
function redact(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (FORBIDDEN.has(name.toLowerCase())) kept[name] = "[redacted]";
    else kept[name] = isRecord(value) ? redact(value) : value;
  }
  return kept;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What is logged about an unexpected error: its kind, its codes, its status and where it was thrown. Not its message, because a
 * database or a provider may quote the text that it was given.
 */
export function describeFailure(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    kind: error.name,
    ...field(error, "code"),
    ...field(error, "status"),
    ...field(error, "constraint"),
    ...field(error, "routine"),
    at: frames.slice(0, 8).map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: describeFailure(error.cause) }),
  };
}

function field(error: Error, name: "code" | "status" | "constraint" | "routine"): Record<string, string | number> {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" || typeof value === "number" ? { [name]: value } : {};
}
