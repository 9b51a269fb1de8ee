import { beforeEach, describe, expect, it } from "vitest";
import { SCHEDULES } from "#functions/schedules";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const [ada, ben] = [beforeTests(() => api.person()), beforeTests(() => api.person())];
const HEALTH = "/health/jobs";
const REASON = "A reason that is long enough.";
const NAMES = SCHEDULES.map(({ name }) => name);
const HOUR_MS = 3_600_000;

/** The clock of the API: an hour later for each test, so that an earlier result does not count any more. */
let now = new Date("2027-06-15T12:00:00Z");
beforeEach(async () => {
  now = new Date(now.getTime() + HOUR_MS);
  api.at(now);
  await api.query`truncate nectar.reports, nectar.moderation_decisions, nectar.workout_checkins, private.job_runs,
    private.jobs cascade`;
  await api.query`insert into private.jobs (name, known_since) select unnest(${NAMES}::text[]), '2026-06-15'`;
  await api.query`
    insert into private.job_runs (job, key, started_at, finished_at, succeeded)
    select unnest(${NAMES}::text[]), 'all', ${now.toISOString()}, ${now.toISOString()}, true`;
});

const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString();
const report = (hours: number) => api.query`
  insert into nectar.reports (reporter_id, owner_id, target_type, target_id, reason, created_at)
  values (${ada.id}, ${ben.id}, 'user', gen_random_uuid(), 'spam', ${hoursAgo(hours)})`;
const appeal = (hours: number) => api.query`
  with d as (
    insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, decided_at)
    values (${ben.id}, 'user', ${ben.id}, 'warn', ${REASON}, ${hoursAgo(hours + 1)}) returning id
  )
  insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at)
  select id, ${ben.id}, ${REASON}, ${hoursAgo(hours)} from d`;
const checkIn = (hours: number, status: "pending" | "verified", date: string) => api.query`
  insert into nectar.workout_checkins
    (user_id, date, activity_type, status, chain_status, battle_week_start, created_at, verified_at)
  values (${ben.id}, ${date}, 'cardio', ${status}::nectar.checkin_status, 'broken', private.week_start(${date}::date),
    ${hoursAgo(hours)}, case ${status} when 'verified' then ${hoursAgo(hours)}::timestamptz end)`;

describe("GET /health/jobs, while people wait for an admin,", () => {
  it("is 503 with each kind whose oldest one is older than the limit, in whole hours", async () => {
    await report(25.9);
    await report(99);
    await appeal(24.1);
    await checkIn(48.5, "pending", "2027-06-12");
    const waiting = [
      { kind: "report", hours: 99 },
      { kind: "appeal", hours: 24 },
      { kind: "checkin", hours: 48 },
    ];
    const error = "Reports, appeals or check-ins have waited for an admin for too long.";
    const problem = { error, code: "service.reviews_waiting", late: [], waiting };
    expect(await api.get(HEALTH).refused(503, "service.reviews_waiting")).toEqual(problem);
  });

  it("is ok about what has waited for 24 hours or less, and about what is decided", async () => {
    await report(24);
    await appeal(23.9);
    await checkIn(1, "pending", "2027-06-14");
    await checkIn(99, "verified", "2027-06-11");
    await api.query`
      with d as (
        insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, decided_at)
        values (${ben.id}, 'user', ${ben.id}, 'warn', ${REASON}, now()) returning id
      ),
      r as (
        insert into nectar.reports (reporter_id, owner_id, target_type, target_id, reason, created_at, decided_at, status,
          decision_id)
        select ${ada.id}, ${ben.id}, 'user', ${ben.id}, 'spam', ${hoursAgo(99)}, now(), 'actioned', id from d
      )
      insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at, status, answer, decided_at)
      select id, ${ben.id}, ${REASON}, ${hoursAgo(99)}, 'upheld', ${REASON}, now() from d`;
    expect(await api.get(HEALTH).ok()).toEqual({ status: "ok", late: [], waiting: [] });
  });

  it("has the code of late jobs if there are some as well", async () => {
    await report(30);
    await api.query`delete from private.job_runs where job = 'mosaics'`;
    const problem = { late: ["mosaics"], waiting: [{ kind: "report", hours: 30 }] };
    expect(await api.get(HEALTH).refused(503, "service.jobs_late")).toMatchObject(problem);
  });

  it("follows the clock of the service", async () => {
    await report(23);
    await api.get(HEALTH).ok();
    api.at(new Date(now.getTime() + 2 * HOUR_MS));
    const { text } = await api.get(HEALTH);
    expect(text).toContain('"waiting":[{"kind":"report","hours":25}]');
  });
});
