import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import type { Services } from "#http/services/services";
import { startPayments } from "#local/stand-ins/payments";
import { listenLocally } from "#local/support/listen";
import type { TestApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { useMail } from "#tests/mail";
import type { Person } from "#tests/people";

const CRON_SECRET = "a-secret-of-the-scheduler";

/** How many subscriptions the payment processor has from the start: `sub_1` of `cus_1` and so on. */
const SUBSCRIPTIONS = 100;

/** The vendors that an erasure calls, as stand-ins, and the subscriptions that were cancelled there. */
export async function useErasureVendors() {
  const cancelled: string[] = [];
  const webhook = await listenLocally(
    createServer(async (request, response) => {
      const { type, data } = JSON.parse(await text(request));
      if (type === "customer.subscription.deleted") cancelled.push(data.object.id);
      response.end();
    }),
    0,
    "The webhook",
  );
  const processor = await startPayments({
    webhookUrl: `http://127.0.0.1:${webhook.port}`,
    webhookSecret: "whsec_unused",
    earlier: Array.from({ length: SUBSCRIPTIONS }, (_, index) => ({
      customerId: `cus_${index + 1}`,
      subscriptionId: `sub_${index + 1}`,
      status: "active",
    })),
  });
  afterAll(async () => {
    await processor.stop();
    await webhook.stop();
  });
  const mail = await useMail();
  return {
    mail,
    cancelled,
    environment: {
      ...(await useFileStore()),
      ...mail.environment,
      MAINTENANCE_CRON_SECRET: CRON_SECRET,
      STRIPE_SECRET_KEY: "sk_test_erasures",
      STRIPE_BASE_URL: processor.url,
    },
  };
}

let subscriptions = 0;

/** Gives a person an active subscription. @returns its id at the processor */
export async function subscribe(api: TestApi, { id }: Person): Promise<string> {
  subscriptions += 1;
  const subscription = `sub_${subscriptions}`;
  await api.query`
    insert into nectar.subscriptions
      (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id)
    values (${id}, ${`cus_${subscriptions}`}, ${subscription}, 'active', now(), 2, ${`evt_${subscription}`})`;
  return subscription;
}

/** Schedules the erasure of a person. */
export const close = (api: TestApi, person: Person) =>
  api.send("DELETE", "/api/user/account", { as: person, body: { confirm: "DELETE" } }).ok();

/** Runs the job as the scheduler does. @param moment the time of the run */
export async function runErasures(api: TestApi, moment: Date) {
  api.at(moment);
  const { results } = await api
    .send("POST", "/api/user/account/cron/erase", { headers: { "x-cron-secret": CRON_SECRET } })
    .ok();
  return results;
}

/** The time at which everyone who closed their account by now is due, and minutes after it. */
export function whenDue(minutesAfter = 0): Date {
  return new Date(Date.now() + (7 * 24 * 60 + 1 + minutesAfter) * 60_000);
}

/** Thrown in place of the step at which a process is killed. */
class Killed extends Error {}

/**
 * Services of a process that is killed at a step: before or after a transaction, a cancellation or a mail. Nothing of it
 * works afterwards.
 * @param step counted from 0; every transaction and call is two steps
 */
export function killedAt(services: Services, step: number): { services: Services; wasKilled: () => boolean } {
  let steps = 0;
  let isDead = false;
  const die = () => {
    isDead ||= steps === step;
    steps += 1;
    if (isDead) throw new Killed();
  };
  async function around<Result>(work: () => Promise<Result>): Promise<Result> {
    die();
    const result = await work();
    die();
    return result;
  }
  const { database, payments, email } = services;
  if (payments === null || email === null) throw new Error("The vendors are missing.");
  return {
    wasKilled: () => isDead,
    services: {
      ...services,
      database: { ...database, asService: (work) => around(() => database.asService(work)) },
      payments: { ...payments, cancelSubscription: (id) => around(() => payments.cancelSubscription(id)) },
      email: { ...email, send: (mail) => around(() => email.send(mail)) },
    },
  };
}
