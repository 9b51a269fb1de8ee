import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from "vitest";
import { readConfig } from "#config/config";
import type { Database } from "#database/database";
import { routeToGroups } from "#functions/all";
import { runTask } from "#functions/workers/run";
import type { Clock } from "#http/services/clock";
import { PhotoTurns } from "#http/services/photo-turns";
import type { Services } from "#http/services/services";
import { servicesFor } from "#http/services/services-for";
import { Turns } from "#http/services/turns";
import { createLogger } from "#http/telemetry/logging";
import { type Lanes, openLanes } from "#providers/lanes";
import { type Client, clientOf } from "./client.ts";
import { type DatabaseOfFile, useDatabase } from "./database.ts";
import type { Filling } from "./filled-database.ts";
import { TEST_JWT_SECRET } from "./people.ts";

export type { ApiResponse } from "./client.ts";

/** How long requests of one person wait for each other, in milliseconds: on a busy machine, longer than the service lets them. */
const PATIENCE_MS = 300_000;

/** Tasks of a test file that run at the same time. */
const LANES = 4;

/** How the API of a test file differs from the usual one. */
export interface ApiOptions {
  /** Variables that differ from the usual ones of tests. */
  readonly environment?: Record<string, string>;
  /** What the database holds at first; nothing if left out. */
  readonly filling?: Filling;
  /** The clock of the API until `at` sets it; the real one if left out. Tokens are always checked by the real one. */
  readonly clock?: Clock;
  /** Limits the requests of one person at a time; by default they wait for as long as a busy machine may need. */
  readonly turns?: Turns;
  /** Limits the photos in memory; by default a second one of a person waits as long. */
  readonly photoTurns?: PhotoTurns;
}

/** The API of one test file, over a database of its own. */
export interface TestApi extends Client, DatabaseOfFile {
  readonly database: Database;
  readonly services: Services;
  /** Resolves when all tasks that were queued so far are done. */
  idle(): Promise<void>;
  /** Everything that was logged so far. */
  readonly logged: () => string;
  /** Stops the clock at a moment, in a test until its end, in a hook for all tests. @param moment RFC 3339 */
  at(moment: string | Date): void;
}

/** Gives the calling test file all groups over a fresh database; nothing is mocked but the addresses. */
export function useApi({
  environment = {},
  filling,
  clock = { now: () => new Date() },
  turns = new Turns(PATIENCE_MS),
  photoTurns = new PhotoTurns(PATIENCE_MS),
}: ApiOptions = {}): TestApi {
  const poolerPort = inject("poolerPort");
  const ownDatabase = useDatabase(filling ? { filling } : {});
  const { person, query, one, inTransaction, untilWaiting, cutConnections } = ownDatabase;
  const lines: string[] = [];
  let moment: Date | undefined;
  let running: Services | undefined;
  let queue: Lanes | undefined;
  const services = () => {
    if (running === undefined) throw new Error("The API exists only inside hooks and tests.");
    return running;
  };
  let fetch: ReturnType<typeof routeToGroups> | undefined;
  const client = clientOf((request) => {
    fetch ??= routeToGroups(services());
    return fetch(request);
  });
  beforeAll(() => {
    const config = readConfig({
      DATABASE_URL: ownDatabase.apiUrl,
      DATABASE_POOL_SIZE: "10",
      // PgBouncer before 1.21 cannot prepare statements.
      ...(poolerPort === null ? {} : { DATABASE_PREPARED_STATEMENTS: "off" }),
      SUPABASE_URL: "http://127.0.0.1:9",
      SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
      SUPABASE_JWT_ISSUER: "none",
      ...environment,
    });
    const logger = createLogger("info", { write: (line) => void lines.push(line) });
    queue = openLanes(LANES, (task) => runTask(services(), task));
    running = {
      ...servicesFor(config, { logger, queue }),
      clock: { now: () => moment ?? clock.now() },
      turns,
      photoTurns,
    };
  });
  afterAll(async () => {
    await queue?.close();
    await running?.database.close();
  });
  // A clock that a test sets ends with the test; one that a hook sets stays for all tests.
  let ofHooks: Date | undefined;
  beforeEach(() => {
    ofHooks = moment;
  });
  afterEach(() => {
    moment = ofHooks;
    expect(client.unexpected(), "errors that the test neither expected nor read").toEqual([]);
  });

  return {
    ...client,
    person,
    query,
    one,
    inTransaction,
    untilWaiting,
    cutConnections,
    get adminUrl() {
      return ownDatabase.adminUrl;
    },
    get apiUrl() {
      return ownDatabase.apiUrl;
    },
    get services() {
      return services();
    },
    get database() {
      return services().database;
    },
    idle: async () => queue?.idle(),
    logged: () => lines.join(""),
    at(time) {
      moment = new Date(time);
    },
  };
}
