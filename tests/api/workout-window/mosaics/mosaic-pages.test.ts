import { describe, expect, it } from "vitest";
import { crowd, playDay } from "../game-days.ts";
import { DATE, mosaicScene } from "./mosaic-scene.ts";

const { api, generate, people, play, read } = await mosaicScene();

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
    const ids = [people.ada, people.ben, people.cleo, people.dora].map(({ id }) => id).toSorted();
    const [first, ...others] = [people.ada, people.ben, people.cleo, people.dora].toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    );
    if (first === undefined) throw new Error("no one plays");
    for (const person of others) await playDay(api, { person, date: DATE, team: "red" });
    await generate();
    const page = (await read(DATE, "?limit=2")).body;
    await playDay(api, { person: first, date: DATE, team: "blue" });
    await generate();
    const next = (await read(DATE, `?limit=2&cursor=${page.nextCursor}`)).body;
    expect([...page.mosaic.sections, ...next.mosaic.sections].map(({ userId }) => userId)).toEqual(ids.slice(1));
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
  }, 60_000);
});
