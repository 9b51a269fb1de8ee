import type { Context } from "hono";
import type { Services } from "./services.ts";

/** The values of a request in Hono's context. */
export interface AppVariables {
  readonly services: Services;
  readonly requestId: string;
  /** When the request came in, on the clock of `performance.now()`, in milliseconds. */
  readonly startedAt: number;
}

/** The type parameter of Hono for all our apps. */
export interface AppEnv {
  Variables: AppVariables;
}

/** The context of a request. */
export type AppContext = Context<AppEnv>;
