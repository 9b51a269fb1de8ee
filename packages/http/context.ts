import type { Context } from "hono";
import type { Services } from "./services.ts";

/** Who is calling, once the token was checked. */
export interface Actor {
  readonly userId: string;
  readonly email: string | null;
}

/** What the request path finds in the context. */
export interface AppVariables {
  readonly services: Services;
  readonly requestId: string;
  /** When the request came in, on the clock of `performance.now()`, in milliseconds. */
  readonly startedAt: number;
}

/** The environment of every app of ours. */
export interface AppEnv {
  Variables: AppVariables;
}

/** The context of a request. */
export type AppContext = Context<AppEnv>;
