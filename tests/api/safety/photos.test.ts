import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { gameOf } from "../game/chain-scene.ts";
import { checkInsOf } from "../game/photo-scene.ts";
import { moderatingOf } from "./moderating.ts";

const api = useApi({ environment: await useFileStore() });
const { checkIn, photoAt } = checkInsOf(api);
const DAY = "2031-05-14";

/** Two neighbors, each with a check-in. */
const pair = beforeTests(async () => {
  api.at(`${DAY}T03:00:00Z`);
  const [early, late] = [await gameOf(api).player("Ulm", 6), await gameOf(api).player("Ulm", 8)];
  api.at(`${DAY}T06:30:00Z`);
  await checkIn(early, await photoAt(`${DAY}T06:20:00Z`)).created();
  api.at(`${DAY}T08:30:00Z`);
  await checkIn(late, await photoAt(`${DAY}T08:20:00Z`)).created();
  return { early, late };
});

/** Whether a reader gets the address of the photo of another one's check-in. */
async function seesPhotoOf(reader: Person, other: Person): Promise<boolean> {
  const { checkins } = await api.get(`/api/workout-window/checkins/${DAY}`, reader).ok();
  const found = checkins.find(({ user_id }) => user_id === other.id);
  if (found === undefined) throw new Error("The check-in is missing.");
  return found.photo_url !== null;
}

it("a photo of a check-in has no address for neighbors with a block between them, and their own photos have", async () => {
  const { early, late } = pair;
  expect([await seesPhotoOf(early, late), await seesPhotoOf(late, early)]).toEqual([true, true]);
  await api.post("/api/blocks", early, { user_id: late.id }).created();
  expect([await seesPhotoOf(early, late), await seesPhotoOf(late, early)]).toEqual([false, false]);
  expect([await seesPhotoOf(early, early), await seesPhotoOf(late, late)]).toEqual([true, true]);
  await api.delete(`/api/blocks/${late.id}`, early).ok();
  expect([await seesPhotoOf(early, late), await seesPhotoOf(late, early)]).toEqual([true, true]);
});

it("a check-in is reported by those who can see its photo, and could without their own block", async () => {
  const { early, late } = pair;
  const stranger = await api.person();
  const { checkins } = await api.get(`/api/workout-window/checkins/${DAY}`, early).ok();
  const checkinOf = (person: Person) => checkins.find(({ user_id }) => user_id === person.id)?.id ?? "";
  const { report } = moderatingOf(api);
  await report(stranger, "checkin", checkinOf(late)).refused(404, "report.target_not_found");
  await api.post("/api/blocks", early, { user_id: late.id }).created();
  await report(early, "checkin", checkinOf(late)).created();
  await report(late, "checkin", checkinOf(early)).refused(404, "report.target_not_found");
  await api.delete(`/api/blocks/${late.id}`, early).ok();
  await report(late, "checkin", checkinOf(early)).created();
});

it("an admin who blocked someone sees the photo where check-ins are reviewed, and not in the game", async () => {
  const { early } = pair;
  const root = await api.person({ role: "super_admin" });
  expect(await seesPhotoOf(root, early)).toBe(true);
  await api.post("/api/blocks", root, { user_id: early.id }).created();
  expect(await seesPhotoOf(root, early)).toBe(false);
  const { checkins } = await api.get("/api/workout-window/admin/checkins", root).ok();
  expect(checkins.find(({ user_id }) => user_id === early.id)?.photo_url).toEqual(expect.any(String));
});
