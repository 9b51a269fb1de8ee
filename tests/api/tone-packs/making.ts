import { expect } from "vitest";
import type { TestApi } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";

/** Creates a pack, private by default. */
export async function makePack(api: TestApi, owner: Person, fields: Record<string, unknown> = {}) {
  const body = await api.post("/api/tone-packs", owner, { name: "Pack", theme: "origami", ...fields }).created();
  return body.tone_pack;
}

/** Gives or takes drops, as an administrator would. */
export async function adjustDrops(api: TestApi, person: Person, amount: number): Promise<void> {
  await api.query(
    "select private.post_drop_transaction($1, 'admin_adjustment', $2, 'test:' || gen_random_uuid(), 'a test')",
    [person.id, amount],
  );
}

/** Refunds a transaction, as an administrator would. */
export async function refund(api: TestApi, userId: string, transaction: { id: string; amount: number }): Promise<void> {
  await api.query(
    `select private.post_drop_transaction($1, 'refund', $2, 'refund:' || $3::uuid, 'a test'),
       private.end_tone_pack_purchase($3::uuid)`,
    [userId, -transaction.amount, transaction.id],
  );
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
