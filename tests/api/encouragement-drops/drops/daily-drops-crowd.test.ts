import { expect, it } from "vitest";
import { sendDailyDrops } from "#functions/encouragement-drops/drops/daily-drops";
import { useApi } from "#tests/api";
import { CRON_SECRET, CROWD, callUntilDone, clockOfToday, JobBody, sumOf, troubleSql } from "#tests/assistant";
import { useModel } from "#tests/models";

const model = await useModel();
const api = useApi({ environment: { ...model.environment, DROPS_CRON_SECRET: CRON_SECRET } });

it("every user gets the drop exactly once, or is reported as failed, however often the job runs", async () => {
  const { people } = CROWD;
  const troubles = CROWD.troubles(people);
  const troubled = troubles.failing + troubles.hanging + troubles.talking;
  // The last tenth has no analysis and gets generic messages.
  const unknown = people / 10;
  await api.query(
    `insert into auth.users (id, email)
     select gen_random_uuid(), 'zq-address-' || n || '@crowd.test' from generate_series(1, $1) n`,
    [people],
  );
  await api.query(
    "update nectar.accounts set read_notes_enabled = true, check_in_enabled = true where email is not null",
  );
  await api.query(
    `insert into nectar.note_analyses
       (user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count)
     select user_id, current_date, 'zq-secret-' || n || ' ' || ${troubleSql(troubles)},
       '{"overall": "calm", "direction": "steady", "moods": []}', '["garden"]', '[]', 'Rest.',
       '{"gratitude": [], "challenges": [], "goals": [], "achievements": []}', 1
     from (select user_id, row_number() over (order by md5(user_id::text)) as n
       from nectar.accounts where email is not null) numbered
     where n <= $1`,
    [people - unknown],
  );
  model.mode("as asked");
  const clock = clockOfToday(2);
  const call = async () => {
    const options = { budgetSeconds: 6, pauseMs: 0, modelTimeoutMs: 5_000 };
    return JobBody.parse(await sendDailyDrops.run({ ...api.services, clock }, options));
  };
  const calls = await callUntilDone(call, clock.advance);

  expect(sumOf(calls, "generated")).toBe(people - troubled);
  expect(sumOf(calls, "failed")).toBe(3 * troubled);
  const state = () =>
    api.query(
      `select
         (select count(*)::int from nectar.encouragement_drops) as drops,
         (select count(distinct recipient_id)::int from nectar.encouragement_drops) as people,
         (select count(*)::int from nectar.notifications where type = 'assistant_drop') as notifications,
         (select count(*)::int from nectar.token_usage where usage_type = 'assistant_drop' and has_reply) as calls,
         (select count(distinct reference_id)::int from nectar.token_usage) as referenced,
         (select count(*)::int from nectar.encouragement_allowances) as allowances,
         (select count(*)::int from private.assistant_turns where claimed_until is not null) as claimed`,
    );
  const personal = people - unknown - troubled;
  const done = [
    {
      drops: people - troubled,
      people: people - troubled,
      notifications: people - troubled,
      calls: personal + 3 * troubles.talking,
      referenced: personal,
      allowances: 0,
      claimed: 0,
    },
  ];
  expect(await state()).toEqual(done);
  expect(model.replies()).toBe(personal + 3 * troubles.talking);
  await callUntilDone(call, clock.advance);
  expect(await state()).toEqual(done);
  const reported = JSON.stringify([calls, await api.query("select * from private.job_runs")]) + api.logged();
  expect(reported).not.toMatch(/zq-|stand-in|@crowd|garden|kept at it/i);
  expect(calls.filter(({ message }) => message === "already running").length).toBeGreaterThan(0);
});
