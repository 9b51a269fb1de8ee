import { valueTypes } from "@nectar/database/value-types";
import { createLogger } from "@nectar/http/logging";
import { servicesFor } from "@nectar/http/services-for";
import fc from "fast-check";
import pg from "pg";
import { expect, it } from "vitest";
import { routeToGroups } from "../../../functions/all.ts";
import { useApi } from "../../support/api.ts";
import { LONG } from "../../support/long.ts";
import { type Send, sendingTo } from "./client.ts";
import { compareAudiences } from "./compare-audiences.ts";
import { checkAsAtCommit, withinOneTransaction } from "./one-transaction.ts";
import { type Plan, plan, sharingSteps } from "./plan.ts";
import { previewing } from "./previews.ts";
import { build, imagine, personOf } from "./scene.ts";
import { happen } from "./steps.ts";

const WORLDS = LONG ? 10_000 : 300;
const LANES = 2;

const api = useApi();
/** How often something happened, so that the test cannot pass without all cases. */
const happened = new Map<string, number>();
const note = (event: string) => void happened.set(event, (happened.get(event) ?? 0) + 1);

it(
  `audiences say who really sees an entry, and previews what a change really does, in ${WORLDS} random worlds`,
  async () => {
    await Promise.all(Array.from({ length: LANES }, (_, lane) => tryWorlds(WORLDS / LANES, lane)));
    expect(EVENTS.filter((event) => !happened.has(event))).toEqual([]);
  },
  WORLDS * 5_000,
);

const EVENTS = [
  ...[
    "private",
    "explicit",
    "inherited_from_notebook",
    "not_inherited",
    "share_void",
    "public",
    "hidden_by_moderation",
  ].flatMap((reason) => [`metadata: ${reason}`, `content: ${reason}`]),
  "content: limited_by_metadata",
  ...["all", "metadata", "nothing", "not found"].map((part) => `sees: ${part}`),
  ...["an entry: done", "an entry: refused", "a new entry: done"].map((kind) => `preview of ${kind}`),
  ...["widened", "narrowed", "both", "refused"].map((kind) => `preview of a notebook: ${kind}`),
];

const ABOUT_OTHER_THINGS = ["hide tone pack", "hide drop", "send drop", "buy tone pack"];

async function tryWorlds(count: number, lane: number): Promise<void> {
  const { seed } = fc.readConfigureGlobal();
  const client = new pg.Client({ connectionString: api.adminUrl, types: valueTypes });
  await client.connect();
  const { config, clock } = api.services;
  const database = withinOneTransaction(client);
  const send = sendingTo(routeToGroups(servicesFor(config, { clock, logger: createLogger("silent"), database })));
  const planned = fc.record({ world: plan, changes: sharingSteps, suspended: fc.nat(4), closing: fc.nat(4) });
  try {
    await fc.assert(
      fc.asyncProperty(planned, ({ world, changes, suspended, closing }) =>
        liveAndCompare(client, send, { ...world, steps: [...world.steps, ...changes] }, { suspended, closing }),
      ),
      // Every lane has worlds of its own.
      { numRuns: count, ...(seed === undefined ? {} : { seed: seed + lane }) },
    );
  } finally {
    await client.end();
  }
}

async function liveAndCompare(
  client: pg.Client,
  send: Send,
  planned: Plan,
  readOnly: { suspended: number; closing: number },
): Promise<void> {
  const world = imagine(planned);
  await client.query("begin");
  try {
    await build(client, world);
    const previewed = previewing(world, send, note);
    for (const step of [...planned.hides, ...planned.steps]) {
      if (!ABOUT_OTHER_THINGS.includes(step.kind)) await happen(world, previewed, step);
      await checkAsAtCommit(client);
    }
    // They read as before.
    await client.query("select private.suspend_user($1, '2999-01-01T00:00Z')", [personOf(world, readOnly.suspended)]);
    await client.query(
      "update nectar.accounts set erasure_requested_at = now(), erases_at = '2999-01-01T00:00Z' where user_id = $1",
      [personOf(world, readOnly.closing)],
    );
    await compareAudiences(world, send, note);
  } finally {
    await client.query("rollback");
  }
}
