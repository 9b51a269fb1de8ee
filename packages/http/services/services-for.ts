import { randomBytes } from "node:crypto";
import type { Config } from "#config/config";
import { AppError } from "#core/errors";
import { openDatabase } from "#database/database";
import { openReplicas } from "#database/replicas";
import { openAi, type UnusableReply } from "#providers/ai";
import { apnsPush } from "#providers/apns";
import { resendEmail } from "#providers/email";
import { fcmPush } from "#providers/fcm";
import { stripePayments } from "#providers/payments";
import { s3Files } from "#providers/private-files";
import { bucketImages, supabaseImages } from "#providers/public-images";
import { byLane, type Queue, sqsQueue } from "#providers/queue";
import { webPush } from "#providers/web-push";
import { createLogger } from "../telemetry/logging.ts";
import { openTelemetry } from "../telemetry/open-telemetry.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { embeddedMetrics } from "./metrics.ts";
import { PhotoTurns } from "./photo-turns.ts";
import type { Services } from "./services.ts";
import { createTokenVerifier } from "./tokens.ts";
import { tracedDatabase, tracedProvider, tracedReplicas } from "./traced.ts";
import { Turns } from "./turns.ts";

/** Without a queue nothing can be handed over. */
const NO_QUEUE: Queue = {
  async send(tasks) {
    if (tasks.length > 0) throw new AppError("provider.not_configured");
  },
};

/**
 * Builds the services of a configuration: a pool of connections (opened on first use), the system's clock, a logger on
 * standard output, and the configured vendors (their SDKs are loaded on first use).
 * @param instead services that replace these
 */
export function servicesFor(
  config: Config,
  instead: Partial<Pick<Services, "database" | "clock" | "logger" | "queue" | "stopping" | "meter">> = {},
): Services {
  const clock = instead.clock ?? { now: () => new Date() };
  const logger = instead.logger ?? createLogger(config.logLevel);
  // Lambda ends a function between two requests, so nothing stops there.
  const stopping = instead.stopping ?? new AbortController().signal;
  const privateFiles = config.s3 === null ? null : s3Files(config.s3);
  const services: Services = {
    config,
    clock,
    random: (bytes) => randomBytes(bytes),
    ...(instead.database === undefined ? databasesOf(config) : { database: instead.database, replicas: null }),
    turns: new Turns(),
    photoTurns: new PhotoTurns(),
    logger,
    stopping,
    metrics: config.metricsNamespace === null ? null : embeddedMetrics(config.metricsNamespace, clock),
    meter: instead.meter ?? null,
    telemetry: telemetryOf(config),
    verifyToken: createTokenVerifier(config, clock),
    ai: config.ai === null ? null : openAi({ ...config.ai, onUnusable: logUnusable(logger) }),
    payments: config.stripe === null ? null : stripePayments(config.stripe),
    publicImages: publicImagesOf(config, privateFiles),
    privateFiles,
    email: config.email === null ? null : resendEmail(config.email),
    push: {
      web: config.push === null ? null : webPush({ ...config.push, clock }),
      fcm: config.fcm === null ? null : fcmPush({ ...config.fcm, clock }),
      apns: config.apns === null ? null : apnsPush({ ...config.apns, clock, stopping }),
    },
    queue:
      instead.queue ??
      byLane({
        tasks: queueAt(config.taskQueueUrl),
        ranges: queueAt(config.rangeQueueUrl),
        imports: queueAt(config.importQueueUrl),
      }),
  };
  return services.telemetry === null ? services : tracedServices(services.telemetry, services);
}

function databasesOf(config: Config): Pick<Services, "database" | "replicas"> {
  const { databaseUrl: url, databaseCa: ca, databasePoolSize: poolSize, preparedStatements } = config;
  const { replicaUrls: urls, replicaMaxLagMs: maxLagMs } = config;
  const options = { ca, poolSize, preparedStatements };
  if (urls.length === 0) return { database: openDatabase({ ...options, url }), replicas: null };
  const primary = openDatabase({ ...options, url, reportsEnds: true });
  const replicas = openReplicas(primary, { ...options, urls, maxLagMs });
  const close = async () => void (await Promise.all([primary.close(), replicas.close()]));
  return { database: { ...primary, close }, replicas };
}

function logUnusable(logger: Services["logger"]) {
  return ({ problem, reasoningTokens }: UnusableReply) =>
    logger.warn({ problem, reasoning_tokens: reasoningTokens }, "unusable reply of the text model");
}

function telemetryOf({ telemetry }: Config): Telemetry | null {
  return telemetry === null ? null : openTelemetry({ ...telemetry, random: () => Math.random() });
}

/** Services whose database and vendors record what they do. */
function tracedServices(telemetry: Telemetry, services: Services): Services {
  const { database, replicas, ai, payments, publicImages, privateFiles, email, push, queue } = services;
  return {
    ...services,
    database: tracedDatabase(telemetry, database),
    replicas: replicas && tracedReplicas(telemetry, replicas),
    ai: ai && tracedProvider(telemetry, "models", ai, ["complete", "draw", "listShutdowns"]),
    payments:
      payments &&
      tracedProvider(telemetry, "payments", payments, [
        "listPrices",
        "createCheckout",
        "createPortal",
        "cancelSubscription",
      ]),
    publicImages:
      publicImages && tracedProvider(telemetry, "public images", publicImages, ["upload", "download", "remove"]),
    // Signing an address needs no call.
    privateFiles:
      privateFiles &&
      tracedProvider(telemetry, "private files", privateFiles, [
        "upload",
        "remove",
        "download",
        "describe",
        "downloadTo",
        "uploadStream",
        "abortUploads",
      ]),
    email: email && tracedProvider(telemetry, "mail", email, ["send", "readReceived"]),
    push: {
      web: push.web && tracedProvider(telemetry, "push", push.web, ["send"]),
      fcm: push.fcm && tracedProvider(telemetry, "FCM", push.fcm, ["send"]),
      apns: push.apns && tracedProvider(telemetry, "APNs", push.apns, ["send"]),
    },
    queue: tracedProvider(telemetry, "queue", queue, ["send"]),
  };
}

function queueAt(url: string | null): Queue {
  return url === null ? NO_QUEUE : sqsQueue(url);
}

function publicImagesOf(config: Config, files: Services["privateFiles"]): Services["publicImages"] {
  const { supabaseUrl, supabaseSecretKey: secretKey, publicUrl } = config;
  if (secretKey !== null) return supabaseImages({ supabaseUrl, secretKey });
  return files === null || publicUrl === null ? null : bucketImages(files, publicUrl);
}
