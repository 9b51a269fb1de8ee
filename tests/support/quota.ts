import type { QuotaName } from "#database/quota";
import { asSuperuser, type Person } from "./people.ts";

/**
 * Leaves a person so many units of a quota, at least one of which they have used. The period in the row is far in the
 * future, so that a test that runs across the end of an hour or a day does not get a fresh quota.
 */
export async function leaveQuota(
  adminUrl: string,
  person: Pick<Person, "id">,
  name: QuotaName,
  units: number,
): Promise<void> {
  await asSuperuser(adminUrl, (client) =>
    client.query(
      `insert into private.quota_uses (user_id, name, period_start, used)
       select $1, q.name, '2200-01-01', q.max_units - $3::int from private.quotas() q where q.name = $2
       on conflict (user_id, name) do update set period_start = excluded.period_start, used = excluded.used`,
      [person.id, name, units],
    ),
  );
}
