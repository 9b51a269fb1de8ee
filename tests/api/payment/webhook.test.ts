import { randomUUID } from "node:crypto";
import { stripeSignature } from "@nectar/local/stand-ins/webhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "../../support/api.ts";
import { asSuperuser, type Person } from "../../support/people.ts";

const SECRET = "whsec_tests_sign_events_with_this";
const api = useApi({ environment: { STRIPE_SECRET_KEY: "sk_test_webhook", STRIPE_WEBHOOK_SECRET: SECRET } });
const NOW = Math.floor(Date.now() / 1000);
const unique = () => randomUUID().replaceAll("-", "");
let ada: Person;
beforeAll(async () => {
  ada = await api.person();
});

interface Event {
  readonly id: string;
  readonly type: string;
  readonly object: "event";
  readonly created: number;
  readonly data: { readonly object: object };
}

function eventOf(type: string, object: object, created = NOW): Event {
  return { id: `evt_${unique()}`, object: "event", type, created, data: { object } };
}

/** Everything that can be told of one subscription. */
function storyOf(person: { id: string }, known: { customer?: string; metadata?: object } = {}) {
  const id = `sub_${unique()}`;
  const customer = known.customer ?? `cus_${unique()}`;
  const metadata = known.metadata ?? { user_id: person.id };
  const subscription = (type: string, status: string, created?: number) =>
    eventOf(`customer.subscription.${type}`, { id, object: "subscription", customer, metadata, status }, created);
  const invoice = (type: string, created?: number) => {
    const parent = { type: "subscription_details", subscription_details: { subscription: id, metadata } };
    return eventOf(`invoice.${type}`, { id: `in_${unique()}`, object: "invoice", customer, parent }, created);
  };
  const session = (type: string, payment_status: string, created?: number) =>
    eventOf(
      `checkout.session.${type}`,
      {
        id: `cs_${unique()}`,
        customer,
        subscription: id,
        payment_status,
        metadata: {},
        client_reference_id: person.id,
      },
      created,
    );
  return { id, customer, subscription, invoice, session };
}

function send(event: object, { secret = SECRET, at = Math.floor(Date.now() / 1000) } = {}) {
  const body = JSON.stringify(event);
  return api.send("POST", "/api/payment/webhook", {
    body,
    headers: { "stripe-signature": stripeSignature(body, secret, at) },
  });
}

async function subscriptionOf(person: Person) {
  const { subscription } = (await api.get("/api/payment/subscription", person)).body;
  const { profile } = (await api.get("/api/user/profile", person)).body;
  return { status: subscription?.status ?? null, premium: profile.is_premium };
}

async function eventsStored(id: string): Promise<number> {
  return asSuperuser(api.adminUrl, async (client) => {
    const { rowCount } = await client.query("select from private.payment_events where id = $1", [id]);
    return rowCount ?? 0;
  });
}

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

