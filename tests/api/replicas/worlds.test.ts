import fc from "fast-check";
import { expect, it } from "vitest";
import { MOMENT } from "#database/pool";
import { UNREAD_STORE } from "#tests/file-store";
import { LONG } from "#tests/long";
import { asSuperuser } from "#tests/people";
import { sendingTo } from "../visibility/client.ts";
import { compareWithReference } from "../visibility/compare.ts";
import { plan } from "../visibility/plan.ts";
import { build, imagine } from "../visibility/scene.ts";
import { happen } from "../visibility/steps.ts";
import { useReplicatedApi } from "./replicated-api.ts";

const WORLDS = LONG ? 1_000 : 2;

const api = useReplicatedApi({
  ...UNREAD_STORE,
  DATABASE_READ_SHARED: "on",
  DATABASE_READ_MAX_LAG_SECONDS: "60",
});

it(`after the last change, a replica shows what the specification says, in ${WORLDS} random worlds`, async () => {
  let position = "";
  const send = sendingTo(async (request) => {
    request.headers.set("x-nectar-position", position);
    const response = await api.fetch(request);
    position = response.headers.get("x-nectar-position") ?? position;
    return response;
  });
  let served = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (planned) => {
      const world = imagine(planned);
      position = await asSuperuser(api.database.primary.adminUrl, async (client) => {
        await client.query("delete from auth.users where id <> private.system_user_id()");
        // More drops than the steps of a world can send.
        await client.query(
          "update nectar.encouragement_config set daily_allowance = 100, max_custom_drops_per_day = 100",
        );
        await build(client, world);
        return (await client.query(MOMENT)).rows[0].moment;
      });
      for (const step of [...planned.drops, ...planned.hides, ...planned.steps]) await happen(world, send, step);
      await api.database.caughtUp();
      api.servers();
      for (const viewer of world.people) await compareWithReference(world, send, viewer);
      served += api.servers().filter((server) => server === "replica").length;
    }),
    { numRuns: WORLDS },
  );
  expect(served).toBeGreaterThan(100 * WORLDS);
});
