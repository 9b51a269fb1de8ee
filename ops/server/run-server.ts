import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type Config, InvalidEnvironment, readServerSettings, type ServerSettings } from "#config/config";
import type { Services } from "#http/services/services";
import { describeFailure } from "#http/telemetry/logging";
import { ensureApiLogin } from "../migrate/api-password.ts";
import { migrate } from "../migrate/migrate.ts";
import { MigrationProblem } from "../migrate/migration-problem.ts";
import type { Fetch } from "./http-server.ts";
import { createRecorder, type ReadFigures, withMetrics } from "./metrics.ts";
import type { ScheduledJob } from "./scheduler.ts";
import { onStopSignals } from "./signals.ts";
import { startServer } from "./start-server.ts";

/** The parts of `npm start` that this package does not know. */
export interface ServerParts {
  /**
   * Builds the services of a configuration.
   * @returns them, and how to end them after the last request
   */
  createServices(
    config: Config,
    instead: Pick<Services, "stopping" | "meter">,
  ): { services: Services; close(): Promise<void> };
  /** Builds the handler of all requests. */
  createFetch(services: Services): Fetch;
  readonly schedules: readonly ScheduledJob[];
  readonly readFigures: ReadFigures;
  /** Absolute path of the folder `supabase`, which has the migrations. */
  readonly supabaseFolder: string;
}

/**
 * Runs all functions in this process until a signal to stop: reads the environment, applies missing migrations and sets the
 * password of its role if it has the address of an administrator, listens, and starts jobs when they are due. On the signal it finishes what is running
 * before it exits with 0; a second signal exits at once. Exits with 1 if it cannot start, also if its password is refused.
 */
export async function runServer({
  createServices,
  createFetch,
  schedules,
  readFigures,
  supabaseFolder,
}: ServerParts): Promise<void> {
  const settings = readSettingsOrExit();
  const stop = new AbortController();
  const { metricsToken: token } = settings;
  const recorder = token === null ? null : createRecorder(schedules.map(({ name }) => name));
  const { services, close } = createServices(withCronSecrets(settings.config, schedules), {
    stopping: stop.signal,
    meter: recorder?.meter ?? null,
  });
  const { logger } = services;
  process.on("uncaughtException", (error) => {
    logger.fatal({ failure: describeFailure(error) }, "the server cannot continue");
    process.exit(1);
  });
  let isListening = false;
  onStopSignals(
    () => {
      stop.abort();
      if (!isListening) process.exit(0);
    },
    () => logger.warn("stopped without waiting"),
  );

  await prepareDatabaseOrExit(settings, supabaseFolder, logger);
  const fetchOfGroups = createFetch(services);
  const fetch =
    token === null || recorder === null
      ? fetchOfGroups
      : withMetrics(services, { token, recorder, readFigures }, fetchOfGroups);
  const server = await startServer({ services, close, settings, fetch, schedules });
  isListening = true;
  logger.info({ host: settings.host, port: server.port, runs_jobs: settings.runsJobs }, "listening");
  await once(stop.signal, "abort");
  logger.info("stopping");
  const { drained } = await server.stop();
  logger.info({ drained }, "stopped");
  process.exit(0);
}

function readSettingsOrExit(): ServerSettings {
  try {
    return readServerSettings();
  } catch (error) {
    if (!(error instanceof InvalidEnvironment)) throw error;
    const lines = error.problems.map((problem) => `  ${problem}\n`).join("");
    process.stderr.write(`Nectar cannot start with this environment (docs/self-hosting.md):\n${lines}`);
    process.exit(1);
  }
}

async function prepareDatabaseOrExit(
  { adminUrl, config: { databaseUrl, databaseCa: ca } }: ServerSettings,
  folder: string,
  logger: Services["logger"],
): Promise<void> {
  const report = (step: string) => logger.info({ step }, "migrating");
  try {
    if (adminUrl !== null) {
      const { later } = await migrate(adminUrl, { folder, ca, report });
      // After a rollback of the code, whose previous release must run on the newer schema.
      if (later.length > 0) logger.warn({ later }, "a later release has migrated this database");
    }
    const isSet = await ensureApiLogin({ url: databaseUrl, ca }, adminUrl === null ? null : { url: adminUrl, ca });
    if (isSet) report("nectar_api has the password of DATABASE_URL.");
  } catch (error) {
    if (!(error instanceof MigrationProblem)) throw error;
    logger.fatal({ problem: error.message }, "the server cannot use the database");
    process.exit(1);
  }
}

/** Without a secret of its own, a job gets one that only the scheduler of this process knows. */
function withCronSecrets(config: Config, schedules: readonly ScheduledJob[]): Config {
  const cronSecrets = { ...config.cronSecrets };
  for (const { secret } of schedules) cronSecrets[secret] ??= randomBytes(32).toString("base64url");
  return { ...config, cronSecrets };
}
