import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { sentNotifications } from "#tests/notifications";
import type { Person } from "#tests/people";
import { jpegWith, picture } from "#tests/photos";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: await useFileStore() });
const { checkIn, leftovers, photoAt, photos, player } = checkInsOf(api);
const DAY = "2026-03-04";
const REASON = "Nobody is in the photo.";
const OWN = `/api/workout-window/checkin/${DAY}`;
const reviewPath = (id: string) => `/api/workout-window/admin/checkins/${id}` as const;

let seed = 7_000;
beforeEach(() => api.query`delete from nectar.battles`);

/** A person who has checked in at half past six with an edited photo, which waits for an admin. */
async function waiting() {
  api.at(`${DAY}T05:00:00Z`);
  const ada = await player(6);
  const admin = await api.person({ role: "admin" });
  api.at(`${DAY}T06:30:00Z`);
  const camera = { taken: "2026:03:04 06:20:00", offset: "+00:00", software: "Adobe Photoshop 25.0" };
  seed += 1;
  const { body } = await checkIn(ada, await jpegWith(camera, picture(seed)));
  return { ada, admin, checkin: body.checkin };
}

const sent = (person: Person) => sentNotifications(api, "checkin_reviewed", person);

describe("a reviewed check-in", () => {
  it("shows the decision, its reason and the flags to its owner only", async () => {
    const { ada, admin, checkin } = await waiting();
    expect(checkin).toMatchObject({ status: "pending", flags: ["edited"], review: null, chain_status: "continued" });
    expect(checkin).toMatchObject({ battle_chips_earned: 2, battle_week_start: "2026-03-02" });
    api.at(`${DAY}T07:00:00.000Z`);
    const { body } = await api.put(reviewPath(checkin.id), admin, { status: "rejected", reason: REASON });
    const review = { status: "rejected", reason: REASON, decided_at: `${DAY}T07:00:00.000Z` };
    expect(body.checkin).toMatchObject({ review, flags: ["edited"], review_reason: REASON });
    const own = (await api.get(OWN, ada)).body.checkin;
    const noChips = { base: 0, chain: 0, early: 0, streak: 0, raw: 0, earned: 0 };
    expect(own).toMatchObject({ review, flags: ["edited"], battle_chips_earned: 0, chip_breakdown: noChips });
    const text = { title: "Your check-in was rejected", body: `An admin has reviewed your check-in of ${DAY}.` };
    const data = { checkin_id: checkin.id, date: DAY, status: "rejected" };
    expect(await sent(ada)).toEqual([{ user_id: ada.id, ...text, data }]);
    const seenBy = async (person: Person) => {
      const { body: list } = await api.get(`/api/workout-window/checkins/${DAY}?limit=2000`, person);
      const shown = list.checkins.find(({ id }) => id === checkin.id);
      return { flags: shown?.flags, review: shown?.review };
    };
    const stranger = await player(6);
    expect(await seenBy(stranger)).toEqual({ flags: null, review: null });
    for (const person of [ada, admin]) expect(await seenBy(person)).toEqual({ flags: ["edited"], review });

    api.at(`${DAY}T08:00:00.000Z`);
    await api.put(reviewPath(checkin.id), admin, { status: "verified" });
    expect((await api.get(OWN, ada)).body.checkin).toMatchObject({
      review: { status: "verified", reason: null, decided_at: `${DAY}T08:00:00.000Z` },
      battle_chips_earned: 2,
    });
    expect((await sent(ada)).map(({ title }) => title)).toEqual([text.title, "Your check-in was verified"]);
  });

  it("is rejected with a reason of 10 to 1,000 characters only; with another, nothing changes", async () => {
    const { ada, admin, checkin } = await waiting();
    const reject = (reason: unknown) => api.put(reviewPath(checkin.id), admin, { status: "rejected", reason });
    for (const reason of [undefined, null, "", " ".repeat(20), "123456789", "x".repeat(1_001)]) {
      await reject(reason).invalid("reason");
    }
    expect((await api.get(OWN, ada)).body.checkin).toMatchObject({ status: "pending", review: null });
    expect(await sent(ada)).toEqual([]);
    for (const reason of ["1234567890", "🏃".repeat(1_000)]) {
      expect((await reject(reason).ok()).checkin?.review?.reason).toEqual(reason);
      await api.put(reviewPath(checkin.id), admin, { status: "verified" }).ok();
    }
  });
});

