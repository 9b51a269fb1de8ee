import { idOf, type Past } from "./past.ts";

/** Writes what the audit log says of the super admin: the corrections of balances and the changes of the rate. */
export async function writeAuditLog(past: Past): Promise<void> {
  await past.client.query(
    `insert into nectar.audit_events (actor_id, actor_role, action, target_type, target_id, changed, created_at)
     select $1, 'super_admin', change.*
     from (
       select 'adjustDrops', 'user', t.user_id, '{user_id,amount,description}'::text[], t.created_at
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
