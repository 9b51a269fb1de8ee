import { beforeAll, expect, it } from "vitest";
import { useActing } from "../support/acting.ts";

const acting = useActing();
let checkedIn: string;
let reader: string;

beforeAll(async () => {
  const { admin } = acting;
  const { rows } = await admin.query(
    "insert into auth.users (id, email) select gen_random_uuid(), 'p' || n || '@example.test' from generate_series(1, 2) n returning id",
  );
  [checkedIn, reader] = [rows[0].id, rows[1].id];
  await admin.query(
    `insert into nectar.workout_checkins (user_id, date, activity_type, status, chain_status,
       battle_week_start, reviewed_at, reviewed_by, review_reason)
     values ($1, '2031-01-06', 'walk', 'rejected', 'continued', '2031-01-06', now(), $2, 'not them')`,
    [checkedIn, reader],
  );
});

it.each(["review_reason", "reviewed_by", "*"])("%s of a check-in is read by the service only", async (column) => {
  const statement = `select ${column} from nectar.workout_checkins`;
  for (const person of [checkedIn, reader]) expect(await acting.outcome({ person }, statement)).toBe("42501");
  expect(await acting.outcome("service", statement)).toBe(1);
});

it("everything else of a check-in is read by everyone signed in", async () => {
  const statement = "select id, user_id, status, reviewed_at, chip_breakdown from nectar.workout_checkins";
  expect(await acting.outcome({ person: reader }, statement)).toBe(1);
  expect(await acting.outcome("anonymous", statement)).not.toBe(1);
});
