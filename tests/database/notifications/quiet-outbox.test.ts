import fc from "fast-check";
import { expect, it } from "vitest";
import { createCrowd } from "#tests/crowd";
import { LONG } from "#tests/long";
import { isQuietAt, type QuietHours, quietEnd } from "#tests/wall-clock";
import { useActing } from "../support/acting.ts";
import { clockTime, moments, quietHours, ZONES } from "./clocks.ts";

const acting = useActing();
const WORLDS = LONG ? 40 : 2;
const PEOPLE = 25;
const PUSHES = 250;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The job comes every five minutes. */
const PERIOD = 5 * MINUTE;

const settings = fc.constantFrom(...ZONES).chain(quietHours);
const person = fc.nat({ max: PEOPLE - 1 });
const after = fc.noBias(fc.nat({ max: 36 * HOUR }));
const type = fc.constantFrom("drop_received", "battle_update", "badge_earned", "checkin_reminder");

/** Pushes and changes of settings in a day and a half, most often when the clocks of one zone change. */
const world = fc.constantFrom(...ZONES).chain((zone) =>
  fc.record({
    start: moments(zone),
    people: fc.array(fc.oneof(quietHours(zone), settings), { minLength: PEOPLE, maxLength: PEOPLE }),
    pushes: fc.array(fc.record({ person, after, type }), { minLength: PUSHES, maxLength: PUSHES }),
    changes: fc.array(fc.record({ person, after, settings }), { maxLength: 10 }),
    results: fc.infiniteStream(
      fc.constantFrom("sent", "sent", "sent", "sent", "sent", "sent", "unavailable", "unused"),
    ),
  }),
);

it(`the outbox sends each of ${WORLDS * PUSHES} pushes once and never in quiet hours, while settings change and push services fail`, async () => {
  for (const each of fc.sample(world, WORLDS)) await play(each);
});

/** Whether quiet hours ended since the run before this one, and have begun again. */
function isAfterShortBreak(quiet: QuietHours, moment: number): boolean {
  const minutes = Array.from({ length: 10 }, (_, ago) => isQuietAt(quiet, moment - ago * MINUTE));
  const lastBreak = minutes.indexOf(false);
  return lastBreak > 0 && lastBreak <= 5 && minutes.indexOf(true, lastBreak) > 0;
}

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

async function play({ start, people, pushes, changes, results }: World): Promise<void> {
  await acting.query`delete from auth.users where id <> private.system_user_id()`;
  const ids = await createCrowd(acting.admin, PEOPLE);
  await acting.query`insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
    select id, 'https://push.example.test/' || id, repeat('A', 87), repeat('A', 22) from unnest(${ids}::uuid[]) id`;
  const current = new Map<number, QuietHours>();
  const choose = async (who: number, { zone, start, end }: QuietHours) => {
    current.set(who, { zone, start, end });
    await acting.query`update nectar.accounts set timezone = ${zone} where user_id = ${ids[who]}`;
    await acting.query`insert into nectar.notification_settings (user_id, quiet_start, quiet_end)
      values (${ids[who]}, ${clockTime(start)}, ${clockTime(end)})
      on conflict (user_id) do update set quiet_start = excluded.quiet_start, quiet_end = excluded.quiet_end`;
  };
  for (const [who, quiet] of people.entries()) await choose(who, quiet);

  const firstTry = new Map<number, number>();
  const sent: number[] = [];
  /** Does what a worker does at a moment, with a push service that is not always available. */
  const deliver = async (moment: number) => {
    const at = new Date(moment);
    const claimed = await acting.query<{
      notification_id: string;
      subscription_id: string;
      attempt: number;
      number: number;
    }>`
      select notification_id, subscription_id, attempt, (data ->> 'number')::integer as number
      from private.claim_push_deliveries(${PUSHES}, 60, 10, ${at}) where to_send`;
    const tried = claimed.map(({ number, ...delivery }) => {
      const quiet = current.get(pushes[number]?.person ?? -1);
      if (quiet === undefined || (isQuietAt(quiet, moment) && !isAfterShortBreak(quiet, moment)))
        throw new Error(`${number} was sent in quiet hours`);
      if (!firstTry.has(number)) firstTry.set(number, moment);
      const result = results.next().value;
      if (result === "sent") sent.push(number);
      return { ...delivery, result };
    });
    await acting.query`select private.record_push_results(${JSON.stringify(tried)}, ${at})`;
  };
  const notify = async (number: number, { person, type }: World["pushes"][number], at: Date) => {
    await acting.query`select private.notify(${ids[person]}, ${type}, jsonb_build_object('number', ${number}::integer))`;
    await acting.query`update private.push_deliveries d
      set created_at = ${at}, next_attempt_at = ${at}
      from nectar.notifications n where n.id = d.notification_id and n.data = jsonb_build_object('number', ${number}::integer)`;
  };

  const wasQuiet = new Map<number, boolean>();
  const events = [
    ...pushes.map((push, number) => ({
      at: start + push.after,
      happen: async (at: number) => {
        const quiet = current.get(push.person);
        wasQuiet.set(number, quiet !== undefined && isQuietAt(quiet, at));
        await notify(number, push, new Date(at));
        await deliver(at);
      },
    })),
    ...changes.map((change) => ({ at: start + change.after, happen: () => choose(change.person, change.settings) })),
  ].sort((one, other) => one.at - other.at);
  for (let next = 0, moment = start; ; ) {
    const { due } = await acting.one<{ due: Date | null }>`
      select min(next_attempt_at) as due from private.push_deliveries where finished_at is null`;
    const run =
      due === null ? Number.POSITIVE_INFINITY : Math.ceil(Math.max(due.getTime(), moment + 1) / PERIOD) * PERIOD;
    const event = events[next];
    if (event !== undefined && event.at <= run) {
      moment = event.at;
      next += 1;
      await event.happen(moment);
    } else if (run < Number.POSITIVE_INFINITY) {
      moment = run;
      await deliver(moment);
    } else break;
  }

  const outcomes = await acting.query<{ number: number; outcome: string }>`
    select (n.data ->> 'number')::integer as number, d.outcome from private.push_deliveries d join nectar.notifications n on n.id = d.notification_id`;
  expect(outcomes).toHaveLength(PUSHES);
  const changed = new Set(changes.map(({ person }) => person));
  for (const { number, outcome } of outcomes) {
    const push = pushes[number];
    if (push === undefined) throw new Error("A push that was not made.");
    const isDropped = push.type === "checkin_reminder" && outcome === "silenced";
    expect(isDropped ? "silenced" : "sent").toBe(outcome);
    expect(sent.filter((one) => one === number)).toHaveLength(isDropped ? 0 : 1);
    if (push.type === "checkin_reminder" && wasQuiet.get(number)) expect(isDropped).toBe(true);
    if (isDropped || changed.has(push.person)) continue;
    const quiet = people[push.person];
    if (quiet === undefined) throw new Error("A person that does not exist.");
    const end = quietEnd(quiet, start + push.after);
    expect(firstTry.get(number)).toBeGreaterThanOrEqual(end);
    expect(firstTry.get(number)).toBeLessThan(end + PERIOD);
  }
}
