import { beforeEach, expect, it } from "vitest";
import { named } from "../support/stage.ts";
import { useRaces } from "./race.ts";

const { acting, stage, race } = useRaces();
beforeEach(async () => {
  await acting.query(named(stage, "update nectar.accounts set read_notes_enabled = true where user_id = :owner"));
  await acting.query(
    named(
      stage,
      `update private.assistant_turns set attempts = 1, claim = :owner, claimed_until = now() + interval '6 minutes'
       where user_id = :owner`,
    ),
  );
});

const STORE = `select private.store_note_analysis(:owner, :owner, '2026-11-21T08:00:00Z',
  '{"summary": "Of now", "mood_trends": {"overall": "calm", "direction": "steady", "moods": []}, "topics": [], "patterns": [],
    "recommendations": "r", "insights": {"gratitude": [], "challenges": [], "goals": [], "achievements": []}}',
  array[:sharedEntry]::uuid[], null) is not null as stored`;
const CALL_OFF = "select private.cancel_note_analysis()";
const EXCLUDE = "update nectar.journal_entries set ai_excluded = true where id = :sharedEntry";

it.each([
  ["an analysis that was canceled is not stored", "call off", "store", []],
  ["an analysis that read a note that was excluded is not stored", "exclude", "store", []],
  ["excluding a note waits for an analysis that is being stored, and deletes it", "store", "exclude", []],
  [
    "canceling an analysis that is being stored waits for it, so that it can be deleted",
    "store",
    "call off",
    [{ summary: "Of now" }],
  ],
] as const)("%s", async (_, first, second, left) => {
  const moves = { store: ["service", STORE], exclude: ["owner", EXCLUDE], "call off": ["owner", CALL_OFF] } as const;
  expect(await race(moves[first], moves[second])).toEqual({ waited: true, second: 1 });
  expect(
    await acting.query(
      named(stage, "select summary from nectar.note_analyses where user_id = :owner and analysis_date = '2026-11-21'"),
    ),
  ).toEqual(left);
});
