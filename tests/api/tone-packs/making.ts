import { expect } from "vitest";
import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";

/** Creates a pack, private by default. */
export async function makePack(api: TestApi, owner: Person, fields: Record<string, unknown> = {}) {
  const body = await api.post("/api/tone-packs", owner, { name: "Pack", theme: "origami", ...fields }).created();
  return body.tone_pack;
}

/** Gives or takes drops, as an administrator would. */
export async function adjustDrops(api: TestApi, person: Person, amount: number): Promise<void> {
  await api.query`
    select private.post_drop_transaction(${person.id}, 'admin_adjustment', ${amount}, 'test:' || gen_random_uuid(), 'a test')`;
}

/** Refunds a transaction, as an administrator would. */
export async function refund(api: TestApi, userId: string, transaction: { id: string; amount: number }): Promise<void> {
  await api.query`
    select private.post_drop_transaction(
        ${userId}, 'refund', ${-transaction.amount}, ${`refund:${transaction.id}`}, 'a test'
      ),
      private.end_tone_pack_purchase(${transaction.id}::uuid)`;
}

/** The balance of the account, which must be the sum of its transactions. */
export async function balanceOf(api: TestApi, person: Person): Promise<number> {
  const { balance, sum } = await api.one<{ balance: number; sum: number }>(
    `select a.drops_balance as balance, sum(t.amount)::int as sum
     from nectar.accounts a join nectar.drop_transactions t using (user_id) where a.user_id = $1 group by 1`,
    [person.id],
  );
  expect(balance).toBe(sum);
  return balance;
}

/** The pack that a person's profile names as active; null if there is none. */
export async function activePackOf(api: TestApi, person: Person): Promise<string | null> {
  return (await api.get("/api/user/profile", person)).body.profile.preferences.active_tone_pack_id;
}

/** Shares and activates packs. */
export function packCalls(api: TestApi) {
  return {
    share: (packId: string, owner: Person, body: object, headers = {}) =>
      api.post(`/api/tone-packs/${packId}/share`, owner, body, headers),
    activate: (packId: string, person: Person) => api.post(`/api/tone-packs/${packId}/activate`, person),
  };
}
