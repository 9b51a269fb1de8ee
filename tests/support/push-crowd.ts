import { randomUUID } from "node:crypto";
import type { PushStandIn } from "#local/stand-ins/push";
import { LOCAL_APNS } from "#local/stand-ins/vendors";
import { topicOf } from "#notifications/payload";
import { asSuperuser, query } from "./people.ts";

/** Signs people up, each with a browser, an Android phone and an iPhone, and notifies each of them so many times. */
export async function notifyCrowd(
  adminUrl: string,
  service: PushStandIn,
  people: number,
  notifications: number,
): Promise<void> {
  const crowd = Array.from({ length: people }, () => {
    const { endpoint, keys } = service.newDevice();
    const [fcm, apns] = [service.newPhone("fcm").token, service.newPhone("apns").token];
    return { id: randomUUID(), endpoint, ...keys, fcm, apns };
  });
  const ids = crowd.map(({ id }) => id);
  await asSuperuser(adminUrl, async (client) => {
    await client.query(
      "insert into auth.users (id, email) select id, id || '@pushes.test' from unnest($1::uuid[]) id",
      [ids],
    );
    await client.query(
      `insert into nectar.push_subscriptions (user_id, service, endpoint, p256dh, auth, token, app)
       select p.id, d.* from jsonb_to_recordset($1) p (id uuid, endpoint text, p256dh text, auth text, fcm text, apns text)
       cross join lateral (values
         ('web'::nectar.push_service, p.endpoint, p.p256dh, p.auth, null, null),
         ('fcm', null, null, null, p.fcm, null),
         ('apns', null, null, null, p.apns, $2)
       ) d`,
      [JSON.stringify(crowd), LOCAL_APNS.apps[0]],
    );
    await client.query(
      `insert into nectar.notifications (user_id, type, data)
       select id, 'battle_update', '{}' from unnest($1::uuid[]) id cross join generate_series(1, $2)`,
      [ids, notifications],
    );
    await client.query("analyze nectar.notifications, nectar.push_subscriptions, private.push_deliveries");
  });
}

/** Counts how often each message came to each device. */
export function countMessages(service: PushStandIn) {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    /** Counts those that came since, and returns the number of all so far. */
    total(): number {
      for (const { endpoint, topic } of service.messages.splice(0)) {
        const message = `${endpoint} ${topic}`;
        counts.set(message, (counts.get(message) ?? 0) + 1);
        total += 1;
      }
      return total;
    },
    /** The deliveries of the outbox, with how often each came. */
    async deliveries(adminUrl: string) {
      const rows = await query<{ address: string; id: string; attempts: number; outcome: string | null }>(
        adminUrl,
        `select coalesce(s.endpoint, s.token) as address, d.notification_id as id, d.attempts, d.outcome
         from private.push_deliveries d join nectar.push_subscriptions s on s.id = d.subscription_id`,
      );
      return rows.map((row) => ({ ...row, received: counts.get(`${row.address} ${topicOf(row.id)}`) ?? 0 }));
    },
  };
}
