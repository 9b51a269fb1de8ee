import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { Database } from "#database/database";
import { useApi } from "#tests/api";
import { UNREAD_STORE } from "#tests/file-store";
import { LONG } from "#tests/long";
import type { Send } from "./client.ts";
import { compareSearch, compareTables, compareWithReference } from "./compare.ts";
import { checkAsAtCommit } from "./one-transaction.ts";
import { type Plan, plan } from "./plan.ts";
import {
  hasBlock,
  isHidden,
  ranks,
  seesContent,
  seesEntry,
  seesGoal,
  seesGoalContent,
  tonePackSection,
  type World,
} from "./reference.ts";
import { build, imagine, superAdminOf } from "./scene.ts";
import { happen } from "./steps.ts";
import { type Stage, tryWorlds } from "./worlds.ts";

const WORLDS = LONG ? 10_000 : 100;

const api = useApi({ environment: UNREAD_STORE });
/** How many worlds were lived. */
let lived = 0;
/** How often something happened, so that the test cannot pass without all cases. */
const happened = new Map<string, number>();

it(`users see of each other's journals what the specification says, in ${WORLDS} random worlds`, async () => {
  await tryWorlds(api, WORLDS, plan, liveAndCompare);
  // Every kind of step was allowed and refused, and every kind of visibility occurred.
  expect(EVENTS.filter((event) => !happened.has(event))).toEqual([]);
});

const EVENTS = [
  ...["join organization", "leave organization", "transfer organization", "join team", "leave team"].flatMap(twoWays),
  ...["change primary admin", "share notebook", "share goal", "share entry", "move entry", "write entry"].flatMap(
    twoWays,
  ),
  ...["block", "unblock", "send drop", "comment", "buy tone pack"].flatMap(twoWays),
  ...["hide entry", "hide notebook", "hide goal", "hide tone pack", "hide drop"].flatMap(twoWays),
  ...["entry", "notebook", "goal", "tone pack", "drop"].map((thing) => `${thing} hidden at the end`),
  ...["nothing", "metadata", "all"].map((part) => `${part} seen in spite of a block`),
  ...["purchased", "shared", "no"].map((section) => `${section} tone pack in spite of a block`),
  "ranks with someone missing",
  ...[
    "delete team",
    "delete organization",
    "delete notebook",
    "delete goal",
    "set inheritance",
    "reverse",
    "trash entry",
    "restore entry",
  ].map((kind) => `${kind}: done`),
  ...["entry", "goal"].flatMap((thing) =>
    ["all", "metadata", "nothing"].map((part) => `${part} seen of a foreign ${thing}`),
  ),
];

function twoWays(kind: string): string[] {
  return [`${kind}: done`, `${kind}: refused`];
}

async function liveAndCompare({ client, database, send }: Stage, planned: Plan): Promise<void> {
  const world = imagine(planned);
  await build(client, world);
  for (const step of [...planned.drops, ...planned.hides, ...planned.steps, ...planned.comments]) {
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
  lived += 1;
  if (LONG || lived % 5 === 0) await compareProgram({ client, database, send }, world);
}

/** Addresses that no personal token may read. */
const CLOSED = ["/api/reports", "/api/moderation-decisions"];

/** A program of a super admin sees what the person would see without that role. */
async function compareProgram({ client, database, send }: Stage, world: World): Promise<void> {
  const viewer = superAdminOf(world);
  const ordinary = { ...world, superAdmins: new Set<string>() };
  const secret = `nct_${randomUUID()}`;
  const { rows } = await client.query<{ id: string }>(
    `insert into nectar.personal_tokens (user_id, name, scopes, token_hash, hint, expires_at)
     values ($1, 'Program', enum_range(null::nectar.token_scope), sha256($2::text::bytea), right($2, 4), now() + interval '1 day')
     returning id`,
    [viewer, secret],
  );
  const sendAsProgram: Send = (person, method, path, body) =>
    send(person, method, path, body, CLOSED.includes(path) ? undefined : secret);
  await compareWithReference(ordinary, sendAsProgram, viewer);
  const ofProgram: Database = {
    ...database,
    asUser: (userId, work, purpose) =>
      database.asUser(userId, work, purpose, { tokenId: rows[0]?.id ?? null, scopes: [] }),
  };
  await compareTables(ordinary, ofProgram, viewer);
  await compareSearch(ordinary, ofProgram, viewer);
}

function noteWhatIsSeen(world: World, viewer: string): void {
  for (const [thing, things] of [
    ["entry", [...world.entries.values()]],
    ["notebook", [...world.notebooks.values()]],
    ["goal", [...world.goals.values()]],
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
  for (const goal of world.goals.values()) {
    if (goal.author === viewer) continue;
    const part = seesGoalContent(world, viewer, goal) ? "all" : seesGoal(world, viewer, goal) ? "metadata" : "nothing";
    note(`${part} seen of a foreign goal`);
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
