import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Tx } from "#database/database";
import { examineCheckIn } from "#functions/game/check-ins/examine";
import { CHECK_IN_PHOTOS } from "#functions/game/check-ins/photo-form";
import { recordCheckIn } from "#functions/game/check-ins/record";
import { storePhoto } from "#functions/game/check-ins/store";
import { acceptPhoto } from "#http/request/sent-photo";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { checkInsOf } from "../photo-scene.ts";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({ environment: { ...(await useFileStore()), MAINTENANCE_CRON_SECRET: SECRET } });
const { checkIn, photoAt, player, stored } = checkInsOf(api);
const DAY = "2026-03-04";

/** A check-in until its photo is stored, as if the process died then; `record` continues it. */
async function storedOnly(person: Person, photo: Uint8Array, moment: string) {
  const services = { ...api.services, clock: { now: () => new Date(moment) } };
  const commit = <Result>(work: (tx: Tx) => Promise<Result>) => services.database.asUser(person.id, work);
  const sent = acceptPhoto(photo, CHECK_IN_PHOTOS);
  const actor = { userId: person.id, email: null, issuedAt: null };
  const request = { services, actor, commit, body: { activityType: "walk", sent } } as const;
  const { evidence, file } = await examineCheckIn(request, sent);
  const stored = await storePhoto(request, file, evidence.photo.jpeg);
  return { id: stored.id, record: (tx: Tx) => recordCheckIn(tx, request, evidence, stored) };
}

/** Runs housekeeping as if an hour had passed. */
async function keepHouse() {
  await api.query`update private.stored_files_to_remove set remove_after = remove_after - interval '1 hour'`;
  await api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } }).ok();
}

it("housekeeping removes a photo whose process died before the check-in was written", async () => {
  api.at(`${DAY}T05:00:00Z`);
  const ada = await player(6);
  await storedOnly(ada, await photoAt(`${DAY}T06:20:00Z`), `${DAY}T06:30:00Z`);
  expect(await stored(ada)).toHaveLength(1);
  await keepHouse();
  expect(await stored(ada)).toEqual([]);
  api.at(`${DAY}T06:30:00Z`);
  await checkIn(ada, await photoAt(`${DAY}T06:21:00Z`)).created();
  await keepHouse();
  expect(await stored(ada)).toHaveLength(1);
});

it("a photo is removed immediately if the database connection breaks", async () => {
  api.at(`${DAY}T05:00:00Z`);
  const ada = await player(6);
  api.at(`${DAY}T06:30:00Z`);
  await api.query(`
    create function private.break_off() returns trigger language plpgsql security definer as $$
      begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$;
    create trigger break_off after insert on nectar.workout_checkin_photos
      for each row execute function private.break_off()`);
  const broken = await checkIn(ada, await photoAt(`${DAY}T06:20:00Z`));
  await api.query`drop trigger break_off on nectar.workout_checkin_photos`;
  expect([broken.status, await stored(ada)]).toEqual([503, []]);
});

it("the question whether a check-in was written waits for one that is being written", async () => {
  api.at(`${DAY}T05:00:00Z`);
  const ada = await player(6);
  const { id, record } = await storedOnly(ada, await photoAt(`${DAY}T06:20:00Z`), `${DAY}T06:30:00Z`);
  const isWritten = async () => {
    const { rows } = await api.database.asUser(ada.id, (tx) =>
      sql<{ is_written: boolean }>`select private.is_checked_in(${id}::uuid) as is_written`.execute(tx),
    );
    return rows[0]?.is_written;
  };
  expect(await isWritten()).toBe(false);
  const known: unknown[] = [];
  let asked: Promise<void> | undefined;
  await api.database.asUser(ada.id, async (tx) => {
    await record(tx);
    asked = isWritten().then((written) => {
      known.push(written);
    });
    const waits = () =>
      api.query`select from pg_locks where locktype = 'advisory' and not granted and database = (select oid
        from pg_database where datname = current_database())`;
    await expect.poll(async () => (await waits()).length).toBe(1);
    expect(known).toEqual([]);
  });
  await asked;
  expect(known).toEqual([true]);
});

it("a check-in is refused once its day has ended", async () => {
  api.at(`${DAY}T05:00:00Z`);
  const ada = await player(6);
  const { record } = await storedOnly(ada, await photoAt(`${DAY}T07:50:00Z`), `${DAY}T23:59:59Z`);
  await api.query`select * from private.end_days('2026-03-05T00:00:00Z', 5000)`;
  await expect(api.database.asUser(ada.id, record)).rejects.toMatchObject({ code: "checkin.too_late" });
  api.at(`${DAY}T23:59:59Z`);
  expect((await api.get(`/api/workout-window/checkin/${DAY}`, ada)).body.status).toBe("failed");
});

it("an upload that is not used within an hour is removed", async () => {
  api.at(`${DAY}T05:00:00Z`);
  const ada = await player(6);
  api.at(`${DAY}T06:30:00Z`);
  const photo = await photoAt(`${DAY}T06:20:00Z`);
  const order = { contentType: "image/jpeg", size: photo.length };
  const { body } = await api.post("/api/workout-window/checkin/upload-url", ada, order);
  await api.services.privateFiles?.upload(body.photoKey, photo, "image/jpeg");
  expect(await stored(ada, "checkin-uploads")).toHaveLength(1);
  await keepHouse();
  expect(await stored(ada, "checkin-uploads")).toEqual([]);
  await checkIn(ada, null, { fields: { photoKey: body.photoKey } }).refused(404, "checkin.photo_not_found");
});
