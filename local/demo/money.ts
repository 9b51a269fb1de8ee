import { addDays } from "#core/time/calendar-date";
import { money, tonePacks } from "./data.ts";
import { actAs, date, idOf, moment, type Past } from "./past.ts";
import { tonePackId } from "./tone-packs.ts";

/** A change of balances. */
interface Movement {
  /** ISO, UTC. */
  readonly at: string;
  /** @returns the ids of its transactions */
  book(): Promise<string[]>;
}

/**
 * Writes subscriptions, balances and active tone packs with their history, with the SQL functions of the API and in
 * the order in which it happened; each movement is then backdated. The award of the current month is left to be collected.
 */
export async function writeMoney(past: Past): Promise<void> {
  await writeSubscriptions(past);
  const movements = [...monthlyAwards(past), ...trade(past), ...corrections(past)];
  for (const { at, book } of movements.toSorted((one, other) => one.at.localeCompare(other.at))) {
    await past.client.query("update nectar.drop_transactions set created_at = $2 where id = any ($1::uuid[])", [
      await book(),
      at,
    ]);
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
    movements.push(monthlyAward(past, month));
  }
  return movements;
}

/** The first day of the month before the one of a date. */
function monthBefore(day: string): string {
  return `${addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)}-01`;
}

function monthlyAward(past: Past, month: string): Movement {
  const { client, everyone } = past;
  const at = `${month}T00:05:00.000Z`;
  // A day apart: in some time zones the day of signing up ends later than in UTC.
  const due = everyone.filter(({ joinedDaysAgo }) => date(past, joinedDaysAgo - 1) <= month);
  const ids = due.map(({ id }) => id);
  const premium = due.map(({ person }) => hadPremium(past, person, month));
  return {
    at,
    async book() {
      await client.query(
        `select from private.book_monthly_awards(
           (select jsonb_agg(jsonb_build_object('user_id', w.id, 'amount', private.monthly_drops(w.premium)))
            from unnest($1::uuid[], $2::boolean[]) as w (id, premium)),
           $3::date
         )`,
        [ids, premium, month],
      );
      const { rows } = await client.query<{ transaction_id: string }>(
        `update nectar.monthly_drop_awards set created_at = $3
         where user_id = any ($1::uuid[]) and month = $2::date returning transaction_id`,
        [ids, month, at],
      );
      return rows.map(({ transaction_id }) => transaction_id);
    },
  };
}

function hadPremium(past: Past, person: string, day: string): boolean {
  return money.subscriptions.some(
    ({ person: subscriber, startedDaysAgo, canceledDaysAgo = 0 }) =>
      subscriber === person && date(past, startedDaysAgo) < day && day < date(past, canceledDaysAgo),
  );
}

/** Purchases of tone packs, and the refunds of some. */
function trade(past: Past): Movement[] {
  const { client } = past;
  return money.purchases.flatMap(({ person, pack, daysAgo, refundedDaysAgo }) => {
    const boughtAt = moment(past, daysAgo, "19:40");
    const bought: Movement = {
      at: boughtAt,
      async book() {
        await actAs(past, person);
        const { rows } = await client.query<{ id: string; transaction_id: string }>(
          `select (r.purchase).id, (r.transaction).id as transaction_id
           from private.purchase_tone_pack($1, $2) r`,
          [tonePackId(pack), tonePacks[pack]?.priceDrops],
        );
        await client.query("update nectar.tone_pack_purchases set created_at = $2 where id = $1", [
          rows[0]?.id,
          boughtAt,
        ]);
        return rows.map(({ transaction_id }) => transaction_id);
      },
    };
    if (refundedDaysAgo === undefined) return [bought];
    const refundedAt = moment(past, refundedDaysAgo, "10:15");
    const refunded: Movement = {
      at: refundedAt,
      async book() {
        const purchase = [idOf(past, person), tonePackId(pack)];
        const { rows } = await client.query<{ id: string }>(
          `select r.id
           from nectar.tone_pack_purchases b
           cross join lateral private.post_drop_transaction(
             b.user_id, 'refund', b.price_drops, 'refund:' || b.transaction_id, 'Given back within a week',
             b.pack_id, 'tone_pack'
           ) r
           where b.user_id = $1 and b.pack_id = $2`,
          purchase,
        );
        await client.query(
          `select private.end_tone_pack_purchase(transaction_id)
           from nectar.tone_pack_purchases where user_id = $1 and pack_id = $2`,
          purchase,
        );
        await client.query(
          "update nectar.tone_pack_purchases set refunded_at = $3 where user_id = $1 and pack_id = $2",
          [...purchase, refundedAt],
        );
        return rows.map(({ id }) => id);
      },
    };
    return [bought, refunded];
  });
}

function corrections(past: Past): Movement[] {
  return money.adjustments.map(({ person, daysAgo, amount, description }) => ({
    at: moment(past, daysAgo, "08:30"),
    async book() {
      const { rows } = await past.client.query<{ id: string }>(
        "select id from private.post_drop_transaction($1, 'admin_adjustment', $2, $3, $4)",
        [idOf(past, person), amount, `adjustment:demo ${daysAgo} ${amount}`, description],
      );
      return rows.map(({ id }) => id);
    },
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
