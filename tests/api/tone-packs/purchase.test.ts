import { describe, expect, it } from "vitest";
import { type ApiResponse, useApi } from "#tests/api";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { activePackOf, adjustDrops, balanceOf, makePack, refund } from "./making.ts";

const api = useApi();
const PARALLEL = 64;
const ROUNDS = LONG ? 1_000 : 10;
const seller = beforeTests(() => api.person());

const buy = (packId: string, person: Person, body: object = {}) =>
  api.post(`/api/tone-packs/${packId}/purchase`, person, body);
const forSale = (price: number) => makePack(api, seller, { is_public: true, price_drops: price });

describe("POST /api/tone-packs/:id/purchase", () => {
  it("takes the price, and returns purchase, transaction and balance", async () => {
    const buyer = await api.person();
    const pack = await forSale(20);
    const body = await buy(pack.id, buyer, { expected_price_drops: 20 }).created();
    const item = { description: "Tone pack: Pack", item_id: pack.id, item_type: "tone_pack" };
    expect(body).toMatchObject({
      purchase: { pack_id: pack.id, user_id: buyer.id, price_drops: 20 },
      transaction: { type: "purchase", amount: -20, balance_after: 30, ...item },
      balance: 30,
    });
    expect(await balanceOf(api, buyer)).toBe(30);
    expect(await balanceOf(api, seller)).toBe(50);
    const { transactions } = await api.get("/api/drops/transactions?type=purchase", buyer).ok();
    expect(transactions).toEqual([body.transaction]);
    await api.post(`/api/tone-packs/${pack.id}/activate`, buyer).ok();
  });

  it("requires no body, and books 0 drops for a free pack", async () => {
    const buyer = await api.person();
    const pack = await forSale(0);
    const response = await api.send("POST", `/api/tone-packs/${pack.id}/purchase`, { as: buyer });
    expect([response.status, response.body.transaction.amount, response.body.balance]).toEqual([201, 0, 50]);
  });

  it("refuses an own, a hidden, an expensive and a bought pack, and another price", async () => {
    const buyer = await api.person();
    const pack = await forSale(50);
    await buy(pack.id, seller).refused(400, "tone_pack.own_pack");
    await buy((await makePack(api, seller)).id, buyer).refused(404, "tone_pack.not_found");
    await buy((await forSale(51)).id, buyer).refused(402, "drops.insufficient_balance");
    for (const expected_price_drops of [49, 2 ** 31 - 1]) {
      await buy(pack.id, buyer, { expected_price_drops }).refused(409, "tone_pack.price_changed");
    }
    expect(await balanceOf(api, buyer)).toBe(50);
    await buy(pack.id, buyer).created();
    await buy(pack.id, buyer).refused(409, "tone_pack.already_purchased");
    await api.put(`/api/tone-packs/${pack.id}`, seller, { is_public: false });
    await buy(pack.id, buyer).refused(409, "tone_pack.already_purchased");
  });

  it("sells a shared pack that is not public", async () => {
    const buyer = await api.person();
    const pack = await makePack(api, seller, { price_drops: 5 });
    await api.post(`/api/tone-packs/${pack.id}/share`, seller, { user_id: buyer.id });
    expect((await buy(pack.id, buyer)).body.balance).toBe(45);
    await api.delete(`/api/tone-packs/${pack.id}/share/${buyer.id}`, seller);
    expect((await api.get(`/api/tone-packs/${pack.id}`, buyer)).body.tone_pack.access).toBe("purchased");
  });

  it("is undone by a refund", async () => {
    const buyer = await api.person();
    const pack = await forSale(10);
    const { body } = await buy(pack.id, buyer);
    await api.post(`/api/tone-packs/${pack.id}/activate`, buyer);
    await refund(api, buyer.id, body.transaction);
    expect(await activePackOf(api, buyer)).toBeNull();
    expect((await api.get(`/api/tone-packs/${pack.id}`, buyer)).body.tone_pack.access).toBe("public");
    expect((await buy(pack.id, buyer)).body.balance).toBe(40);
  });
});

describe(`${PARALLEL} purchases at the same time, ${ROUNDS} times`, () => {
  const allAtOnce = <Response>(purchase: (index: number) => Promise<Response>) =>
    Promise.all(Array.from({ length: PARALLEL }, (_, index) => purchase(index)));
  const refundBought = async (buyer: Person, responses: readonly Awaited<ReturnType<typeof buy>>[]) => {
    const bought = responses.filter(({ status }) => status === 201);
    for (const { body } of bought) await refund(api, buyer.id, body.transaction);
  };
  const statuses = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status).toSorted();

  it("of different packs, with drops for one: exactly one succeeds", { timeout: 30_000 * ROUNDS }, async () => {
    const buyer = await api.person();
    const packs: string[] = [];
    for (let index = 0; index < PARALLEL; index += 1) packs.push((await forSale(50)).id);
    for (let round = 0; round < ROUNDS; round += 1) {
      const responses = await allAtOnce((index) => buy(packs[index] ?? "", buyer));
      expect(statuses(responses)).toEqual([201, ...Array(PARALLEL - 1).fill(402)]);
      expect(await balanceOf(api, buyer)).toBe(0);
      await refundBought(buyer, responses);
    }
  });

  it("of the same pack, with drops for all: exactly one succeeds", { timeout: 30_000 * ROUNDS }, async () => {
    const buyer = await api.person();
    await adjustDrops(api, buyer, PARALLEL * 50);
    const before = await balanceOf(api, buyer);
    const pack = await forSale(50);
    for (let round = 0; round < ROUNDS; round += 1) {
      const responses = await allAtOnce(() => buy(pack.id, buyer));
      expect(statuses(responses)).toEqual([201, ...Array(PARALLEL - 1).fill(409)]);
      expect(await balanceOf(api, buyer)).toBe(before - 50);
      await refundBought(buyer, responses);
    }
  });
});
