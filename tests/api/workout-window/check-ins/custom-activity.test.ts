import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: await useFileStore() });
const scene = checkInsOf(api);
const DAY = "2026-03-04";
const GAME = "/api/workout-window";
const climbing = { activityType: "other", customActivity: 'Climbing, "free"' };

const inCity = (person: Person) => api.put(`${GAME}/update-location`, person, { city: "Ulm" });

it("is on player cards and on check-ins with the activity other", async () => {
  api.at(`${DAY}T03:00:00Z`);
  const [ada, ben] = [await scene.player(6, climbing), await scene.player(9)];
  await inCity(ada);
  await inCity(ben);
  const cards = await api.get(`${GAME}/chain/${DAY}`, ben);
  expect(cards.body.chain.beforeUser).toMatchObject({
    id: ada.id,
    activity_type: "other",
    custom_activity: climbing.customActivity,
  });
  expect(cards.body.chain.currentUser).toMatchObject({ activity_type: "walk", custom_activity: null });

  api.at(`${DAY}T06:30:00Z`);
  const checkedIn = await scene
    .checkIn(ada, await scene.photoAt(`${DAY}T06:20:00Z`), {
      fields: { activityType: "other" },
    })
    .created();
  expect(checkedIn.checkin.custom_activity).toEqual(climbing.customActivity);
  const own = await api.get(`${GAME}/checkin/${DAY}`, ada);
  expect(own.body.checkin?.custom_activity).toBe(climbing.customActivity);
  const all = await api.get(`${GAME}/checkins/${DAY}`, ben);
  expect(all.body.checkins[0].custom_activity).toBe(climbing.customActivity);
  const admin = await api.person({ role: "admin" });
  const reviews = await api.get(`${GAME}/admin/checkins`, admin);
  expect(reviews.body.checkins[0].custom_activity).toBe(climbing.customActivity);

  // A later change of the window does not change a day that has begun.
  await api.post(`${GAME}/setup`, ada, {
    activityType: "other",
    customActivity: "Juggling",
    windowStartTime: "06:00",
    windowEndTime: "08:00",
    timezone: "UTC",
  });
  const { body: later } = await api.get(`${GAME}/chain/${DAY}`, ben);
  expect(later.chain.beforeUser?.custom_activity).toBe(climbing.customActivity);
  const { body: tomorrow } = await api.get(`${GAME}/chain/2026-03-05`, ben);
  expect(tomorrow.chain.beforeUser?.custom_activity).toBe("Juggling");
});

it("is null for a check-in of any other activity", async () => {
  api.at(`${DAY}T03:00:00Z`);
  const ada = await scene.player(6, climbing);
  api.at(`${DAY}T06:30:00Z`);
  const { status, body } = await scene.checkIn(ada, await scene.photoAt(`${DAY}T06:21:00Z`));
  expect([status, body.checkin.activity_type, body.checkin.custom_activity]).toEqual([201, "walk", null]);
});
