import { beforeEach, describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { named, PUBLIC_TEXT, SECRETS, setStage } from "../support/stage.ts";

const acting = useActing();
const stage = beforeTests(() => setStage(acting.adminUrl, acting.admin));
const allow = (read: boolean, checkIn: boolean) =>
  acting.admin.query(
    named(stage, "update nectar.accounts set read_notes_enabled = $1, check_in_enabled = $2 where user_id = :owner"),
    [read, checkIn],
  );
beforeEach(async () => {
  await acting.query`delete from private.assistant_turns`;
  await acting.query(named(stage, "delete from nectar.encouragement_drops where recipient_id = :owner"));
  await acting.query(named(stage, "update nectar.journal_entries set created_at = now() where user_id = :owner"));
  await acting.query(named(stage, CLAIMED));
  await allow(false, false);
});

async function asService(statement: string) {
  const { rows } = await acting.run("service", named(stage, statement));
  return rows;
}
const NOTES = "select content from private.notes_for_analysis(:owner, now()) order by content";
const LATEST = "select count(*) > 0 as known from private.analysis_for_message(:owner)";
const STORE = `select private.store_note_analysis(:owner, :owner, now(),
  '{"summary": "s", "mood_trends": {"overall": "calm", "direction": "steady", "moods": []}, "topics": [], "patterns": [],
    "recommendations": "r", "insights": {"gratitude": [], "challenges": [], "goals": [], "achievements": []}}',
  array[:sharedEntry]::uuid[], null) is not null as stored`;
const GIVE = "select private.send_assistant_drop(:owner, now(), 'Well done.', 'Nectar', null) is not null as given";
const CLAIMED = `insert into private.assistant_turns (user_id, job, day, attempts, claim, claimed_until)
  values (:owner, 'note_analysis', '2026-11-20', 1, :owner, '2026-11-20T00:06:00Z')`;
const claim = (job: string) =>
  `select coalesce(cardinality(claimed), 0) as claimed from private.claim_assistant_turns('${job}', now(), null, 5)`;

describe("what a person allows", () => {
  it.each([
    [false, false, { notes: 0, known: false, stored: false, given: false, analysis: 0, drop: 0 }],
    [false, true, { notes: 0, known: false, stored: false, given: false, analysis: 0, drop: 0 }],
    [true, false, { notes: 3, known: false, stored: true, given: false, analysis: 1, drop: 0 }],
    [true, true, { notes: 3, known: true, stored: true, given: true, analysis: 1, drop: 1 }],
  ])("to read: %s, to write: %s, is what the service may do", async (read, checkIn, expected) => {
    await allow(read, checkIn);
    expect({
      notes: (await asService(NOTES)).length,
      ...(await asService(LATEST))[0],
      ...(await asService(STORE))[0],
      ...(await asService(GIVE))[0],
      analysis: (await asService(claim("note_analysis")))[0].claimed,
      drop: (await asService(claim("daily_drop")))[0].claimed,
    }).toEqual(expected);
  });

  it("is about their own notes only, shared or not", async () => {
    await allow(true, true);
    expect(await asService(NOTES)).toEqual(
      [PUBLIC_TEXT, SECRETS.shared, SECRETS.private].toSorted().map((content) => ({ content })),
    );
    expect(await asService("select from private.notes_for_analysis(:teamMate, now())")).toEqual([]);
  });

  it("is ignored for synthetic users: nothing of theirs is read", async () => {
    await allow(true, true);
    await acting.query(named(stage, "update nectar.profiles set is_ai = true where id = :owner"));
    expect(await asService(NOTES)).toEqual([]);
    expect(await asService(claim("note_analysis"))).toEqual([{ claimed: 0 }]);
    expect(await asService(claim("daily_drop"))).toEqual([{ claimed: 0 }]);
    await acting.query(named(stage, "update nectar.profiles set is_ai = false where id = :owner"));
  });
});

describe("the service", () => {
  it.each([
    "select from nectar.journal_entries",
    "select from nectar.journal_entry_contents",
    "select from nectar.note_analyses",
    "select from nectar.note_analysis_sources",
    "select from private.assistant_turns",
    "insert into private.assistant_turns (user_id, job, day, attempts) values (:owner, 'daily_drop', now(), 0)",
    "select read_notes_enabled from nectar.accounts",
    "insert into nectar.encouragement_drops (sender_id, recipient_id) values (private.system_user_id(), :owner)",
  ])("may not %s by itself", async (statement) => {
    expect(await acting.outcome("service", named(stage, statement))).toBe("42501");
  });
});

describe("a drop of the assistant", () => {
  it("is sent once per UTC day, at any time of the day", async () => {
    await allow(true, true);
    const give = async (moment: string) =>
      (
        await acting.run(
          "service",
          named(
            stage,
            "select private.send_assistant_drop(:owner, $1, 'Well done.', 'Nectar', null) is not null as given",
          ),
          [moment],
          "keep",
        )
      ).rows[0].given;
    expect(await give("2026-11-22T00:00:00Z")).toBe(true);
    expect(await give("2026-11-22T23:59:59.999Z")).toBe(false);
    expect(await give("2026-11-23T00:00:00Z")).toBe(true);
  });
});

describe("an analysis", () => {
  it("of a canceled turn is not stored, also during a later claim", async () => {
    await allow(true, false);
    await acting.run(stage.actors.owner, "select private.cancel_note_analysis()", [], "keep");
    expect(await asService(STORE)).toEqual([{ stored: false }]);
    await acting.query(
      named(
        stage,
        "update private.assistant_turns set claim = :stranger, claimed_until = now() + interval '6 minutes'",
      ),
    );
    expect(await asService(STORE)).toEqual([{ stored: false }]);
    expect(await asService(STORE.replace(":owner, now()", ":stranger, now()"))).toEqual([{ stored: true }]);
  });

  it("cannot be canceled if it is not claimed, or belongs to another person", async () => {
    const state = async () => (await acting.admin.query("select * from private.assistant_turns")).rows;
    const before = await state();
    await acting.run(stage.actors.stranger, "select private.cancel_note_analysis()", [], "keep");
    expect(await state()).toEqual(before);
    await acting.query`update private.assistant_turns set claim = null, claimed_until = null`;
    await acting.run(stage.actors.owner, "select private.cancel_note_analysis()", [], "keep");
    expect(await state()).toMatchObject([{ claimed_until: null, finished_at: null, notes_fingerprint: null }]);
  });
});

describe("recent notes", () => {
  it("are those of 168 hours, to the millisecond", async () => {
    await allow(true, false);
    await acting.query(
      named(stage, "update nectar.journal_entries set created_at = '2026-11-20T12:00:00Z' where user_id = :owner"),
    );
    const count = async (moment: string) =>
      (await acting.run("service", named(stage, "select from private.notes_for_analysis(:owner, $1)"), [moment]))
        .rowCount;
    expect(await count("2026-11-27T11:59:59.999Z")).toBe(3);
    expect(await count("2026-11-27T12:00:00Z")).toBe(0);
  });
});
