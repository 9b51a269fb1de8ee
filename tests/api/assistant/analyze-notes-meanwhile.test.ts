import { describe, expect, it } from "vitest";
import { servicesMeanwhile, usageOf } from "#tests/models";
import type { Person } from "#tests/people";
import { NOTHING, useAnalyzing } from "./analyzing.ts";

const { analysisOf, analyze, api, note, reader } = await useAnalyzing();

/** Runs the job, with something happening during each call of the model. */
const analyzeDuring = (happening: () => Promise<unknown>) => analyze(servicesMeanwhile(api, happening));

it("a permission that is withdrawn during the call leaves no analysis, but the use of the model is recorded", async () => {
  const ada = await reader();
  await note(ada, "A calm walk.");
  const withdraw = () => api.put("/api/chat/settings", ada, { read_notes_enabled: false });
  expect(await analyzeDuring(withdraw)).toEqual(NOTHING);
  expect(await analysisOf(ada)).toBeNull();
  expect(await usageOf(api, ada)).toHaveLength(1);
});

it("an account that is deleted during the call is not a failure, and leaves no rows", async () => {
  const ada = await reader();
  await note(ada, "A calm walk.");
  const before = api.logged();
  expect(await analyzeDuring(() => api.query`delete from auth.users where id = ${ada.id}`)).toEqual(NOTHING);
  expect(api.logged().slice(before.length)).not.toContain("note analysis failed");
  expect(await api.query`select from nectar.token_usage`).toEqual([]);
});

describe("analyses that are deleted during the call of the model", () => {
  const deleteMeanwhile = async (person: Person) => {
    const remove = () => api.delete("/api/chat/analysis", person);
    expect(await analyzeDuring(async () => expect((await remove()).status).toBe(200))).toEqual(NOTHING);
    expect(await analysisOf(person)).toBeNull();
  };

  it("stay deleted with the one that was being made, whose call is recorded, and are made again for a new note", async () => {
    const ada = await reader();
    await note(ada, "A calm walk.");
    await deleteMeanwhile(ada);
    expect(await usageOf(api, ada)).toMatchObject([{ usage_type: "note_analysis", reference_id: null }]);
    expect(await analyze()).toMatchObject({ total: 0 });
    await api.query`delete from private.assistant_turns`;
    expect(await analyze()).toMatchObject({ total: 1, successful: 1 });
    await note(ada, "More.", "-1 minute");
    await deleteMeanwhile(ada);
    expect(await usageOf(api, ada)).toHaveLength(3);
    await note(ada, "Even more.", "-2 minutes");
    expect(await analyze()).toMatchObject({ total: 1, successful: 1 });
  });

  it("are not stored under the claim that a later run has made for newer notes", async () => {
    const ada = await reader();
    await note(ada, "A calm walk.");
    let later: unknown;
    const first = await analyzeDuring(async () => {
      if (later !== undefined) return;
      later = null;
      await api.delete("/api/chat/analysis", ada).ok();
      await note(ada, "More.");
      // As another process would claim it once it has taken over.
      later = (
        await api.query`select claimed
          from private.claim_assistant_turns('note_analysis', ${api.services.clock.now()}, null, 5)`
      )[0];
    });
    expect(later).toEqual({ claimed: [ada.id] });
    expect(first).toEqual(NOTHING);
    expect(await analysisOf(ada)).toBeNull();
    const turns = await api.query`select claim is not null as claimed from private.assistant_turns`;
    expect(turns).toEqual([{ claimed: true }]);
  });
});
