import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { close, runErasures, useErasureVendors, whenDue } from "./vendors.ts";

const { environment } = await useErasureVendors();
const api = useApi({ environment });
const LATE = "2999-01-01T00:00:00.000Z";

const suspend = ({ id }: Person, until: string) => api.query`select private.suspend_user(${id}, ${until}::timestamptz)`;
const suspendedUntil = async (as: Person) => (await api.get("/api/user/profile", as).ok()).profile.suspended_until;
const kept = () => api.query`select from private.kept_suspensions`;
const keepHouse = () =>
  api
    .send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": environment.MAINTENANCE_CRON_SECRET } })
    .ok();

async function erase(person: Person): Promise<void> {
  api.at(new Date());
  await close(api, person);
  expect(await runErasures(api, whenDue())).toMatchObject({ erased: 1, failed: 0 });
}

const erased = beforeEachTest(async () => {
  await api.query`delete from private.kept_suspensions`;
  const person = await api.person();
  await suspend(person, LATE);
  await erase(person);
  return person;
});

it("suspends the next account with the address of an erased one until the same time, again and again", async () => {
  for (let round = 0; round < 2; round += 1) {
    const again = await api.person({ email: erased.email.toUpperCase() });
    expect(await suspendedUntil(again)).toBe(LATE);
    await api.post("/api/goals", again, { title: "Swim" }).refused(403, "auth.suspended");
    await erase(again);
  }
  expect(await suspendedUntil(await api.person())).toBeNull();
  expect(await kept()).toHaveLength(1);
});

it("suspends an account when it confirms the address, and never for a shorter time", async () => {
  const again = await api.person({ email: erased.email, confirmed: false });
  expect(await suspendedUntil(again)).toBeNull();
  await api.query`update auth.users set email_confirmed_at = now() where id = ${again.id}`;
  expect(await suspendedUntil(again)).toBe(LATE);
  const longer = await api.person();
  await suspend(longer, "3000-01-01T00:00Z");
  await api.query`delete from auth.users where id = ${again.id}`;
  await api.query`update auth.users set email = ${erased.email} where id = ${longer.id}`;
  expect(await suspendedUntil(longer)).toBe("3000-01-01T00:00:00.000Z");
});

it("lasts when a later suspension is reversed", async () => {
  const again = await api.person({ email: erased.email });
  const { id } = await api.one<{ id: string }>`
    insert into nectar.moderation_decisions
      (owner_id, target_type, target_id, decision, reason, decided_at, suspended_until)
    values (${again.id}, 'user', ${again.id}, 'suspend', 'Reported for a test.', now(), now() + interval '1 day') returning id`;
  await api.query`select private.undo_decision(${id}, now())`;
  expect(await suspendedUntil(again)).toBe(LATE);
});

it("is deleted when it ends, and not stored if it has ended or the address was never confirmed", async () => {
  expect((await keepHouse()).results).toMatchObject({ kept_suspensions: 0 });
  await api.query`update private.kept_suspensions set expires_at = now() - interval '1 second'`;
  expect(await suspendedUntil(await api.person({ email: erased.email }))).toBeNull();
  expect((await keepHouse()).results).toMatchObject({ kept_suspensions: 1 });
  const [ended, unconfirmed] = [await api.person(), await api.person({ confirmed: false })];
  await suspend(ended, "2026-01-01T00:00Z");
  await erase(ended);
  await suspend(unconfirmed, LATE);
  await erase(unconfirmed);
  expect(await kept()).toEqual([]);
});
