import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { jpegWith, picture } from "#tests/photos";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: await useFileStore() });
const scene = checkInsOf(api);
const { checkIn, photoAt, player, unlinkedPlayers } = scene;
const DAY = "2026-03-04";
const REASON = "Nobody is in the photo.";

const flagsOf = async (person: Person) => (await scene.photos(person))[0]?.flags;

describe("flags", () => {
  it("make a check-in pending: seen before, edited, screenshot, late upload, far away", async () => {
    const [first, again, edited, screen, late, far] = await unlinkedPlayers(DAY, [6, 6, 6, 6, 6, 6]);
    api.at(`${DAY}T06:30:00Z`);
    const camera = { taken: "2026:03:04 06:20:00", offset: "+00:00" };
    expect((await checkIn(first, await jpegWith(camera, picture(900)))).body.checkin.status).toBe("verified");
    const resized = picture(900).resize(500, 375).jpeg({ quality: 50 });
    const { body } = await checkIn(again, await jpegWith({ ...camera, taken: "2026:03:04 06:21:00" }, resized));
    expect(body).toMatchObject({ battleChipsEarned: 0, checkin: { status: "pending", battle_chips_earned: 2 } });
    await checkIn(edited, await jpegWith({ ...camera, software: "Adobe Photoshop 25.0" }, picture(901)));
    await checkIn(screen, await jpegWith({ ...camera, comment: "Screenshot" }, picture(902)));
    await api.put("/api/workout-window/update-location", far, { latitude: 52.5, longitude: 13.4 });
    await checkIn(far, await photoAt(`${DAY}T06:20:00Z`), { fields: { latitude: "48.1", longitude: "11.6" } });
    api.at(`${DAY}T07:30:01Z`);
    await checkIn(late, await photoAt(`${DAY}T06:30:00Z`));
    expect(await Promise.all([again, edited, screen, late, far].map(flagsOf))).toEqual([
      ["seen_before"],
      ["edited"],
      ["screenshot"],
      ["late_upload"],
      ["far_away"],
    ]);
  });
});

describe("/api/workout-window/admin/checkins", () => {
  it("lets admins verify and reject with a reason; chips change while the battle is open", async () => {
    // In a week of its own, whose battle ends.
    const day = "2026-03-18";
    const [ada] = await unlinkedPlayers(day, [6]);
    const admin = await api.person({ role: "admin" });
    const list = "/api/workout-window/admin/checkins";
    api.at(`${day}T07:45:00Z`);
    const { body } = await checkIn(ada, await photoAt(`${day}T06:35:00Z`));
    const path = `${list}/${body.checkin.id}` as const;
    const pending = (await api.get(`${list}?status=pending`, admin)).body.checkins;
    const waiting = pending.find(({ id }) => id === body.checkin.id);
    expect(waiting).toMatchObject({ flags: ["late_upload"], user: { id: ada.id, is_ai: false } });
    expect(waiting?.photo_url).toEqual(expect.any(String));
    const chips = () =>
      api.one`select sum(battle_chips_earned)::int as chips, max(battle_week_start)::text as week
        from nectar.workout_checkins where user_id = ${ada.id} and status = 'verified'`;
    expect(await chips()).toEqual({ chips: null, week: null });
    const verified = await api.put(path, admin, { status: "verified", reason: " a train without signal " });
    const review = { status: "verified", review_reason: "a train without signal", reviewed_by: admin.id };
    expect(verified.body.checkin).toMatchObject(review);
    expect(await chips()).toEqual({ chips: 2, week: "2026-03-16" });
    await api.put(path, admin, { status: "verified" }).refused(409, "checkin.illegal_transition");
    await api.put(path, admin, { status: "rejected", reason: "not a walk" }).ok();
    expect(await chips()).toEqual({ chips: null, week: null });
    expect((await api.get(`/api/workout-window/checkin/${day}`, ada)).body.status).toBe("failed");
    // The battle ended without it: once verified, it counts for the next battle and does not move again.
    await api.query`update nectar.battles
      set battle_status = 'completed', winner = 'tie', battle_result = '{}', updated_at = '2026-03-22T23:00:00Z'
      where week_start_date = '2026-03-16'`;
    api.at("2026-03-23T08:00:00Z");
    await api.put(path, admin, { status: "verified" }).ok();
    expect(await chips()).toEqual({ chips: 2, week: "2026-03-23" });
  });
});