describe("what an event makes of a subscription", () => {
  it.each([
    ["a paid checkout", "active", (story) => story.session("completed", "paid")],
    ["a checkout whose payment is under way", "incomplete", (story) => story.session("completed", "unpaid")],
    ["a payment that arrived later", "active", (story) => story.session("async_payment_succeeded", "paid")],
    ["a paid invoice", "active", (story) => story.invoice("paid")],
    ["a failed payment", "past_due", (story) => story.invoice("payment_failed")],
    ["a new subscription", "trialing", (story) => story.subscription("created", "trialing")],
    ["a changed subscription", "unpaid", (story) => story.subscription("updated", "unpaid")],
    ["a paused subscription", "paused", (story) => story.subscription("paused", "paused")],
    ["a resumed subscription", "active", (story) => story.subscription("resumed", "active")],
    ["a deleted subscription", "canceled", (story) => story.subscription("deleted", "active")],
  ] as const satisfies readonly (readonly [string, string, (story: ReturnType<typeof storyOf>) => object])[])(
    "%s: %s",
    async (_, status, eventFrom) => {
      const person = await api.person();
      const story = storyOf(person);
      expect((await send(eventFrom(story))).body).toEqual({ received: true });
      expect(await subscriptionOf(person)).toEqual({ status, premium: status === "active" });
      const { subscription } = (await api.get("/api/payment/subscription", person)).body;
      expect(subscription).toMatchObject({
        user_id: person.id,
        payment_customer_id: story.customer,
        payment_subscription_id: story.id,
      });
    },
  );

  it("an invoice of an earlier version of the processor's API counts as well", async () => {
    const person = await api.person();
    const { id, customer } = storyOf(person);
    const invoice = { id: `in_${unique()}`, object: "invoice", customer, amount_paid: 900, subscription: id };
    const details = { subscription_details: { metadata: { user_id: person.id } } };
    await send(eventOf("invoice.paid", { ...invoice, ...details }));
    expect(await subscriptionOf(person)).toEqual({ status: "active", premium: true });
    await send(eventOf("invoice.payment_failed", { ...invoice, subscription: { id } }, NOW + 1));
    expect(await subscriptionOf(person)).toEqual({ status: "past_due", premium: false });
  });

  it.each(["trialing", "active"])(
    "a checkout and an invoice of nothing leave %s alone, in every order",
    async (status) => {
      for (const order of ordersOf([0, 1, 2])) {
        const person = await api.person();
        const story = storyOf(person);
        const parent = { type: "subscription_details", subscription_details: { subscription: story.id } };
        const events = [
          story.subscription("created", status, NOW - 2),
          eventOf("invoice.paid", { id: `in_${unique()}`, customer: story.customer, amount_paid: 0, parent }, NOW - 1),
          story.session("completed", "no_payment_required", NOW),
        ];
        for (const index of order) await send(events[index] ?? {});
        expect(await subscriptionOf(person)).toEqual({ status, premium: status === "active" });
      }
    },
  );

  it("premium ends with the activity, and one active subscription of two is enough", async () => {
    const person = await api.person();
    const [first, second] = [storyOf(person), storyOf(person)];
    await send(first.subscription("updated", "active"));
    await send(second.subscription("updated", "active"));
    await send(second.subscription("deleted", "canceled", NOW + 1));
    expect(await subscriptionOf(person)).toEqual({ status: "active", premium: true });
    await send(first.subscription("updated", "past_due", NOW + 1));
    expect((await subscriptionOf(person)).premium).toBe(false);
  });

  it("two subscriptions that end at the same time leave nobody premium", async () => {
    const person = await api.person();
    const stories = Array.from({ length: 4 }, () => storyOf(person));
    await Promise.all(stories.map((story) => send(story.subscription("updated", "active"))));
    expect((await subscriptionOf(person)).premium).toBe(true);
    await Promise.all(stories.map((story) => send(story.subscription("deleted", "canceled", NOW + 1))));
    expect((await subscriptionOf(person)).premium).toBe(false);
  });
});

describe("whose an event is", () => {
  it("is known by the customer when nobody is named", async () => {
    const person = await api.person();
    const first = storyOf(person);
    await send(first.subscription("deleted", "canceled"));
    await send(storyOf(person, { customer: first.customer, metadata: {} }).subscription("created", "active"));
    expect(await subscriptionOf(person)).toEqual({ status: "active", premium: true });
  });

  it("is acknowledged when it cannot be known, or the account is gone", async () => {
    for (const metadata of [{}, { user_id: "somebody" }, { user_id: randomUUID() }]) {
      const event = storyOf(ada, { metadata }).subscription("created", "active");
      expect((await send(event)).body).toEqual({ received: true });
      expect((await send(event)).body).toEqual({ received: true, duplicate: true });
    }
    expect(await subscriptionOf(ada)).toEqual({ status: null, premium: false });
  });

  it("of no kind that concerns us is acknowledged and remembered", async () => {
    const event = eventOf("customer.created", { id: "cus_1" });
    expect((await send(event)).body).toEqual({ received: true });
    expect(await eventsStored(event.id)).toBe(1);
    expect((await send(event)).body).toEqual({ received: true, duplicate: true });
  });
});

