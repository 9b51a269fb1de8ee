import type { Database } from "@nectar/database/database";
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
import { compareSearch, compareTables, compareWithReference } from "./compare.ts";
import { checkAsAtCommit, withinOneTransaction } from "./one-transaction.ts";
import { type Plan, plan } from "./plan.ts";
import { hasBlock, isHidden, ranks, seesContent, seesEntry, tonePackSection, type World } from "./reference.ts";
import { build, imagine } from "./scene.ts";
import { happen } from "./steps.ts";

const WORLDS = LONG ? 10_000 : 150;
/** Worlds run in several transactions at once, so that database and API work at the same time. */
const LANES = 2;

const api = useApi();
/** How often something happened, so that the test cannot pass without all cases. */
const happened = new Map<string, number>();

it(
  `users see of each other's journals what the specification says, in ${WORLDS} random worlds`,
  async () => {
    await Promise.all(Array.from({ length: LANES }, (_, lane) => tryWorlds(WORLDS / LANES, lane)));
    // Every kind of step was allowed and refused, and every kind of visibility occurred.
    expect(EVENTS.filter((event) => !happened.has(event))).toEqual([]);
  },
  WORLDS * 5_000,
);

const EVENTS = [
  ...["join organization", "leave organization", "transfer organization", "join team", "leave team"].flatMap(twoWays),
  ...["change primary admin", "share notebook", "share entry", "move entry", "write entry"].flatMap(twoWays),
  ...["block", "unblock", "send drop", "buy tone pack"].flatMap(twoWays),
  ...["hide entry", "hide notebook", "hide tone pack", "hide drop"].flatMap(twoWays),
  ...["entry", "notebook", "tone pack", "drop"].map((thing) => `${thing} hidden at the end`),
  ...["nothing", "metadata", "all"].map((part) => `${part} seen in spite of a block`),
  ...["purchased", "shared", "no"].map((section) => `${section} tone pack in spite of a block`),
  "ranks with someone missing",
  ...[
    "delete team",
    "delete organization",
    "delete notebook",
    "set inheritance",
    "reverse",
    "trash entry",
    "restore entry",
  ].map((kind) => `${kind}: done`),
  ...["all", "metadata", "nothing"].map((part) => `${part} seen of a foreign entry`),
];

function twoWays(kind: string): string[] {
  return [`${kind}: done`, `${kind}: refused`];
}

async function tryWorlds(count: number, lane: number): Promise<void> {
  const { seed } = fc.readConfigureGlobal();
  const client = new pg.Client({ connectionString: api.adminUrl, types: valueTypes });
  await client.connect();
  const { config, clock } = api.services;
  const logger = createLogger("silent");
  const database = withinOneTransaction(client);
  const send = sendingTo(routeToGroups(servicesFor(config, { clock, logger, database })));
  try {
    await fc.assert(
      fc.asyncProperty(plan, (planned) => liveAndCompare(client, database, send, planned)),
      // Every lane has worlds of its own.
      { numRuns: count, ...(seed === undefined ? {} : { seed: seed + lane }) },
    );
  } finally {
    await client.end();
  }
}

async function liveAndCompare(client: pg.Client, database: Database, send: Send, planned: Plan): Promise<void> {
  const world = imagine(planned);
  await client.query("begin");
  try {
    await build(client, world);
    for (const step of [...planned.drops, ...planned.hides, ...planned.steps]) {
      const allowed = await happen(world, send, step);
      await checkAsAtCommit(client);
      if (allowed !== null) note(`${step.kind}: ${allowed ? "done" : "refused"}`);
    }
    for (const viewer of world.people) {
      await compareWithReference(world, send, viewer);
      await compareTables(world, database, viewer);
      await compareSearch(world, database, viewer);
      noteWhatIsSeen(world, viewer);
    }
  } finally {
    await client.query("rollback");
  }
}

function noteWhatIsSeen(world: World, viewer: string): void {
  for (const [thing, things] of [
    ["entry", [...world.entries.values()]],
    ["notebook", [...world.notebooks.values()]],
    ["tone pack", world.tonePacks],
    ["drop", world.drops],
  ] as const) {
    if (things.some(({ id }) => isHidden(world, id))) note(`${thing} hidden at the end`);
  }
  if (ranks(world).some(({ user_id }) => hasBlock(world, viewer, user_id))) note("ranks with someone missing");
  if (world.superAdmins.has(viewer)) return;
  for (const entry of world.entries.values()) {
    if (entry.author === viewer) continue;
    const part = seesContent(world, viewer, entry) ? "all" : seesEntry(world, viewer, entry) ? "metadata" : "nothing";
    note(`${part} seen of a foreign entry`);
    if (hasBlock(world, viewer, entry.author)) note(`${part} seen in spite of a block`);
  }
  for (const pack of world.tonePacks) {
    if (hasBlock(world, viewer, pack.owner)) {
      note(`${tonePackSection(world, viewer, pack) ?? "no"} tone pack in spite of a block`);
    }
  }
}

function note(event: string): void {
  happened.set(event, (happened.get(event) ?? 0) + 1);
}
