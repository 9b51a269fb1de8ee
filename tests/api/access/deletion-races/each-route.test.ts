import { expect, it } from "vitest";
import { signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { deletionsOf } from "#tests/deletions";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "../vendors.ts";

const { push, environment } = await useVendors();
const api = useApi({ environment });
const { deletedAfter, deletedBefore } = deletionsOf(api);

/** A super admin, who may send every request, with a window, a location and a device. */
async function sender() {
  const person = await api.person({ role: "super_admin" });
  await api.query`insert into nectar.workout_windows
      (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
    values (${person.id}, 'walk', '06:00', '08:00', 'UTC', current_date)`;
  await api.query`insert into nectar.user_locations (user_id, city, timezone) values (${person.id}, 'Ghent', 'UTC')`;
  await api.query`insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
    values (${person.id}, 'https://push.test', repeat('A', 87), repeat('A', 22))`;
  return person;
}

/** Requests that only read need no account, so they may still be answered. */
const READING = /\/audience-preview$/;
const writing = signedInRoutes().filter(
  ({ method, path, parameters }) => method !== "GET" && parameters.length === 0 && !READING.test(path),
);

it.each(writing)("$method $path ends before the account is deleted, or is 401", async (route) => {
  const person = await sender();
  const { body, headers } = await validRequest(route, push.service.newDevice);
  const request = () => api.send(route.method, route.path, { as: person, body, headers });
  const ownRows = `select from nectar.accounts a
    join nectar.workout_windows w using (user_id) join nectar.user_locations l using (user_id)
    where user_id = '${person.id}' for update`;
  const { status, body: answer } = await deletedAfter(person, request, ownRows, "rollback");
  expect(status < 500 && status !== 401, JSON.stringify(answer)).toBe(true);
  expect(await deletedBefore(person, request)).toMatchObject({ status: 401, body: { code: "auth.unknown_account" } });
  expect(await api.query`select from nectar.profiles where id = ${person.id}`).toEqual([]);
});
