import type { Config } from "@nectar/config/config";
import type { Database } from "@nectar/database/database";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";
import type { TokenVerifier } from "./tokens.ts";

/** What a function needs from outside; built once per process and handed to its app. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly verifyToken: TokenVerifier;
}
