import { describe, expect, it } from "vitest";
import { checkIn, playDay } from "../game-days.ts";
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
    await api.query(`create function private.break_off() returns trigger language plpgsql as
      $$ begin raise exception 'broken off' using errcode = '57P01'; end $$`);
    await api.query(
      "create trigger break_off before insert on nectar.mosaics for each row execute function private.break_off()",
    );
    try {
      expect(await draw()).toEqual({ queued: 1, drawn: 0 });
    } finally {
      await api.query`drop trigger break_off on nectar.mosaics`;
      await api.query`drop function private.break_off`;
    }
    // The image lies there without a row; the note says that it may be removed, in an hour.
    expect(await files()).toMatchObject([{ due: false }]);
    await read().refused(404);
    expect(await draw()).toEqual({ queued: 1, drawn: 1 });
    expect((await read()).body.mosaic.sections).toHaveLength(4);
  });
});
