import { describe, expect, it } from "vitest";
import { deletionsOf } from "#tests/deletions";
import { beforeEachTest } from "#tests/prepare";
import { type Actor, refusalOf, useActing } from "../support/acting.ts";

/*
 * Auth deletes an account while something is written of it. Either may be first, but neither may end the other: a deletion
 * holds the profile before anything else, and whatever writes of a person has to do so too.
 */

const acting = useActing();
const stays = beforeEachTest(() => acting.person());
const goes = beforeEachTest(() => acting.person());
const pack = beforeEachTest(
  () => acting.one<{ id: string }>`
    insert into nectar.tone_packs (owner_id, name, theme, is_public)
    values (${stays.id}, 'Pack', 'origami', true) returning id`,
);

const boss = beforeEachTest(() => acting.person({ role: "super_admin" }));
const bought = beforeEachTest(
  () => acting.one<{ id: string }>`
    select id from private.post_drop_transaction(${goes.id}, 'purchase', -20, 'purchase:1', 'Tone pack')`,
);

/** How a statement ends beside the deletion of the account. */
function endingOf(actor: Actor, statement: string, values: readonly unknown[]) {
  const written = () => acting.run(actor, statement, values, "keep").then(({ rows }) => rows, refusalOf);
  return deletionsOf(acting).deletedDuring({ id: goes.id }, written);
}

describe("an account that is deleted meanwhile", () => {
  it.each<[string, () => readonly [Actor, string, readonly unknown[]], () => object | string]>([
    [
      "gets no drops of the month",
      () => [{ person: goes.id }, "select private.award_monthly_drops('2026-11-15T12:00Z') as awarded", []],
      () => [{ awarded: 0 }],
    ],
    [
      "gets none in the job, while the others get theirs",
      () => ["service", "select awarded > 0 as others from private.award_monthly_batch('2026-11-01', null, 1000)", []],
      () => [{ others: true }],
    ],
    [
      "buys nothing",
      // With the lock that opens every transaction that writes.
      () => [
        { person: goes.id },
        "select case when private.lock_writer($1, false, false) then private.purchase_tone_pack($2, null) end as bought",
        [goes.id, pack.id],
      ],
      () => [{ bought: null }],
    ],
    [
      "is refunded nothing: its purchases are gone",
      () => [{ person: boss.id }, "select private.refund_purchase($1, 'a test')", [bought.id]],
      () => "drops.transaction_not_found",
    ],
    [
      "subscribes no device",
      () => [
        { person: goes.id },
        "select * from private.subscribe_device('https://push.test', repeat('A', 87), repeat('A', 22))",
        [],
      ],
      () => "23503",
    ],
    [
      "has no subscription, and its event is accepted",
      () => [
        "service",
        `select private.record_subscription_event(jsonb_build_object(
           'id', 'evt_1', 'type', 'customer.subscription.created', 'happened_at', now(), 'rank', 1, 'user_id', $1::uuid,
           'customer_id', 'cus_1', 'subscription_id', 'sub_1', 'status', 'active')) as is_new`,
        [goes.id],
      ],
      () => [{ is_new: true }],
    ],
  ])("%s", async (_, write, expected) => {
    expect(await endingOf(...write())).toEqual(expected());
    expect(await acting.query`select id from nectar.profiles where id = any (${[stays.id, goes.id]})`).toEqual([
      { id: stays.id },
    ]);
  });
});
