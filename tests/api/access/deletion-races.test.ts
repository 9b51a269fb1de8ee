import { describe, expect, it } from "vitest";
import { signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { deletionsOf } from "#tests/deletions";
import type { Person } from "#tests/people";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "./vendors.ts";

const { push, environment } = await useVendors();
const api = useApi({ environment });
const { deletedDuring } = deletionsOf(api);

const WINDOW = { activityType: "walk", windowStartTime: "06:00", windowEndTime: "08:00", timezone: "UTC" };

/** A user with one of everything that a user can have one of. */
async function personWithEverything(): Promise<Person> {
  const person = await api.person({ role: "super_admin" });
  await api.post("/api/workout-window/setup", person, WINDOW);
  await api.put("/api/workout-window/update-location", person, { city: "Ghent", timezone: "Europe/Brussels" });
  await api.post("/api/notifications/push-subscriptions", person, push.service.newDevice());
  return person;
}

const PROFILE = "nectar.profiles where id";
/** Rows of the user that a request and the deletion of the account may both wait for; the last two only requests of the game. */
const ROWS = [PROFILE, "nectar.accounts where user_id"];
const GAME_ROWS = [...ROWS, "nectar.workout_windows where user_id", "nectar.user_locations where user_id"];

/** Payments write nothing before the vendor is called. */
const LEFT_OUT = /^\/api\/payment\/.*$/;
const writing = signedInRoutes().filter(
  ({ method, path, parameters }) => method !== "GET" && parameters.length === 0 && !LEFT_OUT.test(path),
);

describe("a request of an account that is deleted meanwhile", () => {
  it.each(writing)("never fails on our side: $method $path", async (route) => {
    for (const row of route.path.startsWith("/api/workout-window") ? GAME_ROWS : ROWS) {
      const person = await personWithEverything();
      const { body, headers } = await validRequest(route, push.service.newDevice);
      const sent = () => api.send(route.method, route.path, { as: person, body, headers });
      const response = await deletedDuring(person, sent, `select from ${row} = $1 for update`);
      // No deletion begins with another row than the profile, so such a request may lose the deadlock more often than it is tried.
      const hasLost = row !== PROFILE && response.body.code === "service.busy";
      if (!hasLost) expect(response.status, `${row}: ${JSON.stringify(response.body)}`).toBeLessThan(500);
      expect(await api.query("select from nectar.profiles where id = $1", [person.id])).toEqual([]);
    }
  });

  it("is 401 or has set the window before, in a race of both", async () => {
    for (let round = 0; round < 25; round += 1) {
      const person = await personWithEverything();
      const times = { ...WINDOW, windowStartTime: "09:00", windowEndTime: "11:00" };
      const [, ...responses] = await Promise.all([
        api.query("delete from auth.users where id = $1", [person.id]),
        api.post("/api/workout-window/setup", person, times),
        api.post("/api/workout-window/setup", person, WINDOW),
      ]);
      for (const { status, body } of responses) expect([200, 401], JSON.stringify(body)).toContain(status);
    }
  });
});
