import { beforeAll, expect, it } from "vitest";
import { older, RETENTIONS } from "#functions/health/housekeeping";
import { createCrowd } from "#tests/crowd";
import { useActing } from "../support/acting.ts";
import { resetReadCounts } from "../support/read-counts.ts";
import { explainAs } from "./explained.ts";

const MEMBERS = 50;
const acting = useActing();
let sender: string;
let team: string;

beforeAll(async () => {
  const { admin } = acting;
  const people = await createCrowd(admin, 5_000);
  const members = people.slice(0, MEMBERS);
  sender = members[0] ?? "";
  await admin.query(
    `with organization as (
       insert into nectar.organizations (name, owner_id) values ('Hive', $1) returning id
     )
     insert into nectar.teams (org_id, name, admin_id) select id, 'Comb', $1 from organization`,
    [sender],
  );
  team = (await admin.query("select id from nectar.teams where admin_id = $1", [sender])).rows[0].id;
  await admin.query(
    `insert into nectar.organization_members (org_id, user_id)
     select t.org_id, m from nectar.teams t, unnest($2::uuid[]) m where t.id = $1 on conflict do nothing`,
    [team, people.slice(0, 2_000)],
  );
  await admin.query(
    `insert into nectar.team_members (team_id, org_id, user_id)
     select t.id, t.org_id, m from nectar.teams t, unnest($2::uuid[]) m where t.id = $1 on conflict do nothing`,
    [team, members],
  );
  await admin.query(
    `insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
     select id, 'https://push.example.test/' || id, repeat('A', 87), repeat('A', 22) from nectar.profiles`,
  );
  await admin.query(
    `insert into nectar.notifications (user_id, type)
     select id, 'badge_earned' from nectar.profiles`,
  );
  await admin.query("vacuum analyze");
});

it.each(["the first unread message", "another one"])(
  "of %s only the members and their notifications are searched for, also with a kept plan",
  async (which) => {
    const { admin } = acting;
    const send = () =>
      admin.query("insert into nectar.team_messages (team_id, sender_id, content) values ($1, $2, 'Hello')", [
        team,
        sender,
      ]);
    if (which === "another one") await send();
    await resetReadCounts(admin);
    await admin.query("begin");
    try {
      await admin.query("set local plan_cache_mode = force_generic_plan");
      await send();
      const { rows: work } = await admin.query(
        `select relname, seq_tup_read::int as walked, idx_tup_fetch::int as found
         from pg_stat_xact_user_tables where schemaname in ('nectar', 'private') and seq_tup_read + idx_tup_fetch > 0`,
      );
      expect(work.map(({ relname }) => relname)).toContain("team_members");
      expect(work.filter(({ walked, found }) => walked > MEMBERS || found > 4 * MEMBERS)).toEqual([]);
    } finally {
      await admin.query("rollback");
    }
  },
);

it.each([
  ["read", "notifications_read_age", "read_at"],
  ["unread", "notifications_unread_age", "created_at"],
])("housekeeping finds the %s notifications that it deletes by their age", async (_, index, since) => {
  const [table, kept] = RETENTIONS.find(([name, one]) => name === "nectar.notifications" && one.since === since) ?? [];
  if (table === undefined || kept === undefined) throw new Error("Notifications are kept forever.");
  await acting.query`update nectar.notifications set read_at = now() where hashtext(id::text) % 2 = 0`;
  await acting.query`update nectar.notifications
    set read_at = read_at - interval '181 days', created_at = now() - interval '401 days'
    where id in (select id from nectar.notifications limit 20)`;
  await acting.query`vacuum analyze nectar.notifications`;
  const walks = await explainAs(acting.adminUrl, "service", older(table, kept));
  expect(walks.filter(({ table }) => table === "notifications")).toContainEqual(expect.objectContaining({ index }));
  expect(walks.filter(({ rows }) => rows > 50)).toEqual([]);
});
