import { describe, expect, it } from "vitest";
import { named, type Role } from "../support/stage.ts";
import { type Move, useRaces } from "./race.ts";

const { acting, stage, race, inBothOrders, setAgain } = useRaces();

const ACTIVATE = "select private.activate_tone_pack(:tonePack)";
const UNSHARE = "delete from nectar.tone_pack_shares where pack_id = :tonePack and user_id = :teamMate";
const UNPUBLISH = "update nectar.tone_packs set is_public = false where id = :tonePack";
const DELETE = "select private.delete_tone_pack(:tonePack)";

describe("a tone pack that is taken away while it is activated is not active afterwards", () => {
  it.each<[string, Role, Role, string, boolean]>([
    ["unshared by its owner", "teamMate", "owner", UNSHARE, false],
    ["given back by its recipient", "teamMate", "teamMate", UNSHARE, false],
    ["deleted, for a recipient", "teamMate", "owner", DELETE, false],
    ["deleted, for its owner", "owner", "owner", DELETE, false],
    ["deleted, for anyone while it is public", "stranger", "owner", DELETE, true],
    ["unpublished", "stranger", "owner", UNPUBLISH, true],
  ])("%s, in either order", async (_, reader, taker, taking, isPublic) => {
    for (const isFirst of [true, false]) {
      await setAgain();
      await acting.query`update nectar.tone_packs set is_public = ${isPublic} where id = ${stage.ids.tonePack}`;
      const [activate, take] = [[reader, ACTIVATE] as const, [taker, taking] as const];
      const [first, second] = isFirst ? [activate, take] : [take, activate];
      const outcome = isFirst ? 1 : "tone_pack.not_found";
      expect(await race(first, second)).toEqual({ waited: true, second: outcome });
      expect(await activeFor()).toEqual([]);
    }
  });

  it("but stays active for a person who may use it for another reason", () =>
    inBothOrders(["orgMate", ACTIVATE], ["owner", DELETE], async (result) => {
      expect(result).toEqual({ waited: true, second: 1 });
      expect(await activeFor()).toEqual([stage.ids.orgMate]);
    }));
});

describe("a tone pack that is deleted while it is bought", () => {
  const BUY = "select private.purchase_tone_pack(:tonePack, null)";
  const offer = async () => {
    await acting.query`update nectar.tone_packs set is_public = true where id = ${stage.ids.tonePack}`;
    await acting.query`update nectar.tone_pack_purchases set refunded_at = now() where pack_id = ${stage.ids.tonePack}`;
  };
  const left = async () => {
    return acting.query`select (select count(*) from nectar.tone_pack_images
      where pack_id = ${stage.ids.tonePack}) as images,
      (select count(*) from nectar.tone_pack_purchases where pack_id = ${stage.ids.tonePack}
        and refunded_at is null) as purchases`;
  };

  it.each<[string, Move, Move, number | string, string]>([
    ["keeps its images for a buyer who was first", ["stranger", BUY], ["owner", DELETE], 1, "1"],
    ["is not sold after it was deleted", ["owner", DELETE], ["stranger", BUY], "tone_pack.not_found", "0"],
  ])("%s", async (_, first, second, outcome, count) => {
    await offer();
    expect(await race(first, second)).toEqual({ waited: true, second: outcome });
    expect(await left()).toEqual([{ images: count, purchases: count }]);
  });

  /** Its only buyer buys it. @returns the statement that refunds the purchase */
  const sold = async () => {
    await offer();
    await acting.run(stage.actors.stranger, named(stage, BUY), [], "keep");
    const purchase = await acting.one`select transaction_id from nectar.tone_pack_purchases
      where pack_id = ${stage.ids.tonePack} and refunded_at is null`;
    return `select private.refund_purchase('${purchase.transaction_id}', 'a test')`;
  };

  it.each([true, false])("loses its images when its last purchase is refunded: deleted first %s", async (isFirst) => {
    const giveBack: Move = ["superAdmin", await sold()];
    const remove: Move = ["owner", DELETE];
    const [first, second] = isFirst ? [remove, giveBack] : [giveBack, remove];
    expect(await race(first, second)).toEqual({ waited: true, second: 1 });
    expect(await left()).toEqual([{ images: "0", purchases: "0" }]);
  });

  it("loses its images when its last buyer's account is deleted", async () => {
    await sold();
    await acting.run(stage.actors.owner, named(stage, DELETE), [], "keep");
    expect(await left()).toEqual([{ images: "1", purchases: "1" }]);
    await acting.query`delete from auth.users where id = ${stage.ids.stranger}`;
    expect(await left()).toEqual([{ images: "0", purchases: "0" }]);
  });
});

async function activeFor(): Promise<string[]> {
  const rows = await acting.query<{ user_id: string }>`select user_id from nectar.accounts
    where active_tone_pack_id = ${stage.ids.tonePack}`;
  return rows.map(({ user_id }) => user_id);
}