describe("a rejected check-in", () => {
  const reject = async () => {
    const scene = await waiting();
    api.at(`${DAY}T07:00:00Z`);
    await api.put(reviewPath(scene.checkin.id), scene.admin, { status: "rejected", reason: REASON });
    return scene;
  };

  it("is replaced by another photo while the day is open; its review is removed, and its photo kept for an appeal", async () => {
    const { ada, checkin } = await reject();
    const [before] = await photos(ada);
    api.at(`${DAY}T07:20:00Z`);
    const fields = { activityType: "cardio" };
    const body = await checkIn(ada, await photoAt(`${DAY}T07:15:00Z`), { fields }).created();
    expect(body).toMatchObject({ battleChipsEarned: 2, nextUserNotified: false });
    const replaced = { id: checkin.id, status: "verified", activity_type: "cardio", flags: [], review: null };
    expect(body.checkin).toMatchObject(replaced);
    expect(body.checkin.chip_breakdown).toMatchObject({ early: 0, earned: 2 });
    const rows = await api.query`select id from nectar.workout_checkins where user_id = ${ada.id}`;
    expect(rows).toEqual([{ id: checkin.id }]);
    const [after, ...others] = await photos(ada);
    expect([others, after?.photo_key === before?.photo_key]).toEqual([[], false]);
    expect(await leftovers(ada)).toEqual([]);
    const kept = await api.query`select photo_key from nectar.moderation_decisions where owner_id = ${ada.id}`;
    expect(kept).toEqual([{ photo_key: before?.photo_key }]);
    expect((await api.get(OWN, ada)).body.checkin?.photo_url).toContain(after?.file_id);
    await checkIn(ada, await photoAt(`${DAY}T07:16:00Z`)).refused(409, "checkin.already_checked_in");
  });

  it("is pending again if the same photo is sent again", async () => {
    const { ada, admin, checkin } = await reject();
    const photo = await photoAt(`${DAY}T07:15:00Z`);
    api.at(`${DAY}T07:20:00Z`);
    expect((await checkIn(ada, photo)).body.checkin.status).toBe("verified");
    await api.put(reviewPath(checkin.id), admin, { status: "rejected", reason: REASON });
    const { body } = await checkIn(ada, photo);
    expect(body).toMatchObject({ battleChipsEarned: 0, checkin: { status: "pending", flags: ["seen_before"] } });
  });

  it("is not replaced once the day is over (400)", async () => {
    const { ada } = await reject();
    api.at("2026-03-05T00:00:00Z");
    await checkIn(ada, await photoAt(`${DAY}T07:15:00Z`)).refused(400, "checkin.too_late");
    api.at(`${DAY}T23:00:00Z`);
    await api.query`delete from private.open_days where user_id = ${ada.id}`;
    await checkIn(ada, await photoAt(`${DAY}T07:15:00Z`)).refused(400, "checkin.too_late");
    expect((await api.get(OWN, ada)).body.checkin).toMatchObject({ status: "rejected", review: { reason: REASON } });
  });

  it("is replaced once when several photos arrive in parallel", async () => {
    const { ada } = await reject();
    api.at(`${DAY}T07:20:00Z`);
    const sent = await Promise.all(
      [7, 8, 9].map(async (minute) => checkIn(ada, await photoAt(`${DAY}T07:0${minute}:00Z`))),
    );
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(await photos(ada)).toHaveLength(1);
  });

  it("keeps the chips that a battle ended with, and they count for no other battle", async () => {
    const { ada, admin, checkin } = await waiting();
    await api.put(reviewPath(checkin.id), admin, { status: "verified" });
    const stored = () =>
      api.one`select status, battle_week_start::text as week, chain_status, is_early, battle_chips_earned as chips
        from nectar.workout_checkins where id = ${checkin.id}`;
    const before = await stored();
    await api.query`update nectar.battles set battle_status = 'completed', winner = 'tie', battle_result = '{}'
      where week_start_date = ${before.week}`;
    api.at(`${DAY}T07:00:00Z`);
    await api.put(reviewPath(checkin.id), admin, { status: "rejected", reason: REASON });
    expect((await stored()).chips).toBe(0);
    api.at(`${DAY}T07:20:00Z`);
    await checkIn(ada, await photoAt(`${DAY}T07:15:00Z`)).created();
    expect(await stored()).toEqual({ ...before, status: "verified" });
  });
});
