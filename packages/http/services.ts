import type { Config } from "@nectar/config/config";
import type { Database } from "@nectar/database/database";
import type { AiProvider } from "@nectar/providers/ai";
import type { EmailProvider } from "@nectar/providers/email";
import type { PaymentProvider } from "@nectar/providers/payments";
import type { PrivateFiles } from "@nectar/providers/private-files";
import type { PublicImages } from "@nectar/providers/public-images";
import type { PushProvider } from "@nectar/providers/push";
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
  /** The text and image models; null when none is configured. */
  readonly ai: AiProvider | null;
  /** The payment processor; null when none is configured. */
  readonly payments: PaymentProvider | null;
  /** Pictures that everybody may see; null when there is no key to write them with. */
  readonly publicImages: PublicImages | null;
  /** Files that are seen through signed addresses only; null when there is no place for them. */
  readonly privateFiles: PrivateFiles | null;
  /** Sends mail; null when no provider is configured. */
  readonly email: EmailProvider | null;
  /** Pushes to devices; null when there are no keys for it. */
  readonly push: PushProvider | null;
}
