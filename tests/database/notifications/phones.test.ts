import { beforeEach, describe, expect, it } from "vitest";
import { beforeEachTest } from "#tests/prepare";
import { useActing } from "../support/acting.ts";

const acting = useActing();
const { query } = acting;
const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;
/** Notifications are written now, and claimed and recorded at moments after that. */
const START = Date.now() + HOUR_MS;
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();
const APNS_TOKEN = "0a".repeat(32);

beforeEach(() => query`delete from private.push_holds`);
beforeEach(() => query`delete from auth.users where id <> private.system_user_id()`);
const ada = beforeEachTest(() => acting.person());

/** Ada has a browser and two phones, which were renewed at the start. */
const devices = beforeEachTest(async () => {
  const rows = await query<{ id: string; service: string }>`
    insert into nectar.push_subscriptions (user_id, service, endpoint, p256dh, auth, token, app, renewed_at)
    select ${ada.id}::uuid, service::nectar.push_service, endpoint, p256dh, auth, token, app, ${at(0)}
    from (values
      ('web', 'https://push.example.test/x', repeat('A', 87), repeat('A', 22), null, null),
      ('fcm', null, null, null, 'token', null),
      ('apns', null, null, null, ${APNS_TOKEN}, 'com.example.app')
    ) v (service, endpoint, p256dh, auth, token, app)
    returning id, service`;
  return Object.fromEntries(rows.map(({ id, service }) => [service, id]));
});

const notify = (number = 1) => query`insert into nectar.notifications (user_id, type, data)
  select ${ada.id}, 'battle_update', '{}' from generate_series(1, ${number})`;

interface Claimed {
  readonly notification_id: string;
  readonly subscription_id: string;
  readonly attempt: number;
  readonly to_send: boolean;
  readonly service: string;
}

async function claimAt(seconds: number): Promise<Claimed[]> {
  const { rows } = await acting.run(
    "service",
    "select * from private.claim_push_deliveries(1000, 60, 10, $1)",
    [at(seconds)],
    "keep",
  );
  return rows.filter(({ to_send }) => to_send);
}

const servicesAt = async (seconds: number) => (await claimAt(seconds)).map(({ service }) => service).sort();

/** Records one result for the deliveries of a push service, and that all others were sent. */
async function recordAt(
  seconds: number,
  claimed: readonly Claimed[],
  service: string,
  retryAfterSeconds: number | null,
) {
  const results = claimed.map(({ notification_id, subscription_id, attempt, ...delivery }) => ({
    notification_id,
    subscription_id,
    attempt,
    ...(delivery.service === service
      ? { result: "unavailable", retry_after_ms: retryAfterSeconds && retryAfterSeconds * 1_000 }
      : { result: "sent", retry_after_ms: null }),
  }));
  const values = [JSON.stringify(results), at(seconds)];
  await acting.run("service", "select private.record_push_results($1, $2)", values, "keep");
}

describe("a claim", () => {
  it("has what each service needs, and the moment at which it began", async () => {
    await notify();
    const web = { p256dh: "A".repeat(87), auth: "A".repeat(22), token: null, app: null, unread: 0 };
    const phone = { endpoint: null, p256dh: null, auth: null };
    const claimed = (await claimAt(10)).sort((one, other) => one.service.localeCompare(other.service));
    expect(claimed).toMatchObject([
      { service: "apns", ...phone, token: APNS_TOKEN, app: "com.example.app", unread: 1 },
      { service: "fcm", ...phone, token: "token", app: null, unread: 0 },
      { service: "web", endpoint: "https://push.example.test/x", ...web },
    ]);
    expect(claimed).toMatchObject(claimed.map(() => ({ claimed_at: new Date(at(10)) })));
  });

  it("counts the unread notifications for the badge of an app, up to 99", async () => {
    const badges = async (seconds: number) =>
      (
        await acting.run(
          "service",
          "select unread from private.claim_push_deliveries(1000, 60, 10, $1) where service = 'apns'",
          [at(seconds)],
        )
      ).rows;
    await notify(99);
    await query`update nectar.notifications set read_at = now() where id in (select id from nectar.notifications limit 1)`;
    expect(new Set((await badges(0)).map(({ unread }) => unread))).toEqual(new Set([0, 98]));
    await notify(2);
    expect(new Set((await badges(0)).map(({ unread }) => unread))).toEqual(new Set([0, 99]));
  });
});

