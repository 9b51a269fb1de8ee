import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFailingFileStore, useFileStore } from "#tests/file-store";
import { checkInsOf } from "../photo-scene.ts";

const GAME = "/api/workout-window";
const DAY = "2026-03-04";
const api = useApi({ environment: await useFailingFileStore() });
const { checkIn, photoAt, player } = checkInsOf(api);
const without = useApi();
const elsewhere = useApi({ environment: { ...(await useFileStore()), S3_REGION: "eu-west-1" } });

it("a store that fails is reported, and the check-in is not recorded", async () => {
  api.at(`${DAY}T05:00:00Z`);
  const ada = await player(6);
  api.at(`${DAY}T06:30:00Z`);
  const upload = { contentType: "image/jpeg", size: 1_000 };
  await api.post(`${GAME}/checkin/upload-url`, ada, upload).refused(500, "provider.failed");
  await checkIn(ada, await photoAt(`${DAY}T06:20:00Z`)).refused(500, "provider.failed");
  expect((await api.get(`${GAME}/checkin/${DAY}`, ada).ok()).checkin).toBeNull();
});

it("a store that fails is reported to readers of photos", async () => {
  api.at(`${DAY}T05:00:00Z`);
  const [ada, admin] = [await player(6), await api.person({ role: "admin" })];
  // A squad is three players.
  const [ben] = [await player(6), await player(6)];
  const { id } = await api.one<{ id: string }>`
    insert into nectar.workout_checkins (user_id, date, activity_type, status, chain_status, battle_week_start, verified_at)
    values (${ada.id}, ${DAY}, 'walk', 'verified', 'continued', '2026-03-02', now()) returning id`;
  await api.query`
    insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash)
    values (${id}, ${ada.id}, gen_random_uuid(), ${"01".repeat(32)}::text::bit(64))`;
  for (const path of ["checkin", "checkins", "chain", "squad"]) {
    await api.get(`${GAME}/${path}/${DAY}`, ada).refused(500, "provider.failed");
  }
  await api.get(`${GAME}/admin/checkins`, admin).refused(500, "provider.failed");
  const report = { target_type: "checkin", target_id: id, reason: "spam" };
  const reported = await api.post("/api/reports", ben, report).created();
  await api.get("/api/admin/reports", admin).refused(500, "provider.failed");
  const decision = { decision: "hide", reason: "It shows no walk." };
  await api.put(`/api/admin/reports/${reported.report.id}`, admin, decision);
  const { decisions } = await api.get("/api/moderation-decisions", ada).ok();
  const reason = "It does show one, by the lake.";
  await api.post(`/api/moderation-decisions/${decisions[0]?.id ?? ""}/appeal`, ada, { reason }).created();
  await api.get("/api/admin/appeals", admin).refused(500, "provider.failed");
  const rejection = { status: "rejected", reason: "This is not a photo of a walk." };
  await api.put(`${GAME}/admin/checkins/${id}`, admin, rejection).refused(500, "provider.failed");
});

it("a bucket in another region is named as the reason in the log, without the name of a file", async () => {
  const { checkIn: send, photoAt: photo, player: newPlayer } = checkInsOf(elsewhere);
  elsewhere.at(`${DAY}T05:00:00Z`);
  const ada = await newPlayer(6);
  elsewhere.at(`${DAY}T06:30:00Z`);
  await send(ada, await photo(`${DAY}T06:20:00Z`)).refused(500, "provider.failed");
  expect(elsewhere.logged()).toContain('"failure":{"kind":"VendorFailure","code":"PermanentRedirect","status":301,');
  expect(elsewhere.logged()).not.toContain(`/${ada.id}/`);
});

it("without a store there are no check-ins", async () => {
  const { checkIn: send, photoAt: photo, player: newPlayer } = checkInsOf(without);
  without.at(`${DAY}T05:00:00Z`);
  const ada = await newPlayer(6);
  without.at(`${DAY}T06:30:00Z`);
  await send(ada, await photo(`${DAY}T06:20:00Z`)).refused(503, "provider.not_configured");
});
