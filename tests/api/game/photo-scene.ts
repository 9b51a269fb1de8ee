import type { TestApi } from "#tests/api";
import { storedKeys } from "#tests/file-store";
import type { Person } from "#tests/people";
import { cameraTime, jpegWith, picture } from "#tests/photos";
import { type Each, eachOf } from "./chain-scene.ts";

/** The form of a check-in, and how its request differs from the default. */
export interface CheckInOptions {
  readonly fields?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly fileName?: string;
}

/** Players and their photos, over the API of a test. */
export function checkInsOf(api: TestApi) {
  function checkIn(as: Person, photo: Uint8Array | null, options: CheckInOptions = {}) {
    const form = new FormData();
    if (photo !== null) form.set("photo", new Blob([new Uint8Array(photo)]), options.fileName ?? "photo.jpg");
    for (const [name, value] of Object.entries({ activityType: "walk", ...options.fields })) form.set(name, value);
    return api.post("/api/workout-window/checkin", as, form, options.headers);
  }
  /** A person with a window of two hours in UTC that starts at a full hour. */
  async function player(hour: number, setup: Record<string, string> = {}): Promise<Person> {
    const person = await api.person();
    const time = (of: number) => `${String(of % 24).padStart(2, "0")}:00`;
    await api.post("/api/workout-window/setup", person, {
      activityType: "walk",
      windowStartTime: time(hour),
      windowEndTime: time(hour + 2),
      timezone: "UTC",
      ...setup,
    });
    return person;
  }
  let seed = 100;
  return {
    checkIn,
    player,
    /** A new photo that was taken at a time in UTC. */
    photoAt(moment: string, offset = "+00:00"): Promise<Buffer> {
      seed += 1;
      return jpegWith({ taken: cameraTime(moment), offset }, picture(seed));
    },
    /** Check-in photos that are queued for removal. */
    leftovers: (person: Person) =>
      api.query("select path from private.stored_files_to_remove where path like $1", [`checkins/${person.id}/%`]),
    stored(person: Person, kind: "checkins" | "checkin-uploads" = "checkins"): Promise<string[]> {
      return storedKeys(api.services.config.s3?.endpoint, `${kind}/${person.id}/`);
    },
    /** Players whose windows start at some hours of a date, in UTC, without neighbors and squads. */
    async unlinkedPlayers<const Hours extends readonly number[]>(date: string, hours: Hours): Promise<Each<Hours>> {
      api.at(`${date}T01:00:00Z`);
      const players = await eachOf(hours, player);
      await api.query`update nectar.chains set before_user_id = null, after_user_id = null, squad_id = null
        where date = ${date}`;
      await api.query`delete from nectar.squads where date = ${date}`;
      return players;
    },
    /** The kinds of notifications that check-ins of others caused. */
    async notificationsOf(person: Person): Promise<string[]> {
      const rows = await api.query<{ type: string }>`select type from nectar.notifications
        where user_id = ${person.id} and type in ('baton_pass', 'battle_update')`;
      return rows.map(({ type }) => type);
    },
    photos: (person: Person) => api.query`select * from nectar.workout_checkin_photos where user_id = ${person.id}`,
  };
}
