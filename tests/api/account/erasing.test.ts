import { describe, expect, it } from "vitest";
import { eraseAccounts } from "#functions/user/account/erasing";
import { useApi } from "#tests/api";
import { expireAllClaims, whileOverlapping } from "#tests/claims";
import { foundTeam } from "#tests/groups";
import type { Person } from "#tests/people";
import { close, killedAt, runErasures, subscribe, useErasureVendors, whenDue } from "./vendors.ts";

const { environment, mail, cancelled } = await useErasureVendors();
const api = useApi({ environment });

const exists = async ({ id }: Person) => (await api.query`select from auth.users where id = ${id}`).length === 1;
const mailsTo = ({ email }: Person) => mail.mails.filter(({ to }) => to.includes(email));

describe("an erasure", () => {
  it("happens when it is due, and not before", async () => {
    const person = await api.person();
    await close(api, person);
    expect(await runErasures(api, new Date(Date.now() + 6 * 24 * 60 * 60_000))).toMatchObject({ erased: 0 });
    expect(await exists(person)).toBe(true);
    expect(await runErasures(api, whenDue())).toMatchObject({ erased: 1, failed: 0 });
    expect(await exists(person)).toBe(false);
  });

  it("leaves a restored account alone", async () => {
    const person = await api.person();
    await close(api, person);
    await api.post("/api/user/account/restore", person).ok();
    expect(await runErasures(api, whenDue())).toMatchObject({ erased: 0 });
    expect(await exists(person)).toBe(true);
  });

  it("cancels the subscription at the processor", async () => {
    const person = await api.person();
    const subscription = await subscribe(api, person);
    await close(api, person);
    expect(cancelled).not.toContain(subscription);
    await runErasures(api, whenDue());
    await expect.poll(() => cancelled).toContain(subscription);
    expect(await exists(person)).toBe(false);
  });

  it("does not mind a subscription that the processor no longer knows", async () => {
    const person = await api.person();
    await api.query`
      insert into nectar.subscriptions
        (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id)
      values (${person.id}, 'cus_gone', 'sub_gone', 'past_due', now(), 2, 'evt_gone')`;
    await close(api, person);
    await runErasures(api, whenDue());
    expect(await exists(person)).toBe(false);
  });

  it("waits until the subscription could be cancelled, while other accounts are erased", async () => {
    const [subscriber, other] = [await api.person(), await api.person()];
    await subscribe(api, subscriber);
    for (const person of [subscriber, other]) await close(api, person);
    api.at(whenDue());
    const { results } = await eraseAccounts.run({ ...api.services, payments: null });
    expect(results).toMatchObject({ erased: 1, failed: 1 });
    expect([await exists(subscriber), await exists(other)]).toEqual([true, false]);
    await runErasures(api, whenDue(5));
    expect(await exists(subscriber)).toBe(false);
  });

  it("waits for a payment processor for a week, and leaves the subscription to be cancelled when there is one", async () => {
    const person = await api.person();
    const subscription = await subscribe(api, person);
    await close(api, person);
    const week = 7 * 24 * 60;
    const runAt = async (moment: Date) => {
      api.at(moment);
      return (await eraseAccounts.run({ ...api.services, payments: null })).results;
    };
    expect(await runAt(whenDue(week - 5))).toMatchObject({ erased: 0, failed: 1 });
    expect(await exists(person)).toBe(true);
    expect(await runAt(whenDue(week))).toMatchObject({ erased: 1, failed: 1, receipts: 1 });
    expect(await exists(person)).toBe(false);
    const lines = api.logged().split("\n");
    const logged = lines.filter((line) => line.includes("a subscription of an erased person"));
    expect(logged).toHaveLength(1);
    for (const secret of [person.id, person.email, subscription]) expect(logged.join()).not.toContain(secret);
    expect(await runErasures(api, whenDue(week + 5))).toMatchObject({ late_subscriptions: 1, failed: 0 });
    await expect.poll(() => cancelled).toContain(subscription);
  });

  it("mails a receipt to the confirmed address, and forgets the address", async () => {
    const [person, unconfirmed] = [await api.person(), await api.person({ confirmed: false })];
    for (const one of [person, unconfirmed]) await close(api, one);
    expect(await runErasures(api, whenDue())).toMatchObject({ erased: 2, receipts: 1 });
    expect(mailsTo(person)).toMatchObject([{ subject: "Your Nectar account is erased", html: null }]);
    expect(mailsTo(unconfirmed)).toEqual([]);
    expect(await api.query`select from private.erasure_receipts`).toEqual([]);
  });

  it("mails nothing to an address that gets no mail", async () => {
    const person = await api.person();
    await api.query`
      insert into private.email_suppressions (address_hash, reason)
      values (private.email_address_hash(${person.email}), 'unsubscribed')`;
    await close(api, person);
    expect(await runErasures(api, whenDue())).toMatchObject({ erased: 1, receipts: 0 });
    expect(mailsTo(person)).toEqual([]);
  });

  it("tries to mail the receipt for 23 hours, and then forgets the address", async () => {
    const person = await api.person();
    await close(api, person);
    mail.mode("fail");
    expect(await runErasures(api, whenDue())).toMatchObject({ erased: 1, receipts_failed: 1 });
    expect(await runErasures(api, whenDue(22 * 60))).toMatchObject({ receipts_failed: 1 });
    expect(await runErasures(api, whenDue(24 * 60))).toMatchObject({ receipts_failed: 0 });
    expect(await api.query`select from private.erasure_receipts`).toEqual([]);
  });

  it("is recorded in the audit log, without anything about the person but the id", async () => {
    const person = await api.person({ role: "admin" });
    await close(api, person);
    await runErasures(api, whenDue());
    const events = await api.query`select actor_id, actor_role, action, target_type, changed, request_id
      from nectar.audit_events where target_id = ${person.id}`;
    const target = { target_type: "account", changed: [], request_id: null };
    expect(events).toEqual([{ actor_id: person.id, actor_role: "admin", action: "deleteAccount", ...target }]);
    const root = await api.person({ role: "super_admin" });
    const { events: shown } = await api.get(`/api/admin/audit?target_id=${person.id}`, root).ok();
    expect(shown).toMatchObject([{ actor: null, action: "deleteAccount", target_type: "account" }]);
  });

  it("hands an organization that the person was made owner of meanwhile to the longest member", async () => {
    const [owner, person, later] = [await api.person(), await api.person(), await api.person()];
    const { orgId } = await foundTeam(api, owner, [person, later]);
    await close(api, person);
    await api.post(`/api/organizations/${orgId}/transfer-ownership`, owner, { new_owner_id: person.id }).ok();
    await runErasures(api, whenDue());
    const owners = await api.query`select owner_id from nectar.organizations where id = ${orgId}`;
    expect(owners).toEqual([{ owner_id: owner.id }]);
  });
});

