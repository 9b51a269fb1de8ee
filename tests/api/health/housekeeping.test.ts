import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";

const SECRET = "a-secret-of-the-scheduler";
const api = useApi({ environment: { MAINTENANCE_CRON_SECRET: SECRET } });
const run = () => api.send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": SECRET } });
/** Runs the job twice: the second run finds nothing more to do. @returns the counts of the first one that are not 0 */
async function deletedBy(): Promise<Record<string, unknown>> {
  const [{ results: first }, { results: second }] = [await run().ok(), await run().ok()];
  expect(second).toEqual(NOTHING);
  return Object.fromEntries(Object.entries(first ?? {}).filter(([, count]) => count !== 0));
}
const runs = () =>
  api.query`select job, key, succeeded, results, finished_at >= started_at as finished
    from private.job_runs where job = 'housekeeping' order by started_at`;

/** The counts of a run that finds nothing to do. */
const NOTHING = Object.fromEntries(
  [
    ...["idempotency_keys", "job_runs", "journal_imports", "logged_reads", "exports", "exports_expired", "invitations"],
    ...["leases", "rejected_photos", "personal_tokens", "removed_things"],
    ...["push_deliveries", "email_messages", "email_received", "email_events", "team_messages", "trashed_entries"],
    ...["kept_suspensions", "notifications", "files", "files_left"],
  ].map((name) => [name, 0]),
);

beforeEach(() => api.query`truncate private.job_runs, private.idempotency_keys, private.stored_files_to_remove`);