describe("chaos", () => {
  it.each([1, 2, 3, 4, 5])("created, updated and deleted end the same in every order, each %i times", async (times) => {
    for (const order of ordersOf([0, 1, 2])) {
      const person = await api.person();
      const story = storyOf(person);
      const events = [
        story.subscription("created", "incomplete", NOW - 2),
        story.subscription("updated", "active", NOW - 1),
        story.subscription("deleted", "canceled", NOW),
      ];
      const answers = [];
      for (const index of order) {
        const event = events[index] ?? {};
        const copies = await Promise.all(Array.from({ length: times }, () => send(event)));
        expect(copies.map(({ status }) => status)).toEqual(copies.map(() => 200));
        expect(copies.filter(({ body }) => body.duplicate !== true)).toHaveLength(1);
        answers.push(...copies);
      }
      expect(answers).toHaveLength(3 * times);
      expect(await subscriptionOf(person)).toEqual({ status: "canceled", premium: false });
    }
  });

  it("everything at once, three times, ends the same", async () => {
    for (let round = 0; round < 4; round += 1) {
      const person = await api.person();
      const story = storyOf(person);
      const events = [
        story.subscription("created", "incomplete"),
        story.session("completed", "paid"),
        story.invoice("paid"),
        story.subscription("updated", "active"),
      ];
      const all = [...events, ...events, ...events.toReversed()];
      const answers = await Promise.all(all.map((event) => send(event)));
      expect(answers.filter(({ body }) => body.duplicate !== true)).toHaveLength(events.length);
      expect(await subscriptionOf(person)).toEqual({ status: "active", premium: true });
    }
  });

  it("created, updated and deleted at once, five times each, end with the deletion", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => api.person()));
    await Promise.all(
      people.map(async (person) => {
        const story = storyOf(person);
        const events = [
          story.subscription("deleted", "canceled"),
          story.subscription("updated", "active"),
          story.subscription("created", "active"),
        ];
        const copies = Array.from({ length: 5 }, () => events).flat();
        const answers = await Promise.all(copies.map((event) => send(event)));
        expect(answers.map(({ status }) => status)).toEqual(copies.map(() => 200));
        expect(answers.filter(({ body }) => body.duplicate !== true)).toHaveLength(events.length);
        expect(await subscriptionOf(person)).toEqual({ status: "canceled", premium: false });
      }),
    );
  });

  it("events of one second and of several end the same in every order", async () => {
    for (const order of ordersOf([0, 1, 2, 3])) {
      const person = await api.person();
      const story = storyOf(person);
      const events = [
        story.session("completed", "paid", NOW),
        story.subscription("created", "incomplete", NOW),
        story.subscription("updated", "active", NOW),
        story.invoice("payment_failed", NOW + 1),
      ];
      for (const index of order) await send(events[index] ?? {});
      expect(await subscriptionOf(person)).toEqual({ status: "past_due", premium: false });
    }
  });

  it("what is over stays over, even when something later is told", async () => {
    const person = await api.person();
    const story = storyOf(person);
    await send(story.subscription("deleted", "canceled", NOW - 5));
    await send(story.invoice("paid", NOW));
    expect(await subscriptionOf(person)).toEqual({ status: "canceled", premium: false });
  });
});

describe("an event that is not to be believed", () => {
  const refused = async (answer: ReturnType<typeof send>, id: string) => {
    const { status, body } = await answer;
    expect([status, body.code]).toEqual([400, "payment.invalid_signature"]);
    expect(await eventsStored(id)).toBe(0);
    expect(await subscriptionOf(ada)).toEqual({ status: null, premium: false });
  };

  it("is refused when it was changed on the way", async () => {
    const event = storyOf(ada).subscription("updated", "active");
    const body = JSON.stringify(event);
    const headers = { "stripe-signature": stripeSignature(body, SECRET) };
    const path = "/api/payment/webhook";
    await refused(api.send("POST", path, { body: body.replace("active", "actives"), headers }), event.id);
    await refused(api.send("POST", path, { body: `${body} `, headers }), event.id);
  });

  it("is refused with another secret, without a signature and with half of one", async () => {
    const event = storyOf(ada).subscription("updated", "active");
    const body = JSON.stringify(event);
    await refused(send(event, { secret: "whsec_of_somebody_else" }), event.id);
    await refused(api.send("POST", "/api/payment/webhook", { body }), event.id);
    for (const header of ["", "t=1", "v1=00", `t=${NOW},v0=00`, "nonsense"]) {
      const headers = { "stripe-signature": header };
      await refused(api.send("POST", "/api/payment/webhook", { body, headers }), event.id);
    }
  });

  it("is refused with a signature that the processor's SDK cannot compare", async () => {
    const event = storyOf(ada).subscription("updated", "active");
    const body = JSON.stringify(event);
    const now = Math.floor(Date.now() / 1000);
    // No signature at all, an empty one, and one of the right length whose bytes are more.
    for (const header of [`t=${now},v1`, `t=${now},v1=`, `t=${now},v1=${"\u00e9".repeat(64)}`]) {
      const headers = { "stripe-signature": header };
      await refused(api.send("POST", "/api/payment/webhook", { body, headers }), event.id);
    }
  });

  it("is refused when it is older than 300 seconds, and not before", async () => {
    const old = storyOf(ada).subscription("updated", "active");
    await refused(send(old, { at: Math.floor(Date.now() / 1000) - 301 }), old.id);
    const person = await api.person();
    const young = storyOf(person).subscription("updated", "active");
    // Thirty seconds, as long as a test may take, are left for the request.
    expect((await send(young, { at: Math.floor(Date.now() / 1000) - 270 })).status).toBe(200);
  });
});

