import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach } from "vitest";
import * as z from "zod";
import { listenLocally } from "#local/support/listen";

const Value = z
  .object({ stringValue: z.string() })
  .or(z.object({ intValue: z.number() }))
  .or(z.object({ boolValue: z.boolean() }));
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(z.object({ key: z.string(), value: Value })),
  status: z.object({ code: z.number(), message: z.string().optional() }),
});
const Traces = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
});

export type ExportedSpan = Omit<z.infer<typeof Span>, "attributes"> & { readonly attributes: Record<string, unknown> };

/** A collector of traces that takes OTLP over HTTP as JSON. */
export interface Collector {
  /** Variables of an API that exports to it. */
  readonly environment: Record<string, string>;
  /** The exported spans of this test, in the order of their ends. */
  readonly spans: () => ExportedSpan[];
  /** The bodies of all requests of this test. */
  readonly received: () => string;
  /** The headers of the last request. */
  readonly headers: () => NodeJS.Dict<string | string[]>;
}

/** Starts a collector, which stops with the test file and forgets what it received before each test. */
export async function useCollector(): Promise<Collector> {
  const bodies: string[] = [];
  let headers: NodeJS.Dict<string | string[]> = {};
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method === "POST" && request.url === "/v1/traces") bodies.push(body);
    headers = request.headers;
    response.end("{}");
  });
  const listening = await listenLocally(server, 0, "The collector");
  afterAll(() => listening.stop());
  beforeEach(() => {
    bodies.length = 0;
  });
  return {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${listening.port}/` },
    spans: () =>
      bodies
        .flatMap((body) => Traces.parse(JSON.parse(body)).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({
          ...span,
          attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
        })),
    received: () => bodies.join("\n"),
    headers: () => headers,
  };
}
