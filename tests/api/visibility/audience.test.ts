import fc from "fast-check";
import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { LONG } from "#tests/long";
import { compareAudiences } from "./compare-audiences.ts";
import { checkAsAtCommit } from "./one-transaction.ts";
import { plan, sharingSteps } from "./plan.ts";
import { previewing } from "./previews.ts";
import { build, imagine, personOf } from "./scene.ts";
import { happen } from "./steps.ts";
import { type Stage, tryWorlds } from "./worlds.ts";

const WORLDS = LONG ? 10_000 : 50;

const api = useApi();
/** How often something happened, so that the test cannot pass without all cases. */
const happened = new Map<string, number>();
const note = (event: string) => void happened.set(event, (happened.get(event) ?? 0) + 1);

it(`audiences say who really sees an entry or a goal, and previews what a change really does, in ${WORLDS} random worlds`, async () => {
  await tryWorlds(api, WORLDS, planned, liveAndCompare);
  expect(EVENTS.filter((event) => !happened.has(event))).toEqual([]);
});

const EVENTS = [
  ...[
    "private",
    "explicit",
    "inherited_from_notebook",
    "not_inherited",
    "share_void",
    "public",
    "hidden_by_moderation",
  ].flatMap((reason) => [`journal, metadata: ${reason}`, `journal, content: ${reason}`]),
  ...["private", "explicit", "share_void", "public", "hidden_by_moderation"].flatMap((reason) => [
    `goal, metadata: ${reason}`,
    `goal, content: ${reason}`,
  ]),
  ...["journal", "goal"].map((noun) => `${noun}, content: limited_by_metadata`),
  ...["all", "metadata", "nothing", "not found"].map((part) => `sees: ${part}`),
  ...[
    "a shared entry: done",
    "a shared entry: refused",
    "a new entry: done",
    "a shared goal: done",
    "a shared goal: refused",
  ].map((kind) => `preview of ${kind}`),
  ...["widened", "narrowed", "both", "refused"].map((kind) => `preview of a notebook: ${kind}`),
];

const ABOUT_OTHER_THINGS = ["hide tone pack", "hide drop", "send drop", "buy tone pack"];

/** A world, further changes of who sees entries, and two people who may only read at its end. */
const planned = fc.record({ changes: sharingSteps, suspended: fc.nat(4), closing: fc.nat(4), world: plan });
type Planned = typeof planned extends fc.Arbitrary<infer Value> ? Value : never;

async function liveAndCompare({ client, send }: Stage, { world: plan, changes, ...readOnly }: Planned): Promise<void> {
  const world = imagine(plan);
  await build(client, world);
  const previewed = previewing(world, send, note);
  for (const step of [...plan.hides, ...plan.steps, ...changes]) {
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
}