describe("a signed event of an unknown shape", () => {
  const created = (object: object) => eventOf("customer.subscription.created", object);
  const sound = { id: "sub_odd", customer: "cus_odd", status: "active", metadata: {} };

  it.each([
    ["no JSON", "not JSON"],
    ["a list", []],
    ["null", null],
    ["an empty object", {}],
    ["a thin event", { id: `evt_${unique()}`, object: "v2.core.event", type: "v1.billing.meter.no_meter_found" }],
    ["no id", { ...created(sound), id: undefined }],
    ["a number as its id", { ...created(sound), id: 7 }],
    ["an id that the database cannot store", { ...created(sound), id: "evt_\u0000" }],
    ["an id of 10,000 characters", { ...created(sound), id: "e".repeat(10_000) }],
    ["no type", { ...created(sound), type: null }],
    ["no time", { ...created(sound), created: undefined }],
    ["a text as its time", { ...created(sound), created: "yesterday" }],
    ["a time far in the future", { ...created(sound), created: 1e300 }],
    ["no data", { ...created(sound), data: undefined }],
    ["no object", { ...created(sound), data: {} }],
    ["a text as its object", { ...created(sound), data: { object: "sub_1" } }],
    ["a subscription without an id", created({ ...sound, id: null })],
    ["a subscription whose customer is a list", created({ ...sound, customer: [] })],
    ["a subscription without a status", created({ ...sound, status: undefined })],
    ["a status of 51 characters", created({ ...sound, status: "a".repeat(51) })],
    ["a status that the database cannot store", created({ ...sound, status: "active\u0000" })],
    ["a customer that the database cannot store", created({ ...sound, customer: "cus_\ud800" })],
    ["an invoice whose amount is a text", eventOf("invoice.paid", { amount_paid: "9", customer: "cus_odd" })],
    ["an invoice whose parent is a number", eventOf("invoice.paid", { parent: 1 })],
    ["a checkout that is null", { ...eventOf("checkout.session.completed", {}), data: { object: null } }],
    ["a checkout without a payment status", eventOf("checkout.session.completed", { customer: "cus_odd" })],
  ])("is recorded once and has no effect: %s", async (_, event) => {
    const stored = () =>
      asSuperuser(api.adminUrl, async (client) => {
        const { rows } = await client.query(
          "select (select count(*)::int from private.payment_events) as events, (select count(*)::int from nectar.subscriptions) as subscriptions",
        );
        return rows[0];
      });
    const body = typeof event === "string" ? event : JSON.stringify(event);
    const deliver = () => {
      const headers = { "stripe-signature": stripeSignature(body, SECRET) };
      return api.send("POST", "/api/payment/webhook", { body, headers });
    };
    const before = await stored();
    const first = await deliver();
    expect([first.status, first.body]).toEqual([200, { received: true }]);
    expect((await deliver()).body).toEqual({ received: true, duplicate: true });
    expect(await stored()).toEqual({ events: before.events + 1, subscriptions: before.subscriptions });
  });

  it("is logged as a warning, with nothing of what it says", async () => {
    const before = api.logged().length;
    await send({ ...created({ canary_key: "canary-value" }), type: "invoice.paid", customer: "canary-customer" });
    await send({ canary_key: "canary-value" });
    const lines = api.logged().slice(before);
    expect(lines.match(/"level":"warn"[^\n]*unknown shape/g)).toHaveLength(1);
    expect(lines).not.toContain("canary");
  });

  it("is none when only the metadata is strange: the customer says whose it is", async () => {
    const person = await api.person();
    const { customer, subscription } = storyOf(person);
    await send(subscription("created", "active"));
    for (const metadata of ["text", 7, { user_id: 7 }, { user_id: {} }, null]) {
      const id = `sub_${unique()}`;
      const event = eventOf("customer.subscription.created", { id, customer, status: "active", metadata });
      expect((await send(event)).body).toEqual({ received: true });
      const { subscription: newest } = (await api.get("/api/payment/subscription", person)).body;
      expect(newest?.payment_subscription_id).toBe(id);
    }
  });
});

describe("an event that could not be processed", () => {
  it("is 500 and leaves nothing; sent again it is done", async () => {
    const person = await api.person();
    const event = storyOf(person).subscription("created", "active");
    const asAdmin = (statement: string) => asSuperuser(api.adminUrl, (client) => client.query(statement));
    await asAdmin(`
      create function private.fail_for_a_test() returns trigger language plpgsql
        as $$ begin raise exception 'the disk is full'; end $$;
      create trigger fail_for_a_test after update of is_premium on nectar.accounts
        for each row execute function private.fail_for_a_test();
    `);
    try {
      const { status, body } = await send(event);
      expect([status, body.code]).toEqual([500, "payment.webhook_failed"]);
      expect(JSON.stringify(body)).not.toContain("disk");
      expect(await eventsStored(event.id)).toBe(0);
      expect(await subscriptionOf(person)).toEqual({ status: null, premium: false });
    } finally {
      await asAdmin("drop function private.fail_for_a_test() cascade");
    }
    expect((await send(event)).body).toEqual({ received: true });
    expect(await subscriptionOf(person)).toEqual({ status: "active", premium: true });
  });
});
