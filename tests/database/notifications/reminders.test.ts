import fc from "fast-check";
import { expect, it } from "vitest";
import { createCrowd } from "#tests/crowd";
import { LONG } from "#tests/long";
import { dateAt, firstMomentAt } from "#tests/wall-clock";
import { useActing } from "../support/acting.ts";
import { clockTime, minuteOfDay, moments, ZONES } from "./clocks.ts";

const acting = useActing();
const CASES = LONG ? 10_000 : 700;
const WORLDS = LONG ? 40 : 2;
const PEOPLE = 40;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const zones = fc.constantFrom(...ZONES);

it(`private.first_instant agrees with the clocks of Node in ${CASES} random cases`, async () => {
  const cases = fc.sample(
    zones.chain((zone) => fc.record({ zone: fc.constant(zone), moment: moments(zone), minutes: minuteOfDay })),
    CASES,
  );
  const wanted = cases.map(({ zone, moment, minutes }, number) => {
    const local = dateAt(zone, moment) + minutes * MINUTE;
    return { number, zone, local: new Date(local).toISOString().slice(0, -1), first: firstMomentAt(zone, local) };
  });
  const wrong = await acting.query`
    select c.zone, c.local, c.first, extract(epoch from private.first_instant(c.local, c.zone))::float * 1000 as found
    from jsonb_to_recordset(${JSON.stringify(wanted)}) c (zone text, local timestamp, first float)
    where extract(epoch from private.first_instant(c.local, c.zone))::float * 1000 <> c.first`;
  expect(wrong).toEqual([]);
});

const reminder = zones.chain((zone) =>
  fc.record({
    zone: fc.constant(zone),
    minutes: minuteOfDay,
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  }),
);

/** Five days, most often when the clocks of a zone change, with runs of the job of which many are missed. */
const world = zones.chain((zone) =>
  fc.record({
    start: moments(zone),
    people: fc.array(reminder, { minLength: PEOPLE, maxLength: PEOPLE }),
    waits: fc.array(
      fc.oneof(
        { weight: 20, arbitrary: fc.constant(5 * MINUTE) },
        { weight: 3, arbitrary: fc.noBias(fc.integer({ min: 10 * MINUTE, max: 3 * HOUR })) },
        { weight: 1, arbitrary: fc.noBias(fc.integer({ min: 3 * HOUR, max: 30 * HOUR })) },
      ),
      { minLength: 150, maxLength: 150 },
    ),
  }),
);

it(`the job reminds each of ${WORLDS * PEOPLE} people once on a date, at the first run that is not too early`, async () => {
  for (const { start, people, waits } of fc.sample(world, WORLDS)) {
    await acting.query`delete from auth.users where id <> private.system_user_id()`;
    const ids = await createCrowd(acting.admin, PEOPLE);
    const rows = people.map(({ zone, minutes, weekdays }, who) => ({
      user_id: ids[who],
      zone,
      reminder_time: clockTime(minutes),
      reminder_weekdays: weekdays,
    }));
    await acting.query`with chosen as (
          select * from jsonb_to_recordset(${JSON.stringify(rows)})
            c (user_id uuid, zone text, reminder_time time, reminder_weekdays smallint[])
        ), lived as (
          update nectar.accounts a set timezone = c.zone from chosen c where c.user_id = a.user_id
        )
        insert into nectar.notification_settings
          (user_id, reminder_time, reminder_weekdays, reminder_only_if_not_written)
        select user_id, reminder_time, reminder_weekdays, false from chosen`;
    const last = new Map<number, number>();
    let moment = start;
    for (const wait of waits) {
      moment += wait;
      await acting.query`select private.remind_to_write(${new Date(moment)}, 1000)`;
      const found = await acting.query<{ user_id: string; date: string }>`
          delete from nectar.notifications where type = 'journal_reminder' returning user_id, data ->> 'date' as date`;
      const expected = people.flatMap(({ zone, minutes, weekdays }, who) => {
        const today = dateAt(zone, moment);
        const weekday = new Date(today).getUTCDay() || 7;
        const isDue = weekdays.includes(weekday) && firstMomentAt(zone, today + minutes * MINUTE) <= moment;
        if (!isDue || (last.get(who) ?? -DAY) >= today) return [];
        last.set(who, today);
        return [`${ids[who]} ${new Date(today).toISOString().slice(0, 10)}`];
      });
      expect(found.map(({ user_id, date }) => `${user_id} ${date}`).toSorted()).toEqual(expected.toSorted());
    }
    expect(last.size).toBeGreaterThan(PEOPLE / 2);
  }
});
