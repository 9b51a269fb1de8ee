import { setTimeout as sleep } from "node:timers/promises";
import type { ServerSettings } from "#config/config";
import type { Services } from "#http/services/services";
import { withAddressLimit } from "./address-limit.ts";
import { closeServer, createPublicServer, type Fetch, listen } from "./http-server.ts";
import { withImages } from "./images.ts";
import { createScheduler, everyMinute, type ScheduledJob } from "./scheduler.ts";

export interface ServerOptions {
  /** Their signal `stopping` says that the server is going to be stopped. */
  readonly services: Services;
  /** Ends the services: running tasks finish, and the database is closed. */
  close(): Promise<void>;
  readonly settings: Pick<ServerSettings, "host" | "port" | "runsJobs" | "graceMs" | "drainMs"> &
    Partial<Pick<ServerSettings, "addressLimit">>;
  readonly fetch: Fetch;
  readonly schedules: readonly ScheduledJob[];
}

/** A server that accepts requests. */
export interface RunningServer {
  readonly port: number;
  /**
   * After the grace period, accepts no more connections, waits for running requests, jobs and tasks, and closes the
   * database.
   * @returns whether everything has finished in time
   */
  stop(): Promise<{ drained: boolean }>;
}

/** Connections for requests while as many jobs run as may. */
const CONNECTIONS_PER_JOB = 4;
/** How long the database may take to close, in milliseconds, even if requests or jobs have used up the time to drain. */
const MIN_CLOSE_MS = 2_000;

/** Listens, and starts jobs when they are due. @throws Error if the port is in use */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { services, close, settings, fetch, schedules } = options;
  const { stopping, config } = services;
  const { addressLimit = null } = settings;
  const unlimited = withImages(services, fetch);
  const server = createPublicServer(
    addressLimit === null ? unlimited : withAddressLimit(services, addressLimit, unlimited),
  );
  // Clients then open another connection for their next request, which reaches another server.
  server.prependListener("request", (_, response) => {
    if (stopping.aborted) response.shouldKeepAlive = false;
  });
  const port = await listen(server, settings.host, settings.port);
  const maxJobs = Math.max(1, Math.floor(config.databasePoolSize / CONNECTIONS_PER_JOB));
  const scheduler = createScheduler({ schedules, fetch, services, maxJobs });
  if (settings.runsJobs) everyMinute(services, scheduler.tick);
  return {
    port,
    async stop() {
      await sleep(settings.graceMs);
      const timeIsUp = sleep(settings.drainMs);
      const within = (work: Promise<unknown>, limit: Promise<unknown>) =>
        Promise.race([work.then(() => true), limit.then(() => false)]);
      const requestsAndJobs = await Promise.all([
        closeServer(server, settings.drainMs),
        within(scheduler.idle(), timeIsUp),
      ]);
      const closed = await within(close(), Promise.all([timeIsUp, sleep(MIN_CLOSE_MS)]));
      return { drained: requestsAndJobs.every(Boolean) && closed };
    },
  };
}
