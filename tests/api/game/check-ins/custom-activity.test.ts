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
  const custom_activity = climbing.customActivity;
  const { chain } = await api.get(`${GAME}/chain/${DAY}`, ben).ok();
  expect(chain.beforeUser).toMatchObject({ id: ada.id, activity_type: "other", custom_activity });
  expect(chain.currentUser).toMatchObject({ activity_type: "walk", custom_activity: null });

  api.at(`${DAY}T06:30:00Z`);
  const photo = await scene.photoAt(`${DAY}T06:20:00Z`);
  const { checkin } = await scene.checkIn(ada, photo, { fields: { activityType: "other" } }).created();
  const own = (await api.get(`${GAME}/checkin/${DAY}`, ada).ok()).checkin;
  const [seen] = (await api.get(`${GAME}/checkins/${DAY}`, ben).ok()).checkins;
  const admin = await api.person({ role: "admin" });
  const [reviewed] = (await api.get(`${GAME}/admin/checkins`, admin).ok()).checkins;
  for (const shown of [checkin, own, seen, reviewed]) expect(shown).toMatchObject({ custom_activity });

  // A later change of the window does not change a day that has begun.
  const times = { windowStartTime: "06:00", windowEndTime: "08:00", timezone: "UTC" };
  await api.post(`${GAME}/setup`, ada, { ...climbing, customActivity: "Juggling", ...times });
  const later = await api.get(`${GAME}/chain/${DAY}`, ben).ok();
  expect(later.chain.beforeUser?.custom_activity).toBe(custom_activity);
  const tomorrow = await api.get(`${GAME}/chain/2026-03-05`, ben).ok();
  expect(tomorrow.chain.beforeUser?.custom_activity).toBe("Juggling");
});

it("is null for a check-in of any other activity", async () => {
  api.at(`${DAY}T03:00:00Z`);
  const ada = await scene.player(6, climbing);
  api.at(`${DAY}T06:30:00Z`);
  const { status, body } = await scene.checkIn(ada, await scene.photoAt(`${DAY}T06:21:00Z`));
  expect([status, body.checkin.activity_type, body.checkin.custom_activity]).toEqual([201, "walk", null]);
});
