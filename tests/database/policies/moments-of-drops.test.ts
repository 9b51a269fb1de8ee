import { describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { setStage } from "../support/stage.ts";
import { named } from "./matrix.ts";

const acting = useActing({ moments: "now" });
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));

/** Functions about drops and badges that people may call with a moment. */
const CALLS: readonly [name: string, call: (moment: string) => string][] = [
  [
    "sending a drop",
    (moment) =>
      `select private.send_encouragement_drop(jsonb_build_object('recipient_id', :stranger::uuid, 'content', 'Hi'), ${moment})`,
  ],
  ["recalculating one's badge", (moment) => `select private.recalculate_my_badge(${moment})`],
];

describe.each(CALLS)("%s", (_, call) => {
  it.each([
    ["now()", 1],
    // Yesterday's and tomorrow's allowances, and badges of another day.
    ["now() - interval '1 day'", "service.unexpected"],
    ["now() + interval '1 day'", "service.unexpected"],
    ["null", "service.unexpected"],
  ])("at %s", async (moment, expected) => {
    expect(await acting.outcome(stage.actors.owner, named(stage, call(moment)))).toBe(expected);
  });
});
