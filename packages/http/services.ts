import type { Config } from "@nectar/config/config";
import type { Database } from "@nectar/database/database";
import type { Logger } from "pino";
import type { TokenVerifier } from "./tokens.ts";

/** The only source of the current time, so that tests can hold it. */
export interface Clock {
  now(): Date;
}

/** What a function needs from outside; built once per process and handed to its app. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly verifyToken: TokenVerifier;
}