describe("a review", () => {
  it("moves from pending to both decisions and between them, but not to the same status", async () => {
    const [ada] = await unlinkedPlayers(DAY, [6]);
    const admin = await api.person({ role: "admin" });
    api.at(`${DAY}T07:45:00Z`);
    const { body } = await checkIn(ada, await photoAt(`${DAY}T06:35:00Z`));
    const path = `/api/workout-window/admin/checkins/${body.checkin.id}` as const;
    for (const [status, expected] of [
      ["rejected", 200],
      ["rejected", 409],
      ["verified", 200],
      ["verified", 409],
      ["rejected", 200],
      ["pending", 400],
    ] as const) {
      expect([status, (await api.put(path, admin, { status, reason: REASON })).status]).toEqual([status, expected]);
    }
    const race = await Promise.all(Array.from({ length: 6 }, () => api.put(path, admin, { status: "verified" })));
    expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it("waits with a rejection for a battle that is ending, and its chips count for no other battle", async () => {
    // In a week of its own, whose battle ends.
    const day = "2026-05-06";
    const [ada] = await unlinkedPlayers(day, [6]);
    const admin = await api.person({ role: "admin" });
    api.at(`${day}T06:45:00Z`);
    const { body } = await checkIn(ada, await photoAt(`${day}T06:35:00Z`));
    const path = `/api/workout-window/admin/checkins/${body.checkin.id}` as const;
    const battle = () =>
      api.one`select battle_week_start::text from nectar.workout_checkins where id = ${body.checkin.id}`;
    const joined = await battle();
    await api.inTransaction(async ({ query }) => {
      await query`
        select private.lock_battle(battle_week_start) from nectar.workout_checkins where id = ${body.checkin.id}`;
      // The battle was ended by a function whose clock is ahead.
      await query`
        update nectar.battles
        set battle_status = 'completed', winner = 'tie', battle_result = '{}', updated_at = 'infinity'
        where week_start_date = (select battle_week_start from nectar.workout_checkins where id = ${body.checkin.id})`;
      const response = api.put(path, admin, { status: "rejected", reason: REASON });
      await api.untilWaiting();
      await query`commit`;
      await response.ok();
    });
    await api.put(path, admin, { status: "verified" }).ok();
    expect(await battle()).toEqual(joined);
  });
});

describe("GET /api/workout-window/checkins/:date", () => {
  it("counts all players, returns pages, and shows the state of a day without a check-in", async () => {
    const date = "2026-04-08";
    api.at(`${date}T01:00:00Z`);
    const [ada, ben, cleo] = [await player(4), await player(4), await player(20)];
    const status = async (who: Person) => (await api.get(`/api/workout-window/checkin/${date}`, who)).body.status;
    expect(await status(ada)).toBe("not_started");
    api.at(`${date}T04:30:00Z`);
    expect(await status(ada)).toBe("pending");
    await checkIn(ada, await photoAt(`${date}T04:10:00Z`));
    api.at(`${date}T06:15:01Z`);
    expect((await checkIn(cleo, await photoAt(`${date}T20:10:00Z`))).body.code).toBe("checkin.outside_window");
    expect([await status(ada), await status(ben), await status(cleo)]).toEqual(["completed", "failed", "not_started"]);
    const { body } = await api.get(`/api/workout-window/checkins/${date}`, ben);
    expect(body.checkins.map(({ user_id }) => user_id)).toEqual([ada.id]);
    const players = await api.query(
      "select count(*)::int as n, count(*) filter (where window_ends_at <= $2)::int as over from nectar.chains where date = $1",
      [date, `${date}T06:00:00Z`],
    );
    expect(body.stats).toEqual({ total: players[0]?.n, completed: 1, failed: Number(players[0]?.over) - 1 });
    expect(body.nextCursor).toBeNull();
  });
});
