import { afterAll, afterEach } from "vitest";
import * as z from "zod";
import { type PushStandIn, startPush } from "#local/stand-ins/push";
import type { Device } from "#local/stand-ins/push-pages";
import { LOCAL_PUSH_KEYS, localPushVariables } from "#local/stand-ins/vendors";
import { deliverPushes, type PushServices } from "#notifications/deliver";
import type { PushProviders, WebPushProvider } from "#providers/push";
import type { Queue } from "#providers/queue";
import type { TestApi } from "#tests/api";
import { nextMillisecond } from "#tests/moments";
import { asSuperuser, type Person } from "#tests/people";

const SECRET = "a-secret-of-the-scheduler";

/** The environment of an API that pushes to a local push service, which stops with the test file. */
export async function usePush() {
  const service = await startPush({ publicKey: LOCAL_PUSH_KEYS.publicKey });
  afterAll(() => service.stop());
  afterEach(() => {
    service.messages.length = 0;
  });
  return {
    service,
    environment: {
      ...localPushVariables(service.url),
      MAINTENANCE_CRON_SECRET: SECRET,
    },
  };
}

/** A queue from which no other worker comes. */
const NO_HELP: Queue = { send: async () => undefined };

/**
 * Notifies a person of a drop as other functions do; returns the notification's id.
 * @param label what the notification is recognized by
 */
export async function notify(api: TestApi, person: Person, label = "a drop"): Promise<string> {
  return asSuperuser(api.adminUrl, async (client) => {
    const data = { drop_id: label };
    await client.query("select private.notify($1, 'drop_received', $2)", [person.id, data]);
    await nextMillisecond();
    const { rows } = await client.query(
      "select id from nectar.notifications where user_id = $1 and data = $2 order by created_at desc limit 1",
      [person.id, data],
    );
    return rows[0].id;
  });
}

export const labelsOf = (notifications: readonly { data: Record<string, unknown> }[]) =>
  notifications.map(({ data }) => data.drop_id);

export async function subscribe(api: TestApi, service: PushStandIn, person: Person): Promise<Device> {
  const device = service.newDevice();
  const { status } = await api.post("/api/notifications/push-subscriptions", person, device);
  if (status !== 201) throw new Error(`The device was not subscribed: ${status}`);
  return device;
}

const Payload = z.object({
  id: z.string(),
  type: z.string(),
  title: z.string(),
  body: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** The messages that a device, or every device, received so far, oldest first. */
export function received(service: PushStandIn, device?: Device) {
  return service.messages
    .filter(({ endpoint }) => device === undefined || endpoint === device.endpoint)
    .map(({ text, ...message }) => ({ ...message, payload: Payload.parse(JSON.parse(text ?? "null")) }));
}

/** The labels of these messages. */
export const receivedLabels = (service: PushStandIn, device?: Device) =>
  labelsOf(received(service, device).map(({ payload }) => payload));

/** Runs the scheduled job. */
export function runJob(api: TestApi) {
  return api.send("POST", "/api/notifications/cron/deliver", { headers: { "x-cron-secret": SECRET } });
}

/** Ways to deliver pending pushes and to look at the outbox. */
export function deliveryOf(api: TestApi) {
  const push = (): WebPushProvider => configured(api.services.push.web);
  /** Waits longer for the push service, so that no message counts as lost on a loaded machine. */
  const patientPush = (): WebPushProvider => ({
    ...push(),
    send: (message) => push().send({ ...message, timeoutMs: 30_000 }),
  });
  /** The services with another one for browsers. */
  const through = (web: WebPushProvider): PushProviders => ({ ...api.services.push, web });
  return {
    push,
    patientPush,
    through,
    /** The keys that the API signs its messages with. */
    keys: () => configured(api.services.config.push),
    /** Delivers everything that is due, as the only worker, with other services if given. */
    deliver: (services: Partial<PushServices> = {}, budgetMs = 60_000) =>
      deliverPushes({ ...api.services, queue: NO_HELP, push: through(patientPush()), ...services }, budgetMs),
    outbox: () =>
      api.query`select outcome, attempts, (next_attempt_at - now() > interval '1 second') as later
        from private.push_deliveries order by created_at, notification_id`,
    /** Ends all waits and claims. */
    makeAllDue: () => api.query`update private.push_deliveries set next_attempt_at = now() - interval '1 ms'`,
    /** A clock that only `advance` moves. */
    stoppedClock() {
      let now = api.services.clock.now().getTime();
      return { now: () => new Date(now), advance: (milliseconds: number) => (now += milliseconds) };
    },
  };
}

function configured<Value>(value: Value | null): Value {
  if (value === null) throw new Error("These tests configure push.");
  return value;
}
