import { afterAll, afterEach, beforeAll, expect } from "vitest";
import * as z from "zod";
import { createNectar, type Nectar } from "#client";
import { readConfig } from "#config/config";
import { allApps, routeToGroups } from "#functions/all";
import { servicesWithLanes } from "#functions/workers/lanes";
import type { Endpoint } from "#http/endpoint/endpoint";
import { createLogger } from "#http/telemetry/logging";
import { type Client, clientOf } from "#tests/client";
import { type Person, type PersonOptions, signUp, TEST_JWT_SECRET } from "#tests/people";
import { type ReplicatedDatabase, startReplicatedDatabase } from "#tests/standby";

const Line = z.object({ database: z.string().optional() });

/** The headers of a request that a replica may serve whatever it has: its sender has written nothing lately. */
export const ANYWHERE = { "x-nectar-position": "" };

/** The API over a database with a replica. */
interface ReplicatedApi extends Client {
  readonly database: ReplicatedDatabase;
  fetch(request: Request): Promise<Response>;
  endpoints(): readonly Endpoint[];
  person(options?: PersonOptions): Promise<Person>;
  /** The published client, as a person. */
  nectarOf(person: Person): Nectar;
  /** The servers of the requests since the last call, in order. */
  servers(): string[];
}

/** Gives the calling test file all groups over a database with a replica. @param environment variables that differ */
export function useReplicatedApi(environment: Record<string, string> = {}): ReplicatedApi {
  let database: ReplicatedDatabase | undefined;
  let close = async () => {};
  let endpoints: readonly Endpoint[] = [];
  let fetch: ReturnType<typeof routeToGroups> | undefined;
  let servers: string[] = [];
  const respond = async (request: Request) => {
    if (fetch === undefined) throw new Error("The API exists only inside hooks and tests.");
    return fetch(request);
  };
  const started = () => {
    if (database === undefined) throw new Error("The database exists only inside hooks and tests.");
    return database;
  };
  const client = clientOf(respond);
  beforeAll(async () => {
    database = await startReplicatedDatabase();
    const logger = createLogger("info", {
      write: (line) => {
        const { database: server } = Line.parse(JSON.parse(line));
        if (server !== undefined) servers.push(server);
      },
    });
    const running = servicesWithLanes(
      readConfig({
        DATABASE_URL: database.primary.apiUrl,
        DATABASE_READ_URL: database.replica.apiUrl,
        DATABASE_POOL_SIZE: "10",
        SUPABASE_URL: "http://127.0.0.1:9",
        SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
        SUPABASE_JWT_ISSUER: "none",
        ...environment,
      }),
      { logger },
    );
    close = running.close;
    fetch = routeToGroups(running.services);
    endpoints = allApps(running.services).flatMap(({ app }) => app.endpoints);
  });
  afterAll(async () => {
    await close();
    await database?.stop();
  });
  afterEach(() => {
    expect(client.unexpected(), "errors that the test neither expected nor read").toEqual([]);
  });
  return {
    ...client,
    get database() {
      return started();
    },
    fetch: respond,
    endpoints: () => endpoints,
    person: (options) => signUp(started().primary.adminUrl, options),
    nectarOf: ({ token }) =>
      createNectar({
        baseUrl: "http://nectar.test",
        token: () => token,
        fetch: (url, init) => respond(new Request(url, init)),
      }),
    servers() {
      const taken = servers;
      servers = [];
      return taken;
    },
  };
}
