import { addDays } from "#core/time/calendar-date";
import { money, tonePacks } from "./data.ts";
import { actAs, date, idOf, moment, type Past } from "./past.ts";
import { tonePackId } from "./tone-packs.ts";

/** A change of balances: a statement that books it, with the SQL functions of the API. */
interface Movement {
  /** ISO, UTC. */
  readonly at: string;
  readonly actor?: string;
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Writes subscriptions, balances and active tone packs with their history, in the order in which it happened; what a movement
 * writes as of now is then backdated. The award of the current month is left to be collected.
 */
export async function writeMoney(past: Past): Promise<void> {
  await writeSubscriptions(past);
  const movements = [...monthlyAwards(past), ...trade(past), ...corrections(past)];
  for (const { at, actor = null, sql, values } of movements.toSorted((one, other) => one.at.localeCompare(other.at))) {
    await actAs(past, actor);
    await past.client.query(sql, [...values]);
    for (const [table, column] of [
      ["drop_transactions", "created_at"],
      ["monthly_drop_awards", "created_at"],
      ["tone_pack_purchases", "created_at"],
      ["tone_pack_purchases", "refunded_at"],
    ]) {
      await past.client.query(
        `update nectar.${table} set ${column} = $1 where ${column} > now() - interval '1 second'`,
        [at],
      );
    }
  }
  for (const [key, { activeFor }] of Object.entries(tonePacks)) {
    for (const person of activeFor) {
      await actAs(past, person);
      await past.client.query("select private.activate_tone_pack($1)", [tonePackId(key)]);
    }
  }
  await actAs(past, null);
}

async function writeSubscriptions(past: Past): Promise<void> {
  for (const { person, customerId, subscriptionId, startedDaysAgo, canceledDaysAgo } of money.subscriptions) {
    const record = (event: string, type: string, daysAgo: number, status: string) =>
      past.client.query("select private.record_subscription_event($1)", [
        JSON.stringify({
          id: `evt_demo_${person}_${event}`,
          type,
          happened_at: moment(past, daysAgo, "17:20"),
          rank: 1,
          user_id: idOf(past, person),
          customer_id: customerId,
          subscription_id: subscriptionId,
          status,
        }),
      ]);
    await record("created", "customer.subscription.created", startedDaysAgo, "active");
    if (canceledDaysAgo !== undefined) {
      await record("ended", "customer.subscription.deleted", canceledDaysAgo, "canceled");
    }
    await past.client.query("update nectar.subscriptions set created_at = $2 where payment_subscription_id = $1", [
      subscriptionId,
      moment(past, startedDaysAgo, "17:20"),
    ]);
  }
}

/** The awards of the months before the current one, as far back as the first sign-up. */
function monthlyAwards(past: Past): Movement[] {
  const earliest = date(past, Math.max(...past.everyone.map(({ joinedDaysAgo }) => joinedDaysAgo)));
  const movements: Movement[] = [];
  for (let month = monthBefore(past.today); month > earliest; month = monthBefore(month)) {
    // A day apart: in some time zones the day of signing up ends later than in UTC.
    const due = past.everyone.filter(({ joinedDaysAgo }) => date(past, joinedDaysAgo - 1) <= month);
    movements.push({
      at: `${month}T00:05:00.000Z`,
      sql: `select private.book_monthly_awards(
          (select jsonb_agg(jsonb_build_object('user_id', w.id, 'amount', private.monthly_drops(w.premium)))
           from unnest($1::uuid[], $2::boolean[]) as w (id, premium)),
          $3::date
        )`,
      values: [due.map(({ id }) => id), due.map(({ person }) => hadPremium(past, person, month)), month],
    });
  }
  return movements;
}

/** The first day of the month before the one of a date. */
function monthBefore(day: string): string {
  return `${addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)}-01`;
}

function hadPremium(past: Past, person: string, day: string): boolean {
  return money.subscriptions.some(
    ({ person: subscriber, startedDaysAgo, canceledDaysAgo = 0 }) =>
      subscriber === person && date(past, startedDaysAgo) < day && day < date(past, canceledDaysAgo),
  );
}

/** Purchases of tone packs, and the refunds of some. */
function trade(past: Past): Movement[] {
  return money.purchases.flatMap(({ person, pack, daysAgo, refundedDaysAgo }) => {
    const bought: Movement = {
      at: moment(past, daysAgo, "19:40"),
      actor: person,
      sql: "select private.purchase_tone_pack($1, $2)",
      values: [tonePackId(pack), tonePacks[pack]?.priceDrops],
    };
    if (refundedDaysAgo === undefined) return [bought];
    const refunded: Movement = {
      at: moment(past, refundedDaysAgo, "10:15"),
      sql: `select private.post_drop_transaction(
          b.user_id, 'refund', b.price_drops, 'refund:' || b.transaction_id, 'Given back within a week', b.pack_id, 'tone_pack'
        ), private.end_tone_pack_purchase(b.transaction_id)
        from nectar.tone_pack_purchases b where b.user_id = $1 and b.pack_id = $2`,
      values: [idOf(past, person), tonePackId(pack)],
    };
    return [bought, refunded];
  });
}

function corrections(past: Past): Movement[] {
  return money.adjustments.map(({ person, daysAgo, amount, description }) => ({
    at: moment(past, daysAgo, "08:30"),
    sql: "select private.post_drop_transaction($1, 'admin_adjustment', $2, $3, $4)",
    values: [idOf(past, person), amount, `adjustment:demo ${daysAgo} ${amount}`, description],
  }));
}

/** Dates the rate that the migrations set, and writes what the audit log says of the admin's corrections and rates. */
export async function writeAuditLog(past: Past): Promise<void> {
  const admin = idOf(past, "admin");
  await past.client.query(
    `update nectar.conversion_rates r set created_at = p.joined_at
     from demo_people p where p.id = $1 and r.created_by is null`,
    [admin],
  );
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
    [admin],
  );
}