describe("a delivery to a device that was given away at the same moment", () => {
  it("is closed without being sent", async () => {
    const grace = await acting.person();
    await notify();
    await query`update nectar.push_subscriptions set user_id = ${grace.id} where id = ${devices.fcm}`;
    expect(await servicesAt(1)).toEqual(["apns", "web"]);
    const [given] = await query`select outcome from private.push_deliveries where subscription_id = ${devices.fcm}`;
    expect(given).toEqual({ outcome: "moved" });
  });
});

describe("a push service that asks for no messages", () => {
  it.each([
    { service: "fcm", others: ["apns", "web"] },
    { service: "apns", others: ["fcm", "web"] },
    { service: "web", others: ["apns", "fcm"] },
  ])("delays those to $service, which count no attempt, and no others", async ({ service, others }) => {
    await notify();
    await recordAt(0, await claimAt(0), service, 60);
    await notify(2);
    expect(await servicesAt(1)).toEqual([...others, ...others].sort());
    expect(await servicesAt(59)).toEqual([]);
    const claimed = (await claimAt(60)).filter((one) => one.service === service);
    expect(claimed.map(({ attempt }) => attempt).sort()).toEqual([1, 1, 2]);
  });

  it("gets a message again when it asked for it, if our own wait is over by then", async () => {
    for (const [asked, wait] of [
      [5, 30],
      [90, 90],
      [null, 30],
    ] as const) {
      await query`delete from private.push_holds`;
      await query`delete from private.push_deliveries`;
      await notify();
      await recordAt(0, await claimAt(0), "fcm", asked);
      expect(await servicesAt(wait - 1)).toEqual([]);
      expect(await servicesAt(wait)).toEqual(["fcm"]);
    }
  });

  it("waits no shorter because of a later answer, and no longer than a day", async () => {
    await notify(2);
    const [first = [], second = []] = [
      ...Map.groupBy(await claimAt(0), ({ notification_id }) => notification_id).values(),
    ];
    await recordAt(0, first, "fcm", 600);
    await recordAt(1, second, "fcm", 5);
    await notify();
    expect(await servicesAt(500)).toEqual(["apns", "web"]);
    await recordAt(600, await claimAt(600), "fcm", 3_650 * DAY_SECONDS);
    const [hold] = await query`select held_until from private.push_holds`;
    expect(hold).toEqual({ held_until: new Date(at(600 + DAY_SECONDS)) });
  });
});

describe("a device that its push service calls gone", () => {
  const dead = () => devices.apns;
  const remove = async (claimedAt: number, goneSince: number | null) => {
    const values = [dead(), at(claimedAt), goneSince === null ? null : at(goneSince)];
    const statement = "select private.remove_dead_device($1, $2, $3) as removed";
    return (await acting.run("service", statement, values, "keep")).rows[0].removed;
  };
  const isLeft = async () => (await query`select from nectar.push_subscriptions where id = ${dead()}`).length === 1;

  it.each([
    { claimedAt: 1, goneSince: null, removed: true },
    { claimedAt: 0, goneSince: null, removed: false },
    { claimedAt: -1, goneSince: null, removed: false },
    { claimedAt: 2, goneSince: 1, removed: true },
    { claimedAt: 2, goneSince: -1, removed: false },
    { claimedAt: -1, goneSince: 1, removed: false },
  ])("is removed only if it was renewed before ($claimedAt, $goneSince)", async ({ claimedAt, goneSince, removed }) => {
    await notify();
    expect(await remove(claimedAt, goneSince)).toBe(removed);
    expect(await isLeft()).toBe(!removed);
    expect(await servicesAt(10)).toHaveLength(removed ? 2 : 3);
  });

  it("stays if it is renewed while it is removed", async () => {
    await acting.inTransaction(async (renewal) => {
      await renewal.query`update nectar.push_subscriptions set renewed_at = ${at(2)} where id = ${dead()}`;
      const removing = remove(1, null);
      await acting.untilWaiting();
      await renewal.query`commit`;
      expect(await removing).toBe(false);
    });
    expect(await isLeft()).toBe(true);
  });
});
