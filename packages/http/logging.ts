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

/** The levels of logs, from the most to the least. A logger of a level writes that level and those after it. */
const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** What is logged beside the message; all of it can be written as JSON. */
export interface LogFields {
  readonly [name: string]: LogValue;
}
type LogValue = string | number | boolean | null | undefined | readonly LogValue[] | LogFields;

/** Logs an event. */
type Log = (fields: LogFields, message: string) => void;

/** Logs events at three levels. */
export interface Logger {
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}

/**
 * Logs JSON, one line per event, without the values of forbidden fields. A line is written before the call returns, so that
 * none is lost when Lambda freezes the process.
 * @param destination standard output by default
 */
export function createLogger(
  level: (typeof LEVELS)[number],
  destination: { write(line: string): unknown } = process.stdout,
): Logger {
  const logAt = (name: (typeof LEVELS)[number]): Log => {
    if (LEVELS.indexOf(name) < LEVELS.indexOf(level)) return () => {};
    return (fields, msg) => {
      const line = { level: name, time: new Date().toISOString(), ...redact(fields), msg };
      destination.write(`${JSON.stringify(line)}\n`);
    };
  };
  return { info: logAt("info"), warn: logAt("warn"), error: logAt("error") };
}

/** Removes the values of forbidden fields at any depth. */
function redact(fields: LogFields): LogFields {
  const kept: Record<string, LogValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (FORBIDDEN.has(name.toLowerCase())) kept[name] = "[redacted]";
    else kept[name] = isRecord(value) ? redact(value) : value;
  }
  return kept;
}

function isRecord(value: LogValue): value is LogFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What is logged about an unexpected error: its kind, its codes and where it was thrown. Not its message, because a
 * database or a provider may quote the text that it was given.
 */
export function describeFailure(error: unknown): LogFields {
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
