import { beforeAll, describe, expect, it } from "vitest";
import { markAllRead } from "#functions/notifications/notifications";
import { createCrowd } from "#tests/crowd";
import { explainAs } from "../plans/explained.ts";
import { useActing } from "../support/acting.ts";
import { resetReadCounts } from "../support/read-counts.ts";

const acting = useActing();
let reader: string;

beforeAll(async () => {
  const { admin } = acting;
  await createCrowd(admin, 5_000);
  // Everyone has a device, so that every notification waits in the outbox as well, and most have no
  // notifications: among 500 devices, walking through all costs the planner hardly more than the index does.
  await admin.query(
    `insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
     select id, 'https://push.example.test/' || id, repeat('A', 87), repeat('A', 22) from nectar.profiles`,
  );
  await admin.query(
    `insert into nectar.notifications (user_id, type, data, created_at, read_at)
     select p.id, 'chain_update', jsonb_build_object('number', n), now() - n * interval '1 hour', case when n % 10 > 0 then now() end
     from (select id from nectar.profiles order by id limit 500) p cross join generate_series(1, 100) n`,
  );
  await admin.query(
    `update private.push_deliveries d set outcome = 'sent', finished_at = now()
     from nectar.notifications n where n.id = d.notification_id and n.data ->> 'number' <> '1'`,
  );
  await admin.query("vacuum analyze");
  reader = (await admin.query("select id from nectar.profiles order by id offset 10 limit 1")).rows[0].id;
});

it("with 50,000 notifications of 500 people, reading all of a person's uses an index and reads few rows", async () => {
  const walks = await explainAs(acting.adminUrl, reader, (tx) => markAllRead(tx, reader));
  expect(walks.filter(({ index, rows }) => index === null && rows > 0)).toEqual([]);
  expect(walks.map(({ index }) => index)).toContain("notifications_unread");
  expect(walks.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(200);
});

describe("with 5,000 reminders, of which 20 are due", () => {
  it("the reminder job searches for these, also with a kept plan", async () => {
    const { admin } = acting;
    await admin.query(
      `insert into nectar.notification_settings
         (user_id, quiet_start, quiet_end, reminder_time, reminder_weekdays, reminder_only_if_not_written)
       select id, '22:00', '07:00', '20:00', '{1,2,3,4,5,6,7}', true from nectar.profiles`,
    );
    await admin.query("select private.remind_to_write('2027-05-03T12:00:00Z', 10000)");
    await admin.query(
      `update nectar.notification_settings set reminder_due_at = '2027-05-03T12:05:00Z', reminder_time = '12:05'
       where user_id in (select user_id from nectar.notification_settings order by user_id limit 20)`,
    );
    await admin.query("vacuum analyze nectar.notification_settings");
    await resetReadCounts(admin);
    await admin.query("begin");
    try {
      await admin.query("set local plan_cache_mode = force_generic_plan");
      const { rows } = await admin.query("select * from private.remind_to_write('2027-05-03T12:05:00Z', 5000)");
      expect(rows).toEqual([{ seen: 20, reminded: 20 }]);
      const { rows: work } = await admin.query(
        `select relname, seq_tup_read::int as walked, idx_tup_fetch::int as found
         from pg_stat_xact_user_tables where schemaname in ('nectar', 'private') and seq_tup_read + idx_tup_fetch > 0`,
      );
      expect(work.map(({ relname }) => relname)).toContain("notification_settings");
      expect(work.filter(({ walked, found }) => walked > 0 || found > 200)).toEqual([]);
    } finally {
      await admin.query("rollback");
    }
  });
});

describe("with 500 pending deliveries among 50,000", () => {
  it("a claim uses an index and reads few rows, also with a kept plan", async () => {
    const { admin } = acting;
    await resetReadCounts(admin);
    await admin.query("begin");
    try {
      await admin.query("set local plan_cache_mode = force_generic_plan");
      const { rows } = await admin.query(
        "select * from private.claim_push_deliveries(50, 60, 10) where $1::text is not null",
        [reader],
      );
      expect(rows).toHaveLength(50);
      const { rows: work } = await admin.query(
        `select relname, seq_tup_read::int as walked, idx_tup_fetch::int as found
         from pg_stat_xact_user_tables where schemaname in ('nectar', 'private') and seq_tup_read + idx_tup_fetch > 0`,
      );
      expect(work.map(({ relname }) => relname)).toContain("push_deliveries");
      expect(work.filter(({ walked, found }) => walked > 0 || found > 400)).toEqual([]);
    } finally {
      await admin.query("rollback");
    }
  });
});
