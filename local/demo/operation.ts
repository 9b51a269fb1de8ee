import { date, idOf, type Past } from "./past.ts";

/** The super admin has looked at the newest entry of Robin that is shared with no one. */
export async function writeAccessLog(past: Past): Promise<void> {
  await past.client.query(
    `insert into private.logged_reads (entry_id, user_id, reader_id, date, created_at)
     select e.id, e.user_id, $2, read.date, read.date + time '09:20'
     from nectar.journal_entries e
     cross join (select $3::date as date) read
     where e.user_id = $1 and e.metadata_audience_id = e.user_id
     order by e.created_at desc
     limit 1`,
    [idOf(past, "demo"), idOf(past, "admin"), date(past, 0)],
  );
}

/** Writes what the audit log says of the super admin: the corrections of balances and the changes of the rate. */
export async function writeAuditLog(past: Past): Promise<void> {
  await past.client.query(
    `insert into nectar.audit_events (actor_id, actor_role, action, target_type, target_id, changed, created_at)
     select $1, 'super_admin', change.*
     from (
       select 'adjustDrops', 'user'::nectar.audit_target, t.user_id, '{user_id,amount,description}'::text[], t.created_at
       from nectar.drop_transactions t
       where t.type = 'admin_adjustment'
       union all
       select 'createConversionRate', 'conversion_rate', r.id, '{rate}', r.created_at
       from nectar.conversion_rates r
       where r.created_by = $1
     ) change`,
    [idOf(past, "admin")],
  );
}
