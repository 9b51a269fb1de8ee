import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { signUp } from "../../support/people.ts";
import { type Actor, connect, sqlstateOf, useActing } from "../support/acting.ts";

/*
 * Auth deletes an account while something is written of it. Either may be first, but neither may end the other: a deletion
 * holds the profile before anything else, and whatever writes of a person has to do so too.
 */

const acting = useActing();
let stays: string;
let goes: string;
let pack: string;

beforeEach(async () => {
  [stays, goes] = [(await signUp(acting.adminUrl)).id, (await signUp(acting.adminUrl)).id];
  const { rows } = await acting.admin.query(
    "insert into nectar.tone_packs (owner_id, name, theme, is_public) values ($1, 'Pack', 'origami', true) returning id",
    [stays],
  );
  pack = rows[0].id;
});

/**
 * How a statement ends beside the deletion of an account, in the two steps that PostgreSQL takes: the profile, then what
 * refers to it. The statement begins after the first step; the second one follows once it waits.
 */
async function deletedDuring(actor: Actor, statement: string, values: readonly unknown[]) {
  const deleting = await connect(acting.adminUrl);
  try {
    const [self] = (await acting.run("login role", "select pg_backend_pid() as pid")).rows;
    await deleting.query("begin");
    await deleting.query("select from nectar.profiles where id = $1 for update", [goes]);
    let isDone = false;
    const writing = acting
      .run(actor, statement, values, "keep")
      .then(({ rows }) => rows, sqlstateOf)
      .finally(() => {
        isDone = true;
      });
    const waits = async () =>
      (await acting.admin.query("select from pg_locks where pid = $1 and not granted", [self.pid])).rows.length > 0;
    while (!isDone && !(await waits())) await sleep(5);
    expect(isDone).toBe(false);
    await deleting.query("delete from auth.users where id = $1", [goes]);
    await deleting.query("commit");
    return await writing;
  } finally {
    await deleting.end();
  }
}

describe("an account that is deleted meanwhile", () => {
  it.each<[string, () => readonly [Actor, string, readonly unknown[]], () => object | string]>([
    [
      "gets no drops of the month",
      () => [{ person: goes }, "select private.award_monthly_drops('2026-11-01') as awarded", []],
      () => [{ awarded: 0 }],
    ],
    [
      "gets none with everybody, who get theirs",
      () => ["service", "select awarded > 0 as others from private.award_monthly_slice('2026-11-01', null, 1000)", []],
      () => [{ others: true }],
    ],
    [
      "buys nothing",
      () => [{ person: goes }, "select (purchase).id from private.purchase_tone_pack($1, null)", [pack]],
      () => [{ id: null }],
    ],
    [
      "subscribes no device",
      () => [
        { person: goes },
        "select * from private.subscribe_device('https://push.test', repeat('A', 87), repeat('A', 22), 20)",
        [],
      ],
      () => "23503",
    ],
    [
      "has no subscription, and the event is taken",
      () => [
        "service",
        `select private.record_subscription_event('evt_1', 'customer.subscription.created', now(), 1, $1, 'cus_1', 'sub_1',
           'active') as is_new`,
        [goes],
      ],
      () => [{ is_new: true }],
    ],
  ])("%s", async (_, write, expected) => {
    expect(await deletedDuring(...write())).toEqual(expected());
    const { rows } = await acting.admin.query("select id from nectar.profiles where id = any ($1)", [[stays, goes]]);
    expect(rows).toEqual([{ id: stays }]);
  });
});
