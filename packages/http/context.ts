import type { Services } from "./services.ts";

/** The parts of fetch's `Request` that are read. A function that uses no class of fetch starts faster (decision 20). */
export interface RawRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** Names are asked for in lower case. */
  readonly headers: { get(name: string): string | null | undefined };
  /** null without a body. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** A response as an endpoint builds it. Servers and tests turn it into fetch's `Response`, Lambda into its result. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** null without a body. */
  readonly body: string | null;
}

/** A request while it is responded to. */
export interface AppContext {
  readonly request: RawRequest;
  /** The path of its URL. */
  readonly path: string;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly services: Services;
  readonly requestId: string;
  /** When the request came in, on the clock of `performance.now()`, in milliseconds. */
  readonly startedAt: number;
}

/** The value of a header of the request. @param name in lower case */
export function headerOf({ request }: Pick<AppContext, "request">, name: string): string | undefined {
  return request.headers.get(name) ?? undefined;
}
