import { describe, expect, it } from "vitest";
import { named } from "../support/stage.ts";
import { useRaces } from "./race.ts";

const { acting, stage, race, setAgain } = useRaces();

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

describe.each([
  ["a message to a team", "team_message", "select private.send_message(:team, null, null, null, 'Hi')"],
  ["a comment", "comment", "select private.send_message(null, null, null, :goal, 'Hi')"],
  [
    "a check-in to a goal",
    "goal_update",
    "insert into nectar.goal_check_ins (goal_id, status, check_in_date) values (:goal, 'missed', '2026-11-21')",
  ],
] as const)("a block while %s is being sent", (_, type, send) => {
  const [sender, recipient] = type === "comment" ? (["teamMate", "owner"] as const) : (["owner", "teamMate"] as const);
  const block = `select private.create_block(:${sender}, now())`;
  const counted = async () => {
    const [notification] = await acting.query<{ count: number }>(
      `select (data ->> 'count')::int as count from nectar.notifications
       where user_id = $1 and type = $2 and read_at is null`,
      [stage.ids[recipient], type],
    );
    return notification?.count ?? 0;
  };

  it.each([0, 1])("counts nothing that comes after it, with %s sent long before", async (before) => {
    // Messages are taken back from the count, because they are no longer seen. That someone checked in stays true.
    const stays = (count: number) => (type === "goal_update" ? count : 0);
    const sendBefore = async () => {
      if (before === 1) await acting.run(stage.actors[sender], named(stage, send), [], "keep");
    };
    await sendBefore();
    expect(await race([recipient, block], [sender, send])).toEqual({ waited: true, second: 1 });
    expect(await counted()).toBe(stays(before));
    await setAgain();
    await sendBefore();
    expect(await race([sender, send], [recipient, block])).toEqual({ waited: true, second: 1 });
    expect(await counted()).toBe(stays(before + 1));
  });
});

it("the end of a block waits for a request that makes the same block, which reads it afterwards", async () => {
  const end = "select where private.delete_block(:blocked)";
  expect(await race(["owner", "select private.create_block(:blocked, now())"], ["owner", end])).toEqual({
    waited: true,
    second: 1,
  });
  expect(await acting.query("select from nectar.blocks where user_id = $1", [stage.ids.owner])).toEqual([]);
  expect(await race(["owner", end], ["owner", end])).toEqual({ waited: true, second: 0 });
});