/** More than a run has. */
const MAX_STEPS = 60;

it("runs that overlap erase an account once, with one receipt", async () => {
  const person = await api.person();
  const subscription = await subscribe(api, person);
  await close(api, person);
  api.at(whenDue());
  const run = () => eraseAccounts.run(api.services);
  const responses = await whileOverlapping(api, () => Promise.all([run(), run(), run()]));
  expect(responses.reduce((sum, { results }) => sum + Number(results?.erased), 0)).toBe(1);
  expect(responses.map(({ results }) => results?.failed)).toEqual([0, 0, 0]);
  expect(await exists(person)).toBe(false);
  expect(mailsTo(person)).toHaveLength(1);
  await expect.poll(() => cancelled).toContain(subscription);
});

describe("an erasure that is killed", () => {
  it("before or after any of its steps ends with an erased account, one cancelled subscription and one receipt", async () => {
    let wasKilled = true;
    for (let step = 0; wasKilled; step += 1) {
      expect(step).toBeLessThan(MAX_STEPS);
      const person = await api.person();
      const subscription = await subscribe(api, person);
      await api.query`insert into nectar.journal_entries (user_id, title)
        select ${person.id}, 'Day ' || n from generate_series(1, 5) n`;
      api.at(new Date());
      await close(api, person);
      api.at(whenDue());
      const killed = killedAt(api.services, step);
      await eraseAccounts.run(killed.services, { batch: 2 }).catch(() => undefined);
      wasKilled = killed.wasKilled();
      await expireAllClaims(api);
      await runErasures(api, whenDue(5));
      expect(await exists(person), `killed at step ${step}`).toBe(false);
      expect(mailsTo(person), `killed at step ${step}`).toHaveLength(1);
      await expect.poll(() => cancelled.filter((one) => one === subscription)).toHaveLength(1);
    }
  });
});
