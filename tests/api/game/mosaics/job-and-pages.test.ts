import { describe, expect, it } from "vitest";
import { checkIn, crowd, playDay } from "../game-days.ts";
import { DATE, mosaicScene } from "./mosaic-scene.ts";

const { api, files, generate, job, people, play, read } = await mosaicScene();

/** Runs the job. Returns how many mosaics it queued and how many of them were drawn. */
async function draw(): Promise<{ queued: unknown; drawn: number }> {
  const before = await drawnAt();
  const { results } = (await job()).body;
  const drawn = (await drawnAt()).filter((row) => !before.includes(row)).length;
  return { queued: results?.queued, drawn };
}

/** All mosaics with the time at which they were drawn. */
async function drawnAt(): Promise<string[]> {
  const rows = await api.query<{ row: string }>`select date || ' ' || seen_at as row from nectar.mosaics`;
  return rows.map(({ row }) => row);
}

describe("POST cron/mosaics", () => {
  it("draws those of today and yesterday in all time zones, and again only if they changed", async () => {
    for (const date of ["2026-11-15", "2026-11-16", "2026-11-17", DATE, "2026-11-19", "2026-11-20"]) {
      await playDay(api, { person: people.ada, date, team: "red" });
    }
    // Today is the 17th at one end of the earth and the 19th at the other; yesterday was the 16th at the earliest.
    api.at(`${DATE}T11:00:00Z`);
    expect(await draw()).toEqual({ queued: 4, drawn: 4 });
    expect(await api.query`select date::text from nectar.mosaics order by date`).toEqual(
      ["2026-11-16", "2026-11-17", DATE, "2026-11-19"].map((date) => ({ date })),
    );
    expect(await draw()).toEqual({ queued: 4, drawn: 0 });
    expect(await files()).toEqual([]);
    await checkIn(api, { person: people.ada, date: DATE, team: "red" });
    expect(await draw()).toEqual({ queued: 4, drawn: 1 });
    expect((await read()).body.mosaic.stats).toMatchObject({ completed: 1, pending: 0 });
  });

  it("draws an older one again after a review of a pending check-in in it", async () => {
    await play();
    await generate();
    const cleosDay = "2026-11-17";
    await playDay(api, { person: people.cleo, date: cleosDay, team: "red", status: "rejected" });
    await generate(cleosDay);
    api.at("2026-11-30T12:00:00Z");
    // Dora's window has ended since; Ben's photo waits for review.
    expect(await draw()).toEqual({ queued: 1, drawn: 1 });
    expect((await read()).body.mosaic.stats).toEqual({ totalParticipants: 4, completed: 1, failed: 2, pending: 1 });
    expect(await draw()).toEqual({ queued: 0, drawn: 0 });
    await api.query`update nectar.workout_checkins set status = 'verified', verified_at = now()
      where user_id = ${people.ben.id}`;
    expect(await draw()).toEqual({ queued: 1, drawn: 1 });
    expect((await read()).body.mosaic.stats).toMatchObject({ completed: 2, pending: 0 });
    expect(await draw()).toEqual({ queued: 0, drawn: 0 });
  });

  it("is completed by the next run if the process dies between image and row", async () => {
    await play();
    await api.query(`
      create function private.break_off() returns trigger language plpgsql as
        $$ begin raise exception 'broken off' using errcode = '57P01'; end $$;
      create trigger break_off before insert on nectar.mosaics for each row execute function private.break_off()`);
    try {
      expect(await draw()).toEqual({ queued: 1, drawn: 0 });
    } finally {
      await api.query`drop function private.break_off cascade`;
    }
    // The image lies there without a row; the note says that it may be removed, in an hour.
    expect(await files()).toMatchObject([{ due: false }]);
    await read().refused(404);
    expect(await draw()).toEqual({ queued: 1, drawn: 1 });
    expect((await read()).body.mosaic.sections).toHaveLength(4);
  });

  it("draws the other dates if one fails, and that one in the next run", async () => {
    for (const date of ["2026-11-17", DATE, "2026-11-19"]) {
      await playDay(api, { person: people.ada, date, team: "red" });
    }
    api.at(`${DATE}T11:00:00Z`);
    await api.query(`
      create function private.refuse_date() returns trigger language plpgsql as
        $$ begin raise exception 'refused' using errcode = 'P0001'; end $$;
      create trigger refuse_date before insert on nectar.mosaics
        for each row when (new.date = '2026-11-17') execute function private.refuse_date()`);
    try {
      expect(await draw()).toEqual({ queued: 3, drawn: 2 });
    } finally {
      await api.query`drop function private.refuse_date cascade`;
    }
    expect(await draw()).toEqual({ queued: 3, drawn: 1 });
  });
});

