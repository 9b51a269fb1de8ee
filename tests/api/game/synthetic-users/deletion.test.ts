import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { CRON_SECRET, GAME, gameOf } from "../chain-scene.ts";
import { playDay } from "../game-days.ts";

const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET } });
/** A Saturday; its battle begins on Monday the 16th. */
const DATE = "2026-11-21";

const game = gameOf(api);
const root = beforeTests(() => api.person({ role: "super_admin" }));
beforeAll(() => api.at(`${DATE}T00:30:00Z`));

/** Synthetic users who play in a city, all from six o'clock in UTC. */
async function synthetics(city: string, count: number): Promise<string[]> {
  const { users } = await api.post(`${GAME}/admin/ai-users/generate`, root, { count }).created();
  const ids = users.map(({ id }) => id);
  await api.query`update nectar.user_locations set city = ${city} where user_id = any (${ids})`;
  await api.query`update nectar.workout_windows set timezone = 'UTC', effective_from = '2026-11-01',
      window_start_time = '06:00', window_end_time = '08:00'
    where user_id = any (${ids})`;
  await api.query`delete from nectar.chains where user_id = any (${ids})`;
  return ids;
}

const remove = (id: string) => api.delete(`${GAME}/admin/ai-users/${id}`, root);
const rowOf = async (id: string) => (await game.rows(DATE)).find(({ user_id }) => user_id === id);

describe("players who were linked to a deleted synthetic user", () => {
  it("get another neighbor and squad immediately if their window has not opened", async () => {
    await synthetics("Linkville", 6);
    const ada = await game.player("Linkville", 10);
    await game.cron({ date: DATE });
    const before = await rowOf(ada.id);
    const neighbor = before?.before_user_id ?? "";
    expect(neighbor).not.toBe("");
    await remove(neighbor).ok();
    const after = await rowOf(ada.id);
    expect(after?.before_user_id).toEqual(expect.any(String));
    expect(after?.before_user_id).not.toBe(neighbor);
    const squads = await api.query`select q.id, num_nonnulls(q.user_1_id, q.user_2_id, q.user_3_id) as members
      from nectar.squads q join nectar.chains c on c.squad_id = q.id and c.area_key = 'city:utc:linkville'
        group by q.id`;
    for (const { members } of squads) expect(members).toBe(3);
  });

  it("are matched again if matching links them during the deletion", async () => {
    const pair = await synthetics("Raceville", 2);
    const ada = await game.player("Raceville", 10);
    await game.cron({ date: DATE });
    const gone = (await rowOf(ada.id))?.before_user_id ?? "";
    const other = pair.find((id) => id !== gone) ?? "";
    expect(pair).toContain(gone);
    await api.query`update nectar.chains set before_user_id = null, after_user_id = null, squad_id = null
      where user_id = any (${[gone, ada.id]})`;
    await api.inTransaction(async ({ query }) => {
      // As matching does: it locks the profiles of everyone it links until the result is written.
      await query`select from nectar.profiles where id = any (${[gone, ada.id]}) for key share`;
      await query`update nectar.chains set after_user_id = ${ada.id} where user_id = ${gone}`;
      await query`update nectar.chains set before_user_id = ${gone} where user_id = ${ada.id}`;
      const deletion = remove(gone);
      await api.untilWaiting();
      await query`commit`;
      await deletion.ok();
    });
    expect((await rowOf(ada.id))?.before_user_id).toBe(other);
  });

  it("keep their past rows without the deleted neighbor, and completed battles keep the chips", async () => {
    const [gone = "", mate = ""] = await synthetics("Pastville", 2);
    const ada = await api.person();
    const past = "2026-11-12";
    await playDay(api, { person: { id: gone }, date: past, team: "red", after: ada, status: "verified", chips: 3 });
    await playDay(api, { person: ada, date: past, team: "red", startsAt: `${past}T14:00:00Z`, status: "verified" });
    await playDay(api, { person: { id: mate }, date: past, team: "red" });
    await api.query`update nectar.chains set before_user_id = ${gone} where user_id = ${ada.id} and date = ${past}`;
    await api.query`with squad as (
        insert into nectar.squads (date, user_1_id, user_2_id, user_3_id, team_color)
          values (${past}, ${gone}, ${ada.id}, ${mate}, 'red')
        returning id
      ) update nectar.chains c set squad_id = squad.id from squad where c.date = ${past}
        and c.user_id in (${gone}, ${ada.id}, ${mate})`;
    await api.post(`${GAME}/battle/execute/2026-11-09`, root);
    await api.query`insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash)
      select id, user_id, id, repeat('01', 32)::bit(64) from nectar.workout_checkins where user_id = ${gone}`;
    const [photo] = await api.query`select photo_key from nectar.workout_checkin_photos where user_id = ${gone}`;

    await remove(gone).ok();
    const rows = await api.query`select c.user_id, c.before_user_id, q.user_1_id, q.user_2_id, q.user_3_id
      from nectar.chains c join nectar.squads q on q.id = c.squad_id where c.date = ${past}
      order by c.window_starts_at desc`;
    const links = { before_user_id: null, user_1_id: null, user_2_id: ada.id, user_3_id: mate };
    expect(rows).toEqual([ada.id, mate].map((user_id) => ({ user_id, ...links })));
    const battle = await api.one`select red_team_chips, red_team_members from nectar.battles
      where week_start_date = '2026-11-09'`;
    expect(battle).toEqual({ red_team_chips: 4, red_team_members: 3 });
    const checkIns = await api.query`select user_id from nectar.workout_checkins where date = ${past}`;
    expect(checkIns).toEqual([{ user_id: ada.id }]);
    // Housekeeping removes the file of a deleted row.
    const files = await api.query`select store from private.stored_files_to_remove
      where path = ${photo?.photo_key} and remove_after <= now()`;
    expect(files).toEqual([{ store: "private" }]);
    // A squad is deleted with its last member.
    await remove(mate);
    await api.query`delete from auth.users where id = ${ada.id}`;
    expect(await api.query`select from nectar.squads where date = ${past}`).toEqual([]);
  });
});
