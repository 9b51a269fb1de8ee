import { beforeEach, describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { named, setStage } from "../support/stage.ts";

/*
 * What a request passes about a check-in could be wrong by a mistake of ours: the database does not believe moments, dates
 * and limits, takes the person from the claims alone, and counts chips itself.
 */

const acting = useActing({ moments: "now" });
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));
beforeEach(() => acting.admin.query("delete from nectar.workout_checkins where user_id = $1", [stage.ids.stranger]));

interface CheckInArguments {
  readonly date?: string;
  readonly grace?: string;
}

const TODAY = "(now() at time zone 'UTC')::date";
const checkIn = ({ date = TODAY, grace = "15" }: CheckInArguments) =>
  `select * from private.record_check_in(
     jsonb_build_object(
       'date', ${date}, 'activity_type', 'walk', 'photo_timestamp', now(), 'taken_offset', '+00:00', 'is_early', true,
       'file_id', gen_random_uuid(), 'perceptual_hash', repeat('0110', 16), 'flags', '{}'::text[]
     ),
     now(), ${grace}
   )`;

describe("private.record_check_in", () => {
  it.each([
    ["of today, now", {}, 1],
    ["of the day before yesterday, whose window was late in the west", { date: `${TODAY} - 2` }, 1],
    ["of an older date", { date: `${TODAY} - 3` }, "service.unexpected"],
    ["of a date that has begun nowhere", { date: `${TODAY} + 2` }, "service.unexpected"],
    ["of no date", { date: "null" }, "service.unexpected"],
    ["with a day of grace", { grace: "1440" }, "service.unexpected"],
    ["with a negative grace", { grace: "-1" }, "service.unexpected"],
    ["with no grace", { grace: "null" }, "service.unexpected"],
  ])("%s", async (_, given, expected) => {
    expect(await acting.outcome(stage.actors.stranger, named(stage, checkIn(given)))).toBe(expected);
  });

  it("computes the chips, and stores the photo in the caller's folder", async () => {
    const { rows: days } = await acting.admin.query(`select ${TODAY}::text as today`);
    const date = `'${days[0].today}'::date`;
    const statement = `with written as (${checkIn({ date })})
      select 1 from written`;
    await acting.run(stage.actors.stranger, statement, [], "keep");
    const { rows } = await acting.admin.query(
      `select k.user_id, k.battle_chips_earned, p.photo_key like 'checkins/' || k.user_id || '/%' as is_own
       from nectar.workout_checkins k join nectar.workout_checkin_photos p on p.checkin_id = k.id
       where k.date = ${date}`,
    );
    expect(rows).toEqual([{ user_id: stage.ids.stranger, battle_chips_earned: 2, is_own: true }]);
    expect(await acting.outcome(stage.actors.stranger, named(stage, checkIn({ date })))).toBe(
      "checkin.already_checked_in",
    );
  });
});

it("a super admin creates at most a thousand synthetic users at once", async () => {
  const statement =
    "select count(*) from private.create_synthetic_users((select jsonb_agg('{}'::jsonb) from generate_series(1, 1001)), 'seed')";
  expect(await acting.outcome(stage.actors.superAdmin, statement)).toBe("service.unexpected");
});

it("only its owner learns whether a photo was used for a check-in", async () => {
  const { rows } = await acting.admin.query("select file_id from nectar.workout_checkin_photos where user_id = $1", [
    stage.ids.owner,
  ]);
  const statement = "select private.is_checked_in($1) as found";
  const asked = async (actor: Parameters<typeof acting.run>[0]) =>
    (await acting.run(actor, statement, [rows[0].file_id])).rows[0].found;
  expect(await asked(stage.actors.owner)).toBe(true);
  expect(await asked(stage.actors.stranger)).toBe(false);
});