/** The maximum size of a response of a function. */
const LAMBDA_BYTES = 6 * 1_024 * 1_024;
/** The size of a response as a function sends it: the body as a string in JSON. */
const sentBytes = (body: object) => Buffer.byteLength(JSON.stringify({ statusCode: 200, body: JSON.stringify(body) }));

describe("pages of sections", () => {
  it("follow each other without a gap", async () => {
    await play();
    await generate();
    const all = (await read()).body.mosaic.sections;
    const first = (await read(DATE, "?limit=3")).body;
    const second = (await read(DATE, `?limit=3&cursor=${first.nextCursor}`)).body;
    expect([first.mosaic.sections.length, second.mosaic.sections.length, second.nextCursor]).toEqual([3, 1, null]);
    expect([...first.mosaic.sections, ...second.mosaic.sections]).toEqual(all);
    expect(second.mosaic.stats.totalParticipants).toBe(4);
  });

  it("repeat and skip no one if it is drawn again between them", async () => {
    const { ada, ben, cleo, dora } = people;
    const [first = "", ...others] = [ada, ben, cleo, dora].map(({ id }) => id).toSorted();
    for (const id of others) await playDay(api, { person: { id }, date: DATE, team: "red" });
    await generate();
    const page = (await read(DATE, "?limit=2")).body;
    await playDay(api, { person: { id: first }, date: DATE, team: "blue" });
    await generate();
    const next = (await read(DATE, `?limit=2&cursor=${page.nextCursor}`)).body;
    expect([...page.mosaic.sections, ...next.mosaic.sections].map(({ userId }) => userId)).toEqual(others);
    expect(next.mosaic.stats.totalParticipants).toBe(4);
    expect(next.nextCursor).toBeNull();
  });

  it.each(["?limit=some", `?cursor=${Buffer.from("after -1").toString("base64url")}`])("%s is 400", async (search) => {
    await read(DATE, search).refused(400);
  });

  it("stay below six megabytes with any number of players and any names", async () => {
    await crowd(api, 30_000, DATE);
    await generate();
    // A name in three bytes a letter, and one in letters that are escaped twice: in the body, and around it.
    for (const letter of ["働", '"']) {
      await api.query`update nectar.profiles set full_name = repeat(${letter}, 100)
        where not is_ai and full_name !~ '^Person'`;
      const sizes: number[] = [];
      const seen = new Set<string>();
      let cursor = "";
      do {
        const { body } = await read(DATE, cursor);
        sizes.push(sentBytes(body));
        for (const { userId } of body.mosaic.sections) seen.add(userId);
        cursor = body.nextCursor === null ? "" : `?cursor=${body.nextCursor}`;
      } while (cursor !== "");
      expect(seen.size).toBe(30_000);
      expect(Math.max(...sizes)).toBeLessThan(LAMBDA_BYTES);
    }
    await api.query`update nectar.profiles set full_name = 'Bo' where full_name !~ '^Person'`;
    const { body } = await read();
    expect(body.mosaic.sections).toHaveLength(20_000);
    expect(body.nextCursor).not.toBeNull();
  });
});
