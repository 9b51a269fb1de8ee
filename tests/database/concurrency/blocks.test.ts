import { describe, expect, it } from "vitest";
import { useRaces } from "./race.ts";

const { acting, stage, race } = useRaces();

const BLOCK = "select private.create_block(:owner, now())";
const SEND = `select private.send_encouragement_drop(jsonb_build_object('recipient_id', :stranger, 'content', 'Hi'), now())`;
const SHARE = `with reached as materialized (select private.require_reachable(:stranger, null))
  insert into nectar.tone_pack_shares (pack_id, user_id) select :tonePack, :stranger from reached`;

const countArrived = (table: "encouragement_drops" | "tone_pack_shares", column: "recipient_id" | "user_id") =>
  acting.query(`select from nectar.${table} where ${column} = $1`, [stage.ids.stranger]).then((rows) => rows.length);

describe.each([
  ["a drop", SEND, "encouragement_drops", "recipient_id"],
  ["a tone pack", SHARE, "tone_pack_shares", "user_id"],
] as const)("a block by the recipient while %s is being sent", (_, send, table, column) => {
  it("waits for it, so that it is there before the response to the block", async () => {
    expect(await race(["owner", send], ["stranger", BLOCK])).toEqual({ waited: true, second: 1 });
    expect(await countArrived(table, column)).toBe(1);
  });

  it("makes it wait, and then it is refused as if the recipient did not exist", async () => {
    expect(await race(["stranger", BLOCK], ["owner", send])).toEqual({ waited: true, second: "user.not_found" });
    expect(await countArrived(table, column)).toBe(0);
  });

  it("refuses it in the other direction as well", async () => {
    const blockRecipient = "select private.create_block(:stranger, now())";
    expect(await race(["owner", blockRecipient], ["owner", send])).toEqual({ waited: true, second: "user.not_found" });
    expect(await countArrived(table, column)).toBe(0);
  });
});

describe("a notification of being added to an organization", () => {
  const ADD = "insert into nectar.organization_members (org_id, user_id) values (:organization, :stranger)";
  const countNotified = () =>
    acting
      .query("select from nectar.notifications where user_id = $1 and type = 'member_added'", [stage.ids.stranger])
      .then((rows) => rows.length);

  it("is there before the response to a block by the one who is added", async () => {
    expect(await race(["owner", ADD], ["stranger", BLOCK])).toEqual({ waited: true, second: 1 });
    expect(await countNotified()).toBe(1);
  });

  it("waits for a block that is being made, and is then not written", async () => {
    expect(await race(["stranger", BLOCK], ["owner", ADD])).toEqual({ waited: true, second: 1 });
    expect(await countNotified()).toBe(0);
  });
});

it("a drop to one person does not wait for a block of another, nor for another drop to the same person", async () => {
  const blockMate = "select private.create_block(:teamMate, now())";
  expect(await race(["orgMate", SEND], ["teamMate", SEND])).toEqual({ waited: false, second: 1 });
  expect(await race(["stranger", blockMate], ["owner", SEND])).toEqual({ waited: false, second: 1 });
});
