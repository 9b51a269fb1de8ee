import { type TokenUsageRow, tokenUsageOf } from "@nectar/core/token-usage";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { all } from "@nectar/database/query";
import { byCreation, pageOf } from "@nectar/http/paging";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { AdminUser, RoleUpdate, UsersQuery } from "./schema.ts";

/** A row of the page: a person with their month, or, on a page that holds nobody, the total alone. */
interface UserRow extends Omit<AdminUser, "token_usage">, TokenUsageRow {}
type PageRow = { total: number } & (({ nobody: false } & UserRow) | { nobody: true });

/**
 * A page of people, newest first, with what their model calls of the present calendar month (UTC) came to. One statement
 * for page, sums and total. For the service.
 */
export async function listUsers(tx: Tx, query: UsersQuery, now: Date) {
  const matching = sql`
    profiles p join accounts a on a.user_id = p.id left join user_roles r on r.user_id = p.id
    where ${sql.join(conditions(query), sql` and `)}`;
  const rows = await all<PageRow>(tx)`
    select counted.total, page.id is null as nobody, page.*, u.*
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
  const people = rows.filter((row) => !row.nobody);
  const page = pageOf(people, query.limit, byCreation);
  return { users: page.rows.map(asUser), total: rows[0]?.total ?? 0, next_cursor: page.next_cursor };
}

/** Changes a service-wide role. @throws AppError 403, 404, 409 when nobody would be super admin any more */
export async function updateRole(tx: Tx, id: string, { role }: RoleUpdate) {
  await sql`select private.change_user_role(${id}, ${role})`.execute(tx);
  return { id, role };
}

/** Only what is asked for, so that the plan fits the question. The assistant's reserved person is nobody to administer. */
function conditions({ q, is_ai, role }: UsersQuery): RawBuilder<SqlBool>[] {
  const all: RawBuilder<SqlBool>[] = [sql`p.id <> private.system_user_id()`];
  if (q !== undefined) {
    const pattern = `%${q.replaceAll(/[\\%_]/g, "\\$&")}%`;
    all.push(sql`(p.full_name ilike ${pattern} or a.email ilike ${pattern})`);
  }
  if (is_ai !== undefined) all.push(sql`p.is_ai = ${is_ai}`);
  if (role === "user") all.push(sql`(r.role is null or r.role = 'user')`);
  else if (role !== undefined) all.push(sql`r.role = ${role}`);
  return all;
}

function asUser(row: UserRow): AdminUser {
  return {
    id: row.id,
    email: row.email,
    full_name: row.full_name,
    avatar_url: row.avatar_url,
    is_ai: row.is_ai,
    role: row.role,
    is_premium: row.is_premium,
    drops_balance: row.drops_balance,
    created_at: row.created_at,
    token_usage: tokenUsageOf(row),
  };
}
