import { expect, it } from "vitest";
import { CROWD, callJob, callUntilDone, clockOfToday, sumOf, type Troubles, troubleSql } from "#tests/assistant";
import { ANALYZE_NOTES, useAnalyzing } from "./analyzing.ts";

const { api, appWith, model } = await useAnalyzing();

/** Signs up people who let the assistant read their notes, each with a note that may trouble the model. */
async function signUpCrowd(people: number, troubles: Troubles) {
  await api.query(
    "insert into auth.users (id, email) select gen_random_uuid(), 'zq-address-' || n || '@crowd.test' from generate_series(1, $1) n",
    [people],
  );
  await api.query("update nectar.accounts set read_notes_enabled = true where email is not null");
  const numbered = `
    with numbered as (
      select user_id, row_number() over (order by md5(user_id::text)) as n from nectar.accounts where email is not null
    )`;
  await api.query(
    `${numbered}
     insert into nectar.journal_entries (user_id, title, mood, metadata_audience_id, content_audience_id)
     select user_id, 'zq-title-' || n, null, user_id, user_id from numbered`,
  );
  await api.query(
    `${numbered}
     insert into nectar.journal_entry_contents (entry_id, content)
     select e.id, 'zq-secret-' || n || ' ' || ${troubleSql(troubles)} from nectar.journal_entries e join numbered using (user_id)`,
  );
}

it("each person gets exactly one analysis or is reported as failed, in any number of parallel runs", async () => {
  const { people } = CROWD;
  const troubles = CROWD.troubles(people);
  const troubled = troubles.failing + troubles.hanging + troubles.talking;
  await signUpCrowd(people, troubles);
  model.mode("as asked");
  const clock = clockOfToday(2);
  const app = appWith({ clock }, { budgetSeconds: 3, modelTimeoutMs: 2_500 });
  const run = () => callJob(app, ANALYZE_NOTES);
  const calls = await callUntilDone(run, clock.advance);

  expect(sumOf(calls, "successful")).toBe(people - troubled);
  expect(sumOf(calls, "failed")).toBe(3 * troubled);
  expect(calls.at(-2)?.results?.errors ?? calls.at(-1)?.results?.errors).toEqual([
    `${troubled} people: not tried again today after three failures.`,
  ]);
  const state = () =>
    api.query(
      `select
         (select count(*)::int from nectar.note_analyses) as analyses,
         (select count(distinct user_id)::int from nectar.note_analyses) as people,
         (select count(*)::int from nectar.token_usage where usage_type = 'note_analysis' and has_reply) as calls,
         (select count(distinct reference_id)::int from nectar.token_usage) as referenced,
         (select count(*)::int from private.assistant_turns where claimed_until is not null) as claimed`,
    );
  const well = people - troubled;
  const replies = well + 3 * troubles.talking;
  const done = [{ analyses: well, people: well, calls: replies, referenced: well, claimed: 0 }];
  expect(await state()).toEqual(done);
  expect(model.replies()).toBe(replies);
  await callUntilDone(run, clock.advance);
  expect(await state()).toEqual(done);
  const visible = JSON.stringify([calls, await api.query("select * from private.job_runs")]) + api.logged();
  expect(visible).not.toMatch(/zq-|stand-in|@crowd|garden/);
  expect(calls.filter(({ message }) => message === "already running").length).toBeGreaterThan(0);
});

it("no turn is claimed twice at the same time", async () => {
  await signUpCrowd(100, { failing: 0, hanging: 0, talking: 0 });
  const claim = () =>
    api.one<{ claimed: string[] }>("select claimed from private.claim_assistant_turns('note_analysis', $1, null, 5)", [
      api.services.clock.now(),
    ]);
  const claims = await Promise.all(Array.from({ length: 12 }, claim));
  const claimed = claims.flatMap(({ claimed }) => claimed);
  expect(new Set(claimed).size).toBe(claimed.length);
  expect(claimed.length).toBeGreaterThanOrEqual(5);
});
