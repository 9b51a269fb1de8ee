import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { hrTimeToMilliseconds, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { AppError } from "#core/errors";
import type { EndedSpan } from "#core/work/ended-span";
import { describeFailure } from "./logging.ts";
import type { Telemetry, TelemetryOptions } from "./telemetry.ts";

/** Timeout of an export with its retries, in milliseconds. On Lambda a response waits for it. */
const EXPORT_MS = 1_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Records spans with OpenTelemetry's SDK. */
export function spanRecorder({ exportTo, share, random, onEnd }: TelemetryOptions): Telemetry {
  const sampler = randomSampler(share, random);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "nectar" }),
    // Callers do not decide which traces are recorded, neither by their flag nor by the id that they choose.
    sampler: new ParentBasedSampler({
      root: sampler,
      remoteParentSampled: sampler,
      remoteParentNotSampled: sampler,
    }),
    spanProcessors: [
      ...(exportTo === null ? [] : [exportingTo(exportTo)]),
      ...(onEnd === undefined ? [] : [reportingTo(onEnd)]),
    ],
  });
  const tracer = provider.getTracer("nectar");
  const current = new AsyncLocalStorage<Context>();
  return {
    async inSpan(plan, work) {
      const { name, kind, attributes, traceparent } = plan;
      const startsTrace = kind === "server" || kind === "consumer";
      const parent = startsTrace ? callerOf(traceparent) : (current.getStore() ?? ROOT_CONTEXT);
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, parent);
      const fail = (errorType: string) => {
        span.setAttribute("error.type", errorType);
        span.setStatus({ code: SpanStatusCode.ERROR });
      };
      try {
        return await current.run(trace.setSpan(parent, span), () =>
          work({ set: (more) => void span.setAttributes({ ...more }), fail }),
        );
      } catch (error) {
        if (error instanceof AppError && error.status < 500) span.setAttribute("nectar.refusal", error.code);
        else fail(errorTypeOf(error));
        throw error;
      } finally {
        span.end();
      }
    },
    flush: () => provider.forceFlush({ timeoutMillis: EXPORT_MS }).catch(() => undefined),
  };
}

function randomSampler(share: number, random: () => number): Sampler {
  return {
    shouldSample: () => ({
      decision: random() < share ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `RandomSampler{${share}}`,
  };
}

function callerOf(traceparent: string | undefined): Context {
  const remote = traceparent === undefined ? null : parseTraceParent(traceparent);
  return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
}

function exportingTo({ endpoint, headers }: NonNullable<TelemetryOptions["exportTo"]>): SpanProcessor {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_MS,
  });
  return new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS });
}

function reportingTo(onEnd: (span: EndedSpan) => void): SpanProcessor {
  return {
    onStart: () => undefined,
    onEnd: (span) => onEnd(endedSpan(span)),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
}

function endedSpan(span: ReadableSpan): EndedSpan {
  const { name, attributes, parentSpanContext: parent, startTime, duration, status } = span;
  return {
    traceId: span.spanContext().traceId,
    parentId: parent === undefined || parent.isRemote === true ? null : parent.spanId,
    name,
    attributes,
    startedAt: new Date(hrTimeToMilliseconds(startTime)),
    durationMs: hrTimeToMilliseconds(duration),
    hasFailed: status.code === SpanStatusCode.ERROR,
  };
}

function errorTypeOf(error: unknown): string {
  const { code, kind } = describeFailure(error);
  return String(code ?? kind);
}
