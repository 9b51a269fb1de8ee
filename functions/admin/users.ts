import { type RawBuilder, type SqlBool, sql } from "kysely";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { all } from "#database/query";
import { byCreation, pageOf } from "#http/response/paging";
import type { AdminUser, RoleUpdate, UsersQuery } from "./schema.ts";

/** A page without users is one row, which has only the total. */
type PageRow = { readonly total: number } & (AdminUser | { readonly id: null });

/**
 * A page of users, newest first, with their token usage of the current UTC calendar month, and how many users match. One
 * statement for all of it.
 */
export async function listUsers(tx: Tx, query: UsersQuery, now: Date) {
  const matching = sql`
    profiles p join accounts a on a.user_id = p.id left join user_roles r on r.user_id = p.id
    where ${sql.join(conditions(query), sql` and `)}`;
  const rows = await all<PageRow>(tx)`
    select counted.total, page.*, row_to_json(u) as token_usage
    from (select count(*) as total from ${matching}) counted
    left join (
      select p.id, a.email, p.full_name, p.avatar_url, p.is_ai, coalesce(r.role, 'user') as role, a.is_premium,
        a.drops_balance, p.created_at
      from ${matching} and ${afterCursor(["p.created_at", "p.id"], query.cursor)}
      order by p.created_at desc, p.id desc limit ${query.limit + 1}
    ) page on true
    left join lateral private.token_usage_monthly(page.id, ${now.getUTCFullYear()}, ${now.getUTCMonth() + 1}) u
      on page.id is not null
    order by page.created_at desc, page.id desc
  `;
  const users = rows.filter((row) => row.id !== null).map(({ total: _, ...user }) => user);
  const page = pageOf(users, query.limit, byCreation);
  return { users: page.rows, total: rows[0]?.total ?? 0, next_cursor: page.next_cursor };
}

/** Changes the role of a user. @throws AppError 403, 404, 409 for the last super admin */
export async function updateRole(tx: Tx, id: string, { role }: RoleUpdate) {
  await call(tx, "change_user_role", { userId: id, role });
  return { id, role };
}

/** Only the filters that were sent, so that the planner sees no more than needed. The system user is never listed. */
function conditions({ q, is_ai, role }: UsersQuery): RawBuilder<SqlBool>[] {
  const filters: RawBuilder<SqlBool>[] = [sql`p.id <> private.system_user_id()`];
  if (q !== undefined) {
    const pattern = `%${q.replaceAll(/[\\%_]/g, "\\$&")}%`;
    filters.push(sql`(p.full_name ilike ${pattern} or a.email ilike ${pattern})`);
  }
  if (is_ai !== undefined) filters.push(sql`p.is_ai = ${is_ai}`);
  if (role === "user") filters.push(sql`(r.role is null or r.role = 'user')`);
  else if (role !== undefined) filters.push(sql`r.role = ${role}`);
  return filters;
}
