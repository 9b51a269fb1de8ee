import { expect, it } from "vitest";
import { PhotoTurns } from "#http/services/photo-turns";

const MEGABYTE = 1024 * 1024;

/** A request that declares its size. */
function request(size?: number): Request {
  return new Request("http://localhost", size === undefined ? {} : { headers: { "content-length": String(size) } });
}

/** Takes the turn of a person until `end` is called. */
function take(turns: PhotoTurns, person: string, size?: number) {
  const work = Promise.withResolvers<string>();
  const result = turns.take(person, request(size), () => work.promise);
  result.catch(() => undefined);
  return { result, end: () => work.resolve(person) };
}

const BUSY = { code: "service.busy", status: 503, retryAfterSeconds: 3 };

it("a person has one photo at a time; another one waits, and is refused without reading it", async () => {
  const turns = new PhotoTurns(20);
  const first = take(turns, "ada", 1);
  let isRead = false;
  const second = turns.take("ada", request(1), async () => {
    isRead = true;
  });
  await expect(second).rejects.toMatchObject({ code: "quota.too_many_at_once", status: 429, retryAfterSeconds: 1 });
  expect(isRead).toBe(false);
  const waiting = take(turns, "ada", 1);
  first.end();
  waiting.end();
  expect(await Promise.all([first.result, waiting.result])).toEqual(["ada", "ada"]);
});

it("twenty people have a photo in memory, and the next one is 503 until one has ended", async () => {
  const turns = new PhotoTurns();
  const all = Array.from({ length: 20 }, (_, index) => take(turns, `person ${index}`, 1_000));
  await expect(take(turns, "late", 1_000).result).rejects.toMatchObject(BUSY);
  all[7]?.end();
  await all[7]?.result;
  const next = take(turns, "next", 1_000);
  next.end();
  expect(await next.result).toBe("next");
});

it("all photos together have 64 MB, a form without a size counts as a full one, and what ended counts no more", async () => {
  const turns = new PhotoTurns();
  const forms = Array.from({ length: 15 }, (_, index) => take(turns, `person ${index}`));
  await expect(take(turns, "late").result).rejects.toMatchObject(BUSY);
  for (const { end } of forms) end();
  await Promise.all(forms.map(({ result }) => result));
  const uploads = ["ada", "ben", "cleo"].map((person) => {
    const turn = take(turns, person, 100);
    turns.hold(person, 20 * MEGABYTE);
    return turn;
  });
  const fourth = take(turns, "dan", 100);
  expect(() => turns.hold("dan", 20 * MEGABYTE)).toThrow("The service is busy; try again.");
  turns.hold("dan", 2 * MEGABYTE);
  for (const { end } of [...uploads, fourth]) end();
});
