import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { jpegWith, MARK, picture } from "#tests/photos";
import { leaveQuota } from "#tests/quota";
import { checkInsOf } from "../photo-scene.ts";

const api = useApi({ environment: await useFileStore() });
const scene = checkInsOf(api);
const { checkIn, photoAt, player } = scene;
const DAY = "2026-03-04";

describe("POST /api/workout-window/checkin", () => {
  it("verifies a photo taken in the window, counts its chips and stores the picture without metadata", async () => {
    api.at(`${DAY}T05:00:00Z`);
    const ada = await player(6);
    api.at(`${DAY}T06:12:00Z`);
    const thumbnail = await picture(3, 160, 120).jpeg().toBuffer();
    const camera = { taken: "2026:03:04 06:10:00", gps: [52.5, 13.4], thumbnail } as const;
    const photo = await jpegWith(camera, picture(11, 2400, 1800));
    expect(photo.includes(MARK)).toBe(true);
    const body = await checkIn(ada, photo, { fields: { latitude: "52.5", longitude: "13.25" } }).created();
    expect(body).toMatchObject({
      battleChipsEarned: 2,
      chainStatus: "continued",
      nextUserNotified: false,
      checkin: {
        user_id: ada.id,
        date: DAY,
        activity_type: "walk",
        status: "verified",
        photo_timestamp: `${DAY}T06:10:00.000Z`,
        location_lat: 52.5,
        location_lng: 13.25,
        battle_chips_earned: 2,
        chip_breakdown: { base: 1, chain: 1, early: 0.5, streak: 0, raw: 2.5, earned: 2 },
      },
    });
    const [chain] = await api.query`select id, team_color from nectar.chains
      where user_id = ${ada.id} and date = ${DAY}`;
    expect(body.checkin).toMatchObject({ chain_id: chain?.id, team_color: chain?.team_color });
    const url = new URL(body.checkin.photo_url ?? "");
    expect(url.searchParams.get("X-Amz-Expires")).toBe("900");
    const stored = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(stored.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(stored.length).toBeLessThan(600_000);
    for (const trace of ["Exif", MARK, "GPS", "http://ns.adobe.com", "ICC_PROFILE"]) {
      expect(stored.includes(trace)).toBe(false);
    }
    expect((await fetch(`${url.origin}${url.pathname}`)).status).toBe(403);
    expect(await scene.leftovers(ada)).toEqual([]);
    const { body: read } = await api.get(`/api/workout-window/checkin/${DAY}`, ada);
    expect(read).toMatchObject({ status: "completed", checkin: { id: body.checkin.id, location_lat: 52.5 } });
  });

  it("refuses an unknown activity, a picture that is too small, and a time before the grace", async () => {
    api.at(`${DAY}T05:00:00Z`);
    const ada = await player(6);
    api.at(`${DAY}T06:30:00Z`);
    const good = await photoAt(`${DAY}T06:20:00Z`);
    await checkIn(ada, good, { fields: { activityType: "sleeping" } }).invalid("activityType");
    await checkIn(ada, await jpegWith(null, picture(2, 400, 199))).refused(400, "checkin.unusable_photo");
    await checkIn(ada, good.subarray(0, good.length / 2)).refused(400, "checkin.unusable_photo");
    await checkIn(ada, await photoAt(`${DAY}T05:44:59Z`)).refused(400, "checkin.outside_window");
    expect(await scene.photos(ada)).toEqual([]);
    const { error } = await checkIn(ada, await photoAt(`${DAY}T05:00:00Z`)).refused(400, "checkin.outside_window");
    expect(error).toBe("The photo was taken 60 minutes before the window.");
  });

  it("accepts both ends of the grace, and sends until the local day is over", async () => {
    api.at(`${DAY}T05:00:00Z`);
    const [early, late, tooLate] = [await player(6), await player(6), await player(6)];
    api.at(`${DAY}T23:59:59Z`);
    const { body } = await checkIn(early, await photoAt(`${DAY}T05:45:00Z`));
    const checkin = { status: "pending", chip_breakdown: { early: 0.5 } };
    expect(body).toMatchObject({ battleChipsEarned: 0, checkin });
    await checkIn(late, await photoAt(`${DAY}T08:15:00Z`)).created();
    await checkIn(tooLate, await photoAt(`${DAY}T08:15:01Z`)).refused(400, "checkin.outside_window");
    api.at("2026-03-05T00:00:00Z");
    await checkIn(tooLate, await photoAt(`${DAY}T08:15:00Z`)).refused(400, "checkin.too_late");
  });

  it.each([
    [4, ["seen_before"]],
    [5, []],
  ])("flags a photo whose hash differs from that of another in %i bits with %j", async (bits, flags) => {
    api.at(`${DAY}T05:00:00Z`);
    const [ada, ben] = [await player(6), await player(6)];
    api.at(`${DAY}T06:30:00Z`);
    const photo = await photoAt(`${DAY}T06:20:00Z`);
    await checkIn(ada, photo).created();
    const mask = "1".repeat(bits).padStart(64, "0");
    await api.query`
      update nectar.workout_checkin_photos set perceptual_hash = perceptual_hash # ${mask}::bit(64)
      where user_id = ${ada.id}`;
    expect((await checkIn(ben, photo).created()).checkin.flags).toEqual(flags);
  });

  it("counts a photo after midnight for the date on which the window started", async () => {
    api.at(`${DAY}T20:00:00Z`);
    const owl = await player(23);
    api.at("2026-03-05T00:35:00Z");
    const body = await checkIn(owl, await photoAt("2026-03-05T00:30:00Z")).created();
    expect(body.checkin.date).toEqual(DAY);
  });

  it("reads a time without offset in the time zone of the window", async () => {
    api.at(`${DAY}T20:00:00Z`);
    const ada = await player(6, { timezone: "Asia/Tokyo" });
    api.at(`${DAY}T21:30:00Z`);
    const { body } = await checkIn(ada, await jpegWith({ taken: "2026:03:05 06:20:00", endian: "big" }, picture(77)));
    expect(body.checkin).toMatchObject({ date: "2026-03-05", photo_timestamp: `${DAY}T21:20:00.000Z` });
  });

  it("accepts one of 64 parallel requests, with one photo and its chips once", async () => {
    api.at(`${DAY}T05:00:00Z`);
    const ada = await player(6);
    api.at(`${DAY}T06:30:00Z`);
    const photo = await photoAt(`${DAY}T06:20:00Z`);
    const responses = await Promise.all(Array.from({ length: 64 }, () => checkIn(ada, photo)));
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 63 }, () => 409)]);
    expect(await scene.photos(ada)).toHaveLength(1);
    const [row] = await api.query`select count(*)::int as rows, sum(battle_chips_earned)::int as chips
      from nectar.workout_checkins where user_id = ${ada.id}`;
    expect(row).toEqual({ rows: 1, chips: 2 });
    expect(await scene.stored(ada)).toHaveLength(1);
  });

  it("replays the response to the same Idempotency-Key, also with another form boundary", async () => {
    api.at(`${DAY}T05:00:00Z`);
    const ada = await player(6);
    api.at(`${DAY}T06:30:00Z`);
    const photo = await photoAt(`${DAY}T06:20:00Z`);
    const headers = { "idempotency-key": "once" };
    const first = await checkIn(ada, photo, { headers });
    const again = await checkIn(ada, photo, { headers });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect([again.status, again.body]).toEqual([201, first.body]);
    await checkIn(ada, await photoAt(`${DAY}T06:21:00Z`), { headers }).refused(409, "idempotency.key_reused");
  });

  it("leaves nothing behind if its last step fails", async () => {
    api.at(`${DAY}T05:00:00Z`);
    const ada = await player(6);
    api.at(`${DAY}T06:30:00Z`);
    await api.query(`
      create function private.fail() returns trigger language plpgsql as $$ begin raise exception 'stop'; end $$;
      create trigger fail after insert on nectar.workout_checkin_photos for each row execute function private.fail()`);
    const photo = await photoAt(`${DAY}T06:20:00Z`);
    await checkIn(ada, photo).refused(500);
    expect(await scene.stored(ada)).toEqual([]);
    await api.query`drop trigger fail on nectar.workout_checkin_photos`;
    expect(await api.query`select from nectar.workout_checkins where user_id = ${ada.id}`).toEqual([]);
    await checkIn(ada, photo).created();
    expect(await scene.stored(ada)).toHaveLength(1);
  });
});

