import { describe, expect, it } from "vitest";
import { drawMosaic, mosaicLayout, pieceAt } from "#core/game/mosaic";
import { removeUnownedFiles } from "#functions/health/stored-files";
import { withinBudget } from "#http/jobs/jobs";
import { encodePng } from "#providers/png";
import { GAME } from "../chain-scene.ts";
import { checkIn, playDay } from "../game-days.ts";
import { DATE, mosaicScene } from "./mosaic-scene.ts";

const { api, download, files, generate, imageKey, job, people, play, read, waitingFor } = await mosaicScene();

describe("the mosaic of a date", () => {
  it("has a section for each participant, in the order of their ids, and an image that shows them", async () => {
    await play();
    const generated = await generate().ok();
    expect(generated.message).toBe("The mosaic was drawn.");
    const body = await read().ok();
    expect(generated.mosaic.sections).toEqual(body.mosaic.sections);
    const layout = mosaicLayout(4);
    const { ada, ben, cleo, dora } = people;
    const expected = [
      { person: ada, status: "completed", teamColor: "red" } as const,
      { person: ben, status: "pending", teamColor: "blue" } as const,
      { person: cleo, status: "failed", teamColor: "red" } as const,
      { person: dora, status: "pending", teamColor: "blue" } as const,
    ].toSorted((one, other) => (one.person.id < other.person.id ? -1 : 1));
    expect(body.mosaic.sections).toEqual(
      expected.map(({ person, status, teamColor }, position) => ({
        userId: person.id,
        userName: `Person ${person.id.slice(0, 4)}`,
        status,
        coordinates: pieceAt(layout, position),
        teamColor,
      })),
    );
    expect(body.mosaic.stats).toEqual({ totalParticipants: 4, completed: 1, failed: 1, pending: 2 });
    expect(body.mosaic.date).toBe(DATE);
    expect(body.nextCursor).toBeNull();
    const image = await download(body.mosaic.imageUrl);
    expect([image.status, image.type]).toEqual([200, "image/png"]);
    const drawn = await encodePng(drawMosaic(layout, expected), { width: layout.side, height: layout.side });
    expect(image.bytes.equals(drawn)).toBe(true);
    expect((await download(body.mosaic.imageUrl.replace(/\?.*/, ""))).status).toBe(403);
    expect(await files()).toEqual([]);
  });

  it("counts players without a check-in as failed once window and grace are over", async () => {
    await play();
    api.at(`${DATE}T14:15:00Z`);
    expect((await generate()).body.mosaic.stats.pending).toBe(2);
    api.at(`${DATE}T14:15:00.001Z`);
    expect((await generate()).body.mosaic.stats).toEqual({ totalParticipants: 4, completed: 1, failed: 2, pending: 1 });
  });

  it("counts a player as failed once the day is over, even during the grace", async () => {
    await playDay(api, { person: people.ada, date: DATE, team: "red", startsAt: `${DATE}T21:50:00Z` });
    api.at(`${DATE}T23:59:59.999Z`);
    expect((await generate()).body.mosaic.stats).toMatchObject({ failed: 0, pending: 1 });
    api.at(new Date(Date.parse(`${DATE}T24:00:00Z`)).toISOString());
    expect((await generate()).body.mosaic.stats).toMatchObject({ failed: 1, pending: 0 });
  });

  it.each(["11:44:59.999", "12:00:00", "13:59:59.999", "14:15:00", "14:15:00.001", "23:59:59"])(
    "counts all players as team-stats and check-ins do, at %s",
    async (time) => {
      await play();
      api.at(`${DATE}T${time}Z`);
      const { totalParticipants: total, completed, failed, pending } = (await generate()).body.mosaic.stats;
      const { redTeam: red, blueTeam: blue } = await api.get(`${GAME}/team-stats/${DATE}`, people.ada).ok();
      expect([red.totalMembers + blue.totalMembers, red.completed + blue.completed]).toEqual([total, completed]);
      expect([red.failed + blue.failed, red.pending + blue.pending]).toEqual([failed, pending]);
      const { stats } = (await api.get(`${GAME}/checkins/${DATE}`, people.ada)).body;
      expect(stats).toEqual({ total, completed, failed });
      const own = (await api.get(`${GAME}/checkin/${DATE}`, people.dora)).body.status;
      const section = (await read().ok()).mosaic.sections.find(({ userId }) => userId === people.dora.id);
      expect(section?.status).toBe(own === "not_started" ? "pending" : own);
    },
  );

  it("keeps the order of players when another joins", async () => {
    await play();
    const before = (await generate()).body.mosaic.sections;
    for (let n = 0; n < 3; n += 1) await playDay(api, { person: await api.person(), date: DATE, team: "red" });
    const after = (await generate()).body.mosaic.sections;
    expect(after).toHaveLength(7);
    const ids = before.map(({ userId }) => userId);
    expect(after.map(({ userId }) => userId).filter((id) => ids.includes(id))).toEqual(ids);
  });

  it("replaces the previous one, whose image stays while signed links to it are valid", async () => {
    await play();
    const { imageUrl } = (await generate()).body.mosaic;
    const before = await imageKey();
    await checkIn(api, { person: people.dora, date: DATE, team: "blue" });
    expect((await generate()).body.mosaic.stats.completed).toBe(2);
    expect(await imageKey()).not.toBe(before);
    const { services } = api;
    const housekeeping = () => removeUnownedFiles(services, withinBudget(services, 60_000));
    expect(await housekeeping()).toEqual({ files: 0, files_left: 0 });
    expect((await download(imageUrl)).status).toBe(200);
    const { minutes } = await api.one`select round(extract(epoch from remove_after - now()) / 60)::integer as minutes
      from private.stored_files_to_remove where path = ${before}`;
    expect(minutes).toBe(60);
    await api.query`update private.stored_files_to_remove set remove_after = '-infinity'`;
    expect(await housekeeping()).toEqual({ files: 1, files_left: 0 });
    expect((await download(imageUrl)).status).toBe(404);
    expect((await download((await read()).body.mosaic.imageUrl)).status).toBe(200);
  });

  it("keeps one image when many draw it in parallel; the others are queued for removal", async () => {
    await play();
    const responses = await Promise.all(Array.from({ length: 8 }, () => generate()));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const kept = await imageKey();
    const removed = (await files()).map(({ path }) => path);
    expect(removed).toHaveLength(7);
    expect(removed).not.toContain(kept);
    expect(await api.query`select count(*)::integer as n from nectar.mosaic_sections`).toEqual([{ n: 4 }]);
    expect((await download((await read()).body.mosaic.imageUrl)).status).toBe(200);
  });

  it("is never replaced by one that was read earlier", async () => {
    await play();
    await generate();
    const kept = await imageKey();
    const { stored } = await api.one(
      `select private.store_mosaic(date, jsonb_build_object('image_key', 'mosaics/late.png',
         'digest', 'late', 'seen_at', seen_at - interval '1 second', 'sections', '[]'::jsonb)) as stored
       from nectar.mosaics`,
    );
    expect(stored).toBe(false);
    expect(await imageKey()).toBe(kept);
    expect((await read()).body.mosaic.sections).toHaveLength(4);
  });

  it("is read by one run at a time, so that a later time has seen more", async () => {
    await play();
    await api.inTransaction(async ({ query, one }) => {
      await query`select pg_advisory_xact_lock(hashtextextended(${`mosaic of ${DATE}`}, 0))`;
      let finished = 0;
      const drawn = [generate(), job()].map((response) => response.finally(() => (finished += 1)));
      await expect.poll(() => waitingFor("advisory")).toHaveLength(2);
      expect(finished).toBe(0);
      // They see changes that were made while they waited.
      await checkIn(api, { person: people.dora, date: DATE, team: "blue" });
      api.at(`${DATE}T14:16:00Z`);
      const { released } = await one`select clock_timestamp()::text as released`;
      await query`commit`;
      for (const { status } of await Promise.all(drawn)) expect(status).toBe(200);
      expect(await api.query`select seen_at > ${released} as is_later from nectar.mosaics`).toEqual([
        { is_later: true },
      ]);
    });
    expect((await read()).body.mosaic.stats).toEqual({ totalParticipants: 4, completed: 2, failed: 1, pending: 1 });
  });

  it("can be read by others while its image is drawn and stored", async () => {
    await play();
    await api.inTransaction(async ({ query }) => {
      // The first one cannot write its rows; the second one reads nevertheless, and waits at the same point.
      await query`lock table nectar.mosaics in share mode`;
      const drawn = [generate(), generate()];
      const storedAndWaiting = async () => {
        const stored = await api.query`select from private.stored_files_to_remove where path like 'mosaics/%'`;
        const waiting = await waitingFor("relation");
        return [stored.length, waiting.length];
      };
      await expect.poll(storedAndWaiting).toEqual([2, 2]);
      await query`commit`;
      for (const { status } of await Promise.all(drawn)) expect(status).toBe(200);
    });
  });

  it("is empty if no one plays, and 404 if it was not drawn", async () => {
    await read().refused(404, "game.no_mosaic");
    const { body } = await generate();
    const stats = { totalParticipants: 0, completed: 0, failed: 0, pending: 0 };
    expect(body.mosaic).toMatchObject({ sections: [], stats });
    expect(body.nextCursor).toBeNull();
    expect((await download(body.mosaic.imageUrl)).status).toBe(200);
    await read().ok();
    await read("2026-11-17").refused(404);
  });

  it("shows no one twice if an account is deleted between reading and writing", async () => {
    await play();
    await generate();
    await api.query`select private.store_mosaic(m.date, jsonb_build_object('image_key', 'mosaics/next.png',
        'digest', 'next', 'seen_at', now(), 'sections', p.sections))
      from nectar.mosaics m
      cross join (
        select jsonb_agg(
          jsonb_build_object('user_id', s.user_id, 'status', 'pending', 'teamColor', 'red') order by s.position
        ) as sections
        from (
          select -1 as position, '00000000-0000-0000-0000-00000000dead'::uuid as user_id
          union all select position, user_id from nectar.mosaic_sections
        ) s
      ) p`;
    const { ada, ben, cleo, dora } = people;
    const ids = [ada, ben, cleo, dora].map(({ id }) => id).toSorted();
    const sections = await api.query`select position, user_id from nectar.mosaic_sections order by position`;
    expect(sections).toEqual(ids.map((user_id, index) => ({ position: index + 1, user_id })));
  });

  it("loses the section of a deleted account, and no other section moves", async () => {
    await play();
    const before = (await generate()).body.mosaic.sections;
    await api.query`delete from auth.users where id = ${people.cleo.id}`;
    const others = before.filter(({ userId }) => userId !== people.cleo.id);
    expect((await read()).body.mosaic.sections).toEqual(others);
  });

  it.each(["2026-02-30", "2026-11-18T00:00:00Z"])("of %s is 400", async (date) => {
    await read(date).refused(400);
    await generate(date).refused(400);
  });
});