describe("the housekeeping", () => {
  it("deletes stored responses after 24 hours, job runs after 90 days, and work that was left for 30 days", async () => {
    const ada = await api.person();
    await api.query`insert into private.idempotency_keys (user_id, route, key, body_hash, status, body, created_at)
      select ${ada.id}, 'POST /x', k, 'hash', 201, '{}', now() - age::interval
      from (values ('fresh', '0 s'), ('young', '23 h 59 min'), ('old', '24 h 1 min'), ('older', '40 days')) v (k, age)`;
    await api.query`insert into private.job_runs (job, key, started_at)
      select 'another', k, now() - age::interval from (values ('young', '89 days'), ('old', '91 days')) v (k, age)`;
    await api.query`insert into private.work (kind, key, due_at)
      values ('another', 'left', now() - interval '31 days'), ('another', 'waits', now() - interval '29 days')`;
    const results = { ...NOTHING, idempotency_keys: 2, job_runs: 1, leases: 1 };
    expect(await run().ok()).toEqual({ success: true, message: "done", results });
    const kept = await api.query`select key from private.idempotency_keys order by created_at desc`;
    expect(kept).toEqual([{ key: "fresh" }, { key: "young" }]);
    expect(await api.query`select key from private.job_runs where job = 'another'`).toEqual([{ key: "young" }]);
    expect(await api.query`select key from private.work where kind = 'another'`).toEqual([{ key: "waits" }]);
  });

  it("deletes the log of who read an entry after a year", async () => {
    const ada = await api.person();
    const { entry } = await api.post("/api/journal", ada, { title: "A walk", content: "To the lake" }).created();
    await api.query`insert into private.logged_reads (entry_id, user_id, reader_id, date, created_at)
      select ${entry.id}, ${ada.id}, gen_random_uuid(), current_date, now() - age::interval
      from (values ('364 days'), ('366 days')) v (age)`;
    expect(await deletedBy()).toEqual({ logged_reads: 1 });
    expect((await api.get("/api/user/access-log", ada).ok()).reads).toHaveLength(1);
  });

  it("deletes invitations 30 days after they expire, however they ended", async () => {
    const ada = await api.person();
    const { organization } = await api.post("/api/organizations", ada, { name: "Hive" }).created();
    await api.query`insert into nectar.invitations
      (org_id, invited_by, token_hash, role, team_ids, max_uses, uses, revoked_at, expires_at)
      select ${organization.id}, ${ada.id}, sha256((age || uses || revoked)::bytea), 'member', '{}', 1, uses,
        case when revoked then now() end, now() - age::interval
      from (values ('-1 week'), ('29 days'), ('31 days')) a (age)
      cross join (values (0, false), (1, false), (0, true)) u (uses, revoked)`;
    expect(await deletedBy()).toEqual({ invitations: 3 });
    expect(await api.query`select from nectar.invitations`).toHaveLength(6);
  });

  it("deletes personal tokens 30 days after they expire", async () => {
    const ada = await api.person();
    await api.query`insert into nectar.personal_tokens (user_id, name, scopes, token_hash, hint, expires_at)
      select ${ada.id}, age, '{journal:read}', sha256(age::bytea), 'abcd', now() - age::interval
      from unnest(array['-1 day', '29 days', '31 days']) age`;
    expect(await deletedBy()).toEqual({ personal_tokens: 1 });
    expect(await api.query`select name from nectar.personal_tokens order by expires_at`).toEqual([
      { name: "29 days" },
      { name: "-1 day" },
    ]);
  });

  it("deletes push deliveries after a week, sent or not, and keeps the notifications", async () => {
    const ada = await api.person();
    await api.query`insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
      values (${ada.id}, 'https://push.example.test/x', repeat('A', 87), repeat('A', 22))`;
    await api.query`insert into nectar.notifications (user_id, type, data)
      select ${ada.id}, 'badge_earned', jsonb_build_object('badge_name', n) from unnest(array['young', 'sent', 'never sent']) n`;
    await api.query`update private.push_deliveries d
      set created_at = now() - case n.data ->> 'badge_name' when 'young' then interval '6 days' else interval '8 days' end,
        outcome = case n.data ->> 'badge_name' when 'sent' then 'sent' end,
        finished_at = case n.data ->> 'badge_name' when 'sent' then now() end
      from nectar.notifications n where n.id = d.notification_id`;
    expect(await deletedBy()).toEqual({ push_deliveries: 2 });
    const left = await api.query`select n.data ->> 'badge_name' as name from private.push_deliveries d
      join nectar.notifications n on n.id = d.notification_id`;
    expect(left).toEqual([{ name: "young" }]);
    expect((await api.get("/api/notifications", ada)).body.notifications).toHaveLength(3);
  });

  it("deletes sent mail, received mail and mail events after 30 days, and keeps suppressed addresses", async () => {
    const ada = await api.person();
    const ages = ["0 s", "29 days 23 h", "30 days 1 min", "1 year"];
    await api.query`insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
      select ${ada.id}, 'x@example.test', 'Hi', 'sent', now() - age::interval, now() from unnest(${ages}::text[]) age`;
    await api.query`insert into private.email_events (id, is_verified, type, created_at)
      select ${ada.id} || age || verified, verified, 'email.received', now() - age::interval
      from unnest(${ages}::text[]) age cross join (values (true), (false)) v (verified)`;
    await api.query`
      insert into private.email_received (event_id, is_verified, sender, recipients, subject, created_at)
      select ${ada.id} || age, true, 'x', '{y}', 'z', now() - age::interval from unnest(${ages}::text[]) age`;
    await api.query`insert into private.email_suppressions (address_hash, reason, event_id, created_at)
      values (sha256('x'), 'bounced', 'e', now() - interval '10 years')`;
    expect(await deletedBy()).toEqual({ email_messages: 2, email_received: 2, email_events: 4 });
    const left = await api.query`select (select count(*)::int from private.email_messages) as mails,
      (select count(*)::int from private.email_received) as received,
      (select count(*)::int from private.email_events) as events,
      (select count(*)::int from private.email_suppressions) as suppressed`;
    expect(left).toEqual([{ mails: 2, received: 2, events: 4, suppressed: 1 }]);
  });

  it("deletes messages of squads after 30 days, and keeps those of teams", async () => {
    const ada = await api.person();
    const { organization } = await api.post("/api/organizations", ada, { name: "Hive" }).created();
    const { team } = await api.post("/api/teams", ada, { org_id: organization.id, name: "Comb" }).created();
    await api.query`insert into nectar.squads (date, user_1_id, team_color) values (current_date, ${ada.id}, 'red')`;
    await api.query`insert into nectar.team_messages (team_id, squad_id, sender_id, content, created_at)
      select r.team, r.squad, ${ada.id}, age, now() - age::interval
      from (select ${team.id}::uuid, null::uuid union all select null, q.id from nectar.squads q) r (team, squad)
      cross join (values ('29 days 23 h'), ('30 days 1 min')) v (age)`;
    expect(await deletedBy()).toEqual({ team_messages: 1 });
    const left = await api.query`select content from nectar.team_messages where squad_id is not null`;
    expect(left).toEqual([{ content: "29 days 23 h" }]);
    expect(await api.query`select from nectar.team_messages where team_id is not null`).toHaveLength(2);
  });

  it("deletes notifications 180 days after they were read, and unread ones after 400 days", async () => {
    const ada = await api.person();
    const kept = { "read late": [500, 179], unread: [399, null], "read soon": [200, 179] };
    const old = { "read long ago": [181, 181], "never read": [401, null] };
    for (const [name, [created, read]] of Object.entries({ ...kept, ...old })) {
      await api.query`insert into nectar.notifications (user_id, type, data, created_at, read_at)
        values (${ada.id}, 'badge_earned', jsonb_build_object('badge_name', ${name}::text), now() - ${created}::int * interval '1 day',
          now() - ${read}::int * interval '1 day')`;
    }
    expect(await deletedBy()).toEqual({ notifications: 2 });
    const { notifications } = await api.get("/api/notifications", ada).ok();
    expect(notifications.map(({ data }) => data.badge_name).toSorted()).toEqual(Object.keys(kept).toSorted());
  });

  it("deletes entries after 30 days in the trash, and their backgrounds", async () => {
    const ada = await api.person();
    for (const title of ["young", "old", "kept"]) {
      const { entry } = await api.post("/api/journal", ada, { title, content: "Text" }).created();
      await api.query`insert into nectar.entry_backgrounds (user_id, entry_id, quality)
        values (${ada.id}, ${entry.id}, 'standard')`;
      if (title !== "kept") await api.delete(`/api/journal/${entry.id}`, ada).ok();
    }
    await api.query`update nectar.trashed_entries
      set deleted_at = now() - case title when 'old' then interval '30 days 1 min' else interval '29 days 23 h' end`;
    const [old] = await api.query`select background_file as path from nectar.trashed_entries where title = 'old'`;
    for (const trashed_entries of [1, 0]) expect((await run().ok()).results).toMatchObject({ trashed_entries });
    expect((await api.get("/api/journal/trash", ada).ok()).entries).toMatchObject([{ title: "young" }]);
    expect((await api.get("/api/journal", ada).ok()).entries).toMatchObject([{ title: "kept" }]);
    expect(await api.query`select path from private.stored_files_to_remove`).toEqual([old]);
  });

  it("records its run", async () => {
    await run().ok();
    const recorded = { job: "housekeeping", key: "all", succeeded: true, results: NOTHING, finished: true };
    expect(await runs()).toEqual([recorded]);
  });

  it("needs several batches for many rows, and does nothing the second time", async () => {
    const ada = await api.person();
    await api.query`insert into private.idempotency_keys (user_id, route, key, body_hash, status, body, created_at)
      select ${ada.id}, 'POST /x', 'k' || n, 'hash', 201, '{}', now() - interval '2 days'
        from generate_series(1, 5001) n`;
    expect(await deletedBy()).toEqual({ idempotency_keys: 5001 });
  });
});