describe("POST /api/workout-window/checkin/upload-url", () => {
  it("accepts an uploaded photo of the caller only", async () => {
    api.at(`${DAY}T05:00:00Z`);
    const [ada, eve] = [await player(6), await player(6)];
    api.at(`${DAY}T06:30:00Z`);
    const photo = await photoAt(`${DAY}T06:20:00Z`);
    const order = { contentType: "image/jpeg", size: photo.length };
    const body = await api.post("/api/workout-window/checkin/upload-url", ada, order).created();
    expect(body.expiresAt).toBe(`${DAY}T06:45:00.000Z`);
    expect(new URL(body.uploadUrl).searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
    const fields = { photoKey: body.photoKey };
    await checkIn(ada, null, { fields }).refused(404, "checkin.photo_not_found");
    const headers = { "content-type": "image/jpeg" };
    const put = await fetch(body.uploadUrl, { method: "PUT", body: new Uint8Array(photo), headers });
    expect(put.status).toBe(200);
    await checkIn(eve, null, { fields }).refused(404, "checkin.photo_not_found");
    await checkIn(ada, photo, { fields }).invalid("photoKey");
    await checkIn(ada, null, { fields }).created();
    expect(await scene.stored(ada, "checkin-uploads")).toEqual([]);
    await checkIn(ada, null, { fields }).refused(404, "checkin.photo_not_found");
  });

  it("refuses more than 10 MB and more than 20 uploads per day", async () => {
    const ada = await api.person();
    const order = (size: number) =>
      api.post("/api/workout-window/checkin/upload-url", ada, { contentType: "image/heic", size });
    await order(10 * 1024 * 1024 + 1).refused(413, "checkin.photo_too_large");
    await order(10 * 1024 * 1024).created();
    const [quota] = await api.query`select used from private.quota_uses
      where user_id = ${ada.id} and name = 'checkin_upload'`;
    expect(quota).toEqual({ used: 1 });
    await leaveQuota(api.adminUrl, ada, "checkin_upload", 1);
    await order(1).created();
    const refused = await order(1);
    expect([refused.status, refused.body.code]).toEqual([429, "checkin.too_many_uploads"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
