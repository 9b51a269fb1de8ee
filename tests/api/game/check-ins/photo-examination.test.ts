import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { heicGrid, jpegWith, picture } from "#tests/photos";
import { leaveQuota } from "#tests/quota";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: await useFileStore() });
const scene = checkInsOf(api);
const DAY = "2026-03-04";

async function playerInWindow() {
  api.at(`${DAY}T05:00:00Z`);
  const person = await scene.player(6);
  api.at(`${DAY}T06:30:00Z`);
  return person;
}

it("examines 30 photos per person and day, including refused ones, then responds 429", async () => {
  const ada = await playerInWindow();
  const blank = await jpegWith(null, picture(1).linear(0, 250));
  for (let count = 0; count < 30; count += 1) {
    // The count must not start again if the test runs across midnight.
    if (count === 1) await leaveQuota(api.adminUrl, ada, "photo_examination", 29);
    await scene.checkIn(ada, blank).refused(400, "checkin.unusable_photo");
  }
  const refused = await scene.checkIn(ada, await scene.photoAt(`${DAY}T06:20:00Z`));
  expect([refused.status, refused.body.code]).toEqual([429, "quota.exhausted"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await scene.stored(ada)).toEqual([]);
  expect(await scene.leftovers(ada)).toEqual([]);
  expect(await scene.photos(ada)).toEqual([]);

  // Each person has a separate count.
  const ben = await playerInWindow();
  await scene.checkIn(ben, await scene.photoAt(`${DAY}T06:20:00Z`)).created();
});

it("examines no more photos than the quota has left when many arrive in parallel", async () => {
  const ada = await playerInWindow();
  await leaveQuota(api.adminUrl, ada, "photo_examination", 2);
  const blank = await jpegWith(null, picture(1).linear(0, 250));
  const responses = await Promise.all(Array.from({ length: 6 }, () => scene.checkIn(ada, blank)));
  const codes = responses.map(({ body }) => body.code).toSorted();
  expect(codes).toEqual([...Array(2).fill("checkin.unusable_photo"), ...Array(4).fill("quota.exhausted")]);
});

it("responds to other requests while a HEIC is decoded", async () => {
  const ada = await playerInWindow();
  const heic = await heicGrid(5_712, 4_284, "photo");
  let isExamined = false;
  const startedAt = performance.now();
  const checkIn = scene.checkIn(ada, heic).finally(() => {
    isExamined = true;
  });
  let [longestWait, lastAnsweredAt] = [0, startedAt];
  while (!isExamined) {
    await api.get("/health").ok();
    longestWait = Math.max(longestWait, performance.now() - lastAnsweredAt);
    lastAnsweredAt = performance.now();
    await setTimeout(5);
  }
  // Decoding is most of the work: on the thread that handles requests, one of them would have waited for all of it.
  expect(longestWait).toBeLessThan((performance.now() - startedAt) / 2);
  // The grid has no time; on a very slow machine it is not decoded in time.
  expect((await checkIn).body.code).toMatch(/^checkin\.(no_photo_time|unusable_photo)$/);
});
