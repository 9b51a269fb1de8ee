import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { UNREAD_STORE } from "#tests/file-store";
import { LONG } from "#tests/long";
import { beforeTests } from "#tests/prepare";
import { compareTables, compareUnsettled, compareWithReference } from "./compare.ts";
import { type Plan, plan } from "./plan.ts";
import { build, imagine } from "./scene.ts";
import { happen } from "./steps.ts";
import { type Stage, tryWorlds } from "./worlds.ts";

const WORLDS = LONG ? 10_000 : 10;

const api = useApi({ environment: UNREAD_STORE });
/** Slices that were written after the request of their change. */
let batches = 0;

// A change writes one entry at once, so nearly every one leaves some to be written later.
beforeTests(
  () =>
    api.query`
    create or replace function private.max_settled_at_once() returns integer
      language sql immutable security invoker return 1
  `,
);

it(`what is withdrawn is never seen, whatever is not written yet, in ${WORLDS} random worlds`, async () => {
  await tryWorlds(api, WORLDS, plan, liveUnsettled);
  expect(batches).toBeGreaterThan(WORLDS / 4);
});

async function liveUnsettled({ client, database, send }: Stage, planned: Plan): Promise<void> {
  const settleNext = async () => {
    const { rows } = await client.query<{ settled: boolean }>("select private.settle_next() as settled");
    if (rows[0]?.settled !== true) return false;
    batches += 1;
    return true;
  };
  const world = imagine(planned);
  await build(client, world);
  for (const step of [...planned.hides, ...planned.steps]) {
    await happen(world, send, step);
    do {
      for (const viewer of world.people) await compareUnsettled(world, database, send, viewer);
    } while (await settleNext());
  }
  for (const viewer of world.people) {
    await compareTables(world, database, viewer);
    await compareWithReference(world, send, viewer);
  }
}
