import { expect, it } from "vitest";
import { createCrowd } from "#tests/crowd";
import { asSuperuser } from "#tests/people";
import { DATE, dayScene, NOTHING } from "./day-scene.ts";

const { api, run } = dayScene();
/** More than one transaction ends. */
const PLAYERS = 5_002;

it("the end of a day goes on after a slice with a day whose next person is being deleted", async () => {
  await asSuperuser(api.adminUrl, async (client) => {
    const [next = "", ...players] = await createCrowd(client, PLAYERS + 1);
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into nectar.chains (date, user_id, after_user_id, team_color, area_key, activity_type, timezone,
         window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
       select d, p.id, case when p.n = 1 then $3::uuid end, 'red', 'city:test', 'walk', 'UTC', '06:00', '08:00',
         d + interval '6 hours', d + interval '8 hours', d + interval '1 day'
       from unnest($2::uuid[]) with ordinality p (id, n)
       cross join (select $1::date as d) day`,
      [DATE, players.toSorted(), next],
    );
    await client.query(
      "insert into private.open_days (day_ends_at, user_id, chain_id) select day_ends_at, user_id, id from nectar.chains",
    );
    await client.query("set session_replication_role = origin");
    api.at("2026-11-19T00:00:00Z");
    await client.query("begin");
    await client.query("select from nectar.profiles where id = $1 for update", [next]);
    expect((await run("end-of-day")).body.results).toEqual({ ...NOTHING, closed: PLAYERS - 1, failed: PLAYERS - 1 });
    await client.query("commit");
    expect((await run("end-of-day")).body.results).toEqual({ ...NOTHING, closed: 1, failed: 1, notified: 1 });
  });
});
