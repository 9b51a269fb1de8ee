import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { routeToGroups } from "../../../functions/all.ts";
import type { Answer, TestApi } from "../../support/api.ts";
import { folderOfStore } from "../../support/file-store.ts";
import { asSuperuser, type Person } from "../../support/people.ts";
import { cameraTime, jpegWith, picture } from "../../support/photos.ts";
import { checkAgainstReference } from "../../support/reference-check.ts";

/** Where the stores of this process keep their files, by their addresses. */
/** The form of a check-in, and how its request differs from the usual one. */
export interface CheckInOptions {
  readonly fields?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly fileName?: string;
}

/** The check-ins over the database of a test, at moments of the test's choosing. */
export function checkInsOf(api: TestApi) {
  let now = new Date();
  let fetch: ReturnType<typeof routeToGroups> | undefined;
  const query = (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    asSuperuser(api.adminUrl, async (client) => (await client.query(text, values)).rows);
  async function send(
    method: string,
    path: string,
    as: Person,
    body?: object | FormData,
    headers = {},
  ): Promise<Answer> {
    fetch ??= routeToGroups({ ...api.services, clock: { now: () => now } });
    // Encoded beforehand: the stream of a form cannot be broken off, and a body that is too large is.
    const form = body instanceof FormData ? new Response(body) : null;
    const type = body === undefined ? null : (form?.headers.get("content-type") ?? "application/json");
    const response = await fetch(
      new Request(`http://nectar.test${path}`, {
        method,
        headers: {
          authorization: `Bearer ${as.token}`,
          ...(type === null ? {} : { "content-type": type }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: form === null ? JSON.stringify(body) : await form.arrayBuffer() }),
      }),
    );
    const answered: unknown = await response.json();
    checkAgainstReference(method, new URL(path, "http://nectar.test").pathname, response.status, answered);
    return { status: response.status, headers: response.headers, body: answered };
  }
  function checkIn(as: Person, photo: Uint8Array | null, options: CheckInOptions = {}): Promise<Answer> {
    const form = new FormData();
    if (photo !== null) form.set("photo", new Blob([new Uint8Array(photo)]), options.fileName ?? "photo.jpg");
    for (const [name, value] of Object.entries({ activityType: "walk", ...options.fields })) form.set(name, value);
    return send("POST", "/api/workout-window/checkin", as, form, options.headers);
  }
  let seed = 100;
  return {
    /** Sets the clock. @param moment RFC 3339 */
    at(moment: string) {
      now = new Date(moment);
    },
    query,
    send,
    checkIn,
    /** Somebody with a window of two hours in UTC from a full hour on. */
    async player(hour: number, setup: Record<string, string> = {}): Promise<Person> {
      const person = await api.person();
      const time = (of: number) => `${String(of % 24).padStart(2, "0")}:00`;
      await send("POST", "/api/workout-window/setup", person, {
        activityType: "walk",
        windowStartTime: time(hour),
        windowEndTime: time(hour + 2),
        timezone: "UTC",
        ...setup,
      });
      return person;
    },
    /** A photo of its own that says it was taken at a moment, as it is in UTC. */
    photoAt(moment: string, offset = "+00:00"): Promise<Buffer> {
      seed += 1;
      return jpegWith({ taken: cameraTime(moment), offset }, picture(seed));
    },
    /** What is noted for removal, by the beginning of its path. */
    leftovers: (person: Person) =>
      query("select path from private.stored_files_to_remove where path like $1", [`checkins/${person.id}/%`]),
    /** The files of somebody that are in the store, whatever the database says of them. */
    async stored(person: Person, kind: "checkins" | "checkin-uploads" = "checkins"): Promise<string[]> {
      const folder = folderOfStore(api.services.config.s3?.endpoint);
      const all = await readdir(join(folder, kind, person.id), { recursive: true }).catch(() => []);
      return all.filter((name) => name.endsWith("_object"));
    },
    photos: (person: Person) => query("select * from nectar.workout_checkin_photos where user_id = $1", [person.id]),
  };
}
