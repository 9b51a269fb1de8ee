import type { Tx } from "@nectar/database/database";
import type { Context } from "hono";
import type { Services } from "./services.ts";

/** Who is calling, once the token was checked. */
export interface Actor {
  readonly userId: string;
  readonly email: string | null;
}

/** What every handler finds in `c.var`. */
export interface AppVariables {
  readonly services: Services;
  readonly requestId: string;
  /** When the request came in, on the clock of `performance.now()`, in milliseconds. */
  readonly startedAt: number;
  /** The person who calls; reading it on a route without a guard is an error. */
  readonly actor: Actor;
  /** Runs one transaction as the caller; the work runs again when another transaction was in its way. */
  readonly asUser: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** The request body as it came, when a validator has read it. */
  readonly bodyText: string;
}

/** The environment of every app of ours. */
export interface AppEnv {
  Variables: AppVariables;
}

/** The context of a handler whose validated input does not matter. */
export type AppContext = Context<AppEnv>;
