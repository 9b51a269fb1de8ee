import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { eraseAccounts } from "#functions/user/account/erasing";
import { useApi } from "#tests/api";
import { expireAllClaims } from "#tests/claims";
import { storedKeys } from "#tests/file-store";
import { foundTeam } from "#tests/groups";
import type { Person } from "#tests/people";
import { eventOf, paymentEventsOf, SECRET } from "../payment/payment-events.ts";
import { close, killedAt, runErasures, useErasureVendors, whenDue } from "./vendors.ts";

const { environment, cancelled } = await useErasureVendors();
const api = useApi({ environment: { ...environment, STRIPE_WEBHOOK_SECRET: SECRET } });
const { deliver } = paymentEventsOf(api);

async function erase(person: Person): Promise<void> {
  await close(api, person);
  expect(await runErasures(api, whenDue())).toMatchObject({ erased: 1 });
}

describe("a subscription that a person creates on an open payment page after they were erased", () => {
  let created = 0;
  /** The payment of a person. @returns the id of the subscription */
  async function pay({ id }: Pick<Person, "id">): Promise<string> {
    api.at(new Date());
    created += 1;
    const subscription = { id: `sub_${created}`, customer: `cus_${created}`, metadata: { user_id: id } };
    for (const [type, status] of [
      ["created", "incomplete"],
      ["updated", "active"],
    ] as const) {
      const event = eventOf(`customer.subscription.${type}`, { ...subscription, status });
      expect((await deliver(event)).body).toEqual({ received: true });
      expect((await deliver(event)).body).toMatchObject({ duplicate: true });
    }
    return subscription.id;
  }
  const timesCancelled = (subscription: string) => cancelled.filter((one) => one === subscription).length;
  const toCancel = () => api.query`select from private.subscriptions_to_cancel`;

  it("is cancelled at the processor by the next run", async () => {
    const person = await api.person();
    await erase(person);
    const subscription = await pay(person);
    expect(await runErasures(api, whenDue(5))).toMatchObject({ late_subscriptions: 1, failed: 0 });
    await expect.poll(() => timesCancelled(subscription)).toBe(1);
    expect(await runErasures(api, whenDue(10))).toMatchObject({ late_subscriptions: 0 });
  });

  it("is cancelled once, wherever the run is killed", async () => {
    const person = await api.person();
    await erase(person);
    let wasKilled = true;
    for (let step = 0; wasKilled; step += 1) {
      const subscription = await pay(person);
      const killed = killedAt(api.services, step);
      await eraseAccounts.run(killed.services).catch(() => undefined);
      wasKilled = killed.wasKilled();
      await expireAllClaims(api);
      await runErasures(api, whenDue(5));
      await expect.poll(() => timesCancelled(subscription), { message: `killed at step ${step}` }).toBe(1);
      expect(await toCancel()).toEqual([]);
    }
  });

  it("waits until there is a processor to cancel at", async () => {
    const person = await api.person();
    await erase(person);
    await pay(person);
    expect((await eraseAccounts.run({ ...api.services, payments: null })).results).toMatchObject({ failed: 1 });
    expect(await toCancel()).toHaveLength(1);
    expect(await runErasures(api, whenDue(5))).toMatchObject({ late_subscriptions: 1 });
  });

  it("is not touched if the person was never erased here, or it has ended", async () => {
    await pay({ id: randomUUID() });
    const person = await api.person();
    await erase(person);
    api.at(new Date());
    const ended = { id: "sub_ended", customer: "cus_ended", status: "canceled", metadata: { user_id: person.id } };
    await deliver(eventOf("customer.subscription.deleted", ended)).ok();
    expect(await toCancel()).toEqual([]);
  });
});

describe("the stored responses of others", () => {
  it("that show an erased person are deleted, and no others", async () => {
    const [person, owner] = [await api.person({ fullName: "Zelda Quill" }), await api.person()];
    const { orgId } = await foundTeam(api, owner, []);
    const send = (path: string, body: object) =>
      api.post(path, owner, body, { "idempotency-key": randomUUID() }).created();
    await send("/api/goals", { title: "Stays" });
    await send(`/api/organizations/${orgId}/members`, { user_id: person.id });
    await send("/api/blocks", { user_id: person.id });
    const stored = () =>
      api.query<{ route: string }>`select route from private.idempotency_keys where user_id = ${owner.id}`;
    expect(await stored()).toHaveLength(3);
    await erase(person);
    expect(await stored()).toEqual([{ route: "POST /api/goals" }]);
  });
});

describe("an address to upload to", () => {
  const keepHouse = () =>
    api
      .send("POST", "/health/cron/housekeeping", { headers: { "x-cron-secret": environment.MAINTENANCE_CRON_SECRET } })
      .ok();

  it.each([
    [
      "an archive to import",
      async (person: Person) => {
        const body = { source: "markdown", size: 4 };
        const { import: created } = await api.post("/api/journal/imports", person, body).created();
        return { url: created.upload_url, expiresAt: created.upload_expires_at, type: "application/zip" };
      },
    ],
    [
      "a photo",
      async (person: Person) => {
        const body = { contentType: "image/jpeg", size: 4 };
        const { uploadUrl, expiresAt } = await api
          .post("/api/workout-window/checkin/upload-url", person, body)
          .created();
        return { url: uploadUrl, expiresAt, type: body.contentType };
      },
    ],
  ] as const)("for %s leaves no file if it is used after the erasure", async (_, request) => {
    const person = await api.person();
    const { url, expiresAt, type } = await request(person);
    await erase(person);
    await keepHouse();
    const upload = { method: "PUT", body: "late", headers: { "content-type": type } };
    expect((await fetch(url, upload)).status).toBe(200);
    const notes = await api.query`
      update private.stored_files_to_remove f set remove_after = now()
      from private.stored_files_to_remove noted
      where f.path = noted.path and f.path like ${`%/${person.id}/%`}
      returning noted.remove_after > ${expiresAt}::timestamptz as is_late_enough`;
    expect(notes).toEqual([{ is_late_enough: true }]);
    await keepHouse();
    expect((await storedKeys(environment.S3_ENDPOINT, "")).filter((key) => key.includes(person.id))).toEqual([]);
  });
});
