import type { Logger } from "pino";
import type { Config } from "#config/config";
import type { Database } from "#database/database";
import type { Replicas } from "#database/replicas";
import type { AiProvider } from "#providers/ai";
import type { EmailProvider } from "#providers/email";
import type { PaymentProvider } from "#providers/payments";
import type { PrivateFiles } from "#providers/private-files";
import type { PublicImages } from "#providers/public-images";
import type { PushProviders } from "#providers/push";
import type { Queue } from "#providers/queue";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Clock } from "./clock.ts";
import type { Meter, Metrics } from "./metrics.ts";
import type { PhotoTurns } from "./photo-turns.ts";
import type { TokenVerifier } from "./tokens.ts";
import type { Turns } from "./turns.ts";

/** Everything that a function reaches outside of its code; built once per process. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  /** The replicas of the database, which `database` closes as well; null if there are none. */
  readonly replicas: Replicas | null;
  /** Limits what the requests of one person do in the database at once. */
  readonly turns: Turns;
  /** Limits how many photos are in memory. */
  readonly photoTurns: PhotoTurns;
  readonly clock: Clock;
  /** The only source of randomness: so many random bytes, good enough for secrets. */
  readonly random: (bytes: number) => Uint8Array;
  readonly logger: Logger;
  /** Aborted when the process is asked to stop: health checks fail then, and jobs stop after the batch that they work on. */
  readonly stopping: AbortSignal;
  /** Makes log lines metrics; null if nothing reads them. */
  readonly metrics: Metrics | null;
  /** Counts for `GET /metrics` of `npm start`; null where there is none. */
  readonly meter: Meter | null;
  /** Records requests, transactions, calls of vendors and jobs; null if that is off, which costs nothing. */
  readonly telemetry: Telemetry | null;
  readonly verifyToken: TokenVerifier;
  /** The text and image models; null if none are configured. */
  readonly ai: AiProvider | null;
  /** The payment processor; null if none is configured. */
  readonly payments: PaymentProvider | null;
  /** Images that anyone may see; null without Supabase's secret key, unless there are a bucket and PUBLIC_URL. */
  readonly publicImages: PublicImages | null;
  /** Files that are read through signed URLs; null without a bucket. */
  readonly privateFiles: PrivateFiles | null;
  /** Sends mail; null if no provider is configured. */
  readonly email: EmailProvider | null;
  /** Send push messages to devices. */
  readonly push: PushProviders;
  /** Hands work to workers. */
  readonly queue: Queue;
}
