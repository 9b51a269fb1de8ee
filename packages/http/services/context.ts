import type { HonoRequest } from "hono";
import type { Services } from "./services.ts";

/** A request while it is responded to. It is not Hono's context, whose variables are slower than fields. */
export interface AppContext {
  readonly req: HonoRequest;
  readonly services: Services;
  readonly requestId: string;
  /** When the request came in, on the clock of `performance.now()`, in milliseconds. */
  readonly startedAt: number;
  /** What the responses and logs of a service with replicas say. */
  readonly replication: {
    /** The end of the write-ahead log after the request's last transaction that may have written. */
    position?: string;
    /** The server that ran the last transaction. */
    from?: "replica" | "primary";
  };
}
