import fc from "fast-check";
import pg from "pg";
import type { Database } from "#database/database";
import { valueTypes } from "#database/value-types";
import { routeToGroups } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import type { TestApi } from "#tests/api";
import { type Send, sendingTo } from "./client.ts";
import { withinOneTransaction } from "./one-transaction.ts";

/** Worlds run in several transactions at once, so that database and API work at the same time. */
const LANES = 2;

/** The connection of a world's transaction, and a client that sends requests within it. */
export interface Stage {
  readonly client: pg.Client;
  readonly database: Database;
  readonly send: Send;
}

/** Lives random worlds, each in a transaction that is rolled back. */
export async function tryWorlds<Planned>(
  api: TestApi,
  count: number,
  plan: fc.Arbitrary<Planned>,
  live: (stage: Stage, planned: Planned) => Promise<void>,
): Promise<void> {
  // More drops than the steps of a world can send; before the worlds, whose transactions would wait for each other's row.
  await api.query`update nectar.encouragement_config set daily_allowance = 100, max_custom_drops_per_day = 100`;
  await Promise.all(Array.from({ length: LANES }, (_, lane) => tryLane(api, count / LANES, lane, plan, live)));
}

async function tryLane<Planned>(
  api: TestApi,
  count: number,
  lane: number,
  plan: fc.Arbitrary<Planned>,
  live: (stage: Stage, planned: Planned) => Promise<void>,
): Promise<void> {
  const { seed } = fc.readConfigureGlobal();
  const client = new pg.Client({ connectionString: api.adminUrl, types: valueTypes });
  await client.connect();
  const { config, clock } = api.services;
  const database = withinOneTransaction(client);
  const send = sendingTo(routeToGroups(servicesFor(config, { clock, logger: createLogger("silent"), database })));
  try {
    await fc.assert(
      fc.asyncProperty(plan, async (planned) => {
        await client.query("begin");
        try {
          await live({ client, database, send }, planned);
        } finally {
          await client.query("rollback");
        }
      }),
      // Every lane has worlds of its own.
      { numRuns: count, ...(seed === undefined ? {} : { seed: seed + lane }) },
    );
  } finally {
    await client.end();
  }
}
