import type { EndedSpan } from "#core/work/ended-span";

/** Attributes of a span: names by OpenTelemetry's semantic conventions, ours with `nectar.` before them. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * A unit of work to record. Name and attributes have route templates, names and codes; never ids of users, paths, query
 * strings, texts or SQL.
 */
export interface SpanPlan {
  readonly name: string;
  /**
   * `server` for a request and `consumer` for a task from a queue, which start a trace; `client` for a call to something
   * else, and `internal` for the rest, which belong to the work that they are a part of.
   */
  readonly kind: "server" | "client" | "consumer" | "internal";
  readonly attributes: SpanAttributes;
  /** The header of a caller whose trace goes on here, instead of a new one. */
  readonly traceparent?: string | undefined;
}

/** A span while its work runs. */
export interface RunningSpan {
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed. @param errorType a code or a class of errors, never a message */
  fail(errorType: string): void;
}

/** Records what the service does. */
export interface Telemetry {
  /**
   * Runs work as a span. If it throws, the span has the code of the error and not its message. It counts as failed unless
   * the error is a refusal, an `AppError` with a status below 500.
   */
  inSpan<Result>(plan: SpanPlan, work: (span: RunningSpan) => Promise<Result>): Promise<Result>;
  /** Sends the spans that have ended and waits for it, a second at most. Never throws. */
  flush(): Promise<void>;
}

/** The receivers of spans. */
export interface TelemetryOptions {
  /** A collector that takes OTLP over HTTP; null for none. */
  readonly exportTo: { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> } | null;
  /** The share of traces that is recorded, from 0 to 1. */
  readonly share: number;
  /** Returns a number from 0 up to 1, which decides whether a trace is recorded. */
  readonly random: () => number;
  /** Called with every span that ends. */
  readonly onEnd?: ((span: EndedSpan) => void) | undefined;
}
