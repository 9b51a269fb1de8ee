import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { routeToGroups } from "#functions/all";
import { useApi } from "#tests/api";
import { CRON_SECRET } from "#tests/assistant";
import { clientOf } from "#tests/client";
import { useFileStore } from "#tests/file-store";
import { LONG } from "#tests/long";
import { servicesMeanwhile, useModel } from "#tests/models";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const STEPS_AT_ONCE = 8;
const ROUNDS = LONG ? 125 : 20;
const STEPS = STEPS_AT_ONCE * ROUNDS;
/** Long enough for other steps to happen between what a call reads and the call. */
const MS_BEFORE_A_CALL = 10;

const model = await useModel();
const api = useApi({
  environment: {
    ...model.environment,
    ...(await useFileStore()),
    CHAT_CRON_SECRET: CRON_SECRET,
    DROPS_CRON_SECRET: CRON_SECRET,
  },
});
const client = beforeTests(async () => clientOf(routeToGroups(servicesMeanwhile(api, () => pause(MS_BEFORE_A_CALL)))));

/** People who let the assistant read and write, each with a notebook whose new entries are excluded. */
const people = beforeTests(() =>
  Promise.all(
    Array.from({ length: 3 }, async () => {
      const person = await api.person();
      await api.put("/api/chat/settings", person, { read_notes_enabled: true, check_in_enabled: true }).ok();
      const body = { name: "Only mine", ai_excluded_default: true };
      return { ...person, notebookId: (await api.post("/api/notebooks", person, body).created()).notebook.id };
    }),
  ),
);

/** An entry of the test, with all words that were ever in it. Each word is in no other entry. */
interface Entry {
  readonly id: string;
  readonly author: Person;
  readonly words: string[];
  isExcluded: boolean;
}

const entries: Entry[] = [];
/** The calls in which the word of an entry was found, so that the test cannot pass because no call has any. */
const seenIn = new Set<string>();
const happened = new Set<string>();
let lastWord = 0;

const step = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("write", "edit") },
    { weight: 4, arbitrary: fc.constantFrom("exclude", "include") },
    { weight: 2, arbitrary: fc.constantFrom("analyze", "send drops", "draw") },
    { weight: 1, arbitrary: fc.constantFrom("trash", "restore", "move") },
  ),
  who: fc.nat(2),
  which: fc.nat(),
  isExcluded: fc.option(fc.boolean(), { nil: undefined }),
  hasMood: fc.boolean(),
  isInNotebook: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Everything in a round happens at the same time. */
interface Round {
  readonly written: Entry[];
  /** Entries that may have been included at some time of the round. */
  readonly included: Set<Entry>;
  /** Words that were written together with the wish to exclude them, by entry. */
  readonly excludedWords: { readonly entry: Entry; readonly word: string }[];
}

/** A text for a journal that the stand-in quotes in its analysis, so that later prompts contain its word as well. */
function newText(hasMood: boolean) {
  lastWord += 1;
  const word = `canary${String(lastWord).padStart(6, "0")}`;
  const text = { title: `About ${word}`, content: `I am grateful for ${word}, calm and slow.` };
  return { word, text: hasMood ? { ...text, mood: word } : text };
}

async function write({ who, isExcluded, hasMood, isInNotebook }: Step, { written }: Round): Promise<void> {
  const author = people[who];
  if (author === undefined) throw new Error("There is no such person.");
  const { word, text } = newText(hasMood);
  const notebook_id = isInNotebook ? author.notebookId : null;
  const body = { ...text, ai_excluded: isExcluded, notebook_id };
  const { entry } = await client.post("/api/journal", author, body).created();
  expect(entry.ai_excluded).toBe(isExcluded ?? isInNotebook);
  written.push({ id: entry.id, author, words: [word], isExcluded: entry.ai_excluded });
}

async function happen(planned: Step, round: Round): Promise<void> {
  const { kind, which, isExcluded, hasMood } = planned;
  const run = (path: string) => client.send("POST", path, { headers: { "x-cron-secret": CRON_SECRET } });
  if (kind === "analyze") return void (await run("/api/chat/cron/analyze-notes"));
  if (kind === "send drops") return void (await run("/api/encouragement-drops/cron/generate-daily-drops"));
  const entry = entries[which % Math.max(entries.length, 1)];
  if (kind === "write" || entry === undefined) return write(planned, round);
  const { author, words } = entry;
  const path = `/api/journal/${entry.id}` as const;
  const change = async (body: object) => happened.add(`${kind}: ${(await client.put(path, author, body)).status}`);
  if (kind === "edit") {
    const { word, text } = newText(hasMood);
    words.push(word);
    if (isExcluded === true) round.excludedWords.push({ entry, word });
    if (isExcluded === false) round.included.add(entry);
    await change({ ...text, ai_excluded: isExcluded });
  } else if (kind === "exclude") {
    await change({ ai_excluded: true });
  } else if (kind === "include") {
    round.included.add(entry);
    await change({ ai_excluded: false });
  } else if (kind === "move") {
    await change({ notebook_id: null });
  } else if (kind === "draw") {
    const { body } = await client.post("/api/ai/generate-background", author, { entry_id: entry.id });
    happened.add(`draw: ${"code" in body ? body.code : "done"}`);
  } else if (kind === "trash") {
    await client.delete(path, author);
  } else {
    await client.post(`${path}/restore`, author);
  }
}

/** The words that no call of a round may contain. */
function forbiddenIn({ written, included, excludedWords }: Round, excludedBefore: ReadonlySet<Entry>): string[] {
  const excluded = [...excludedBefore].filter((entry) => !included.has(entry));
  return [
    ...[...excluded, ...written.filter(({ isExcluded }) => isExcluded)].flatMap(({ words }) => words),
    ...excludedWords.filter(({ entry }) => !included.has(entry)).map(({ word }) => word),
  ];
}

async function live(steps: readonly Step[]): Promise<void> {
  model.requests.length = 0;
  const excludedBefore = new Set(entries.filter(({ isExcluded }) => isExcluded));
  const round: Round = { written: [], included: new Set(), excludedWords: [] };
  await Promise.all(steps.map((planned) => happen(planned, round)));
  entries.push(...round.written);
  const forbidden = forbiddenIn(round, excludedBefore);
  for (const request of model.requests) {
    const prompt = request.kind === "image" ? request.prompt : request.data;
    expect(forbidden.filter((word) => prompt.includes(word))).toEqual([]);
    if (prompt.includes("canary")) seenIn.add(request.kind === "image" ? "image" : `${request.schemaName}`);
  }
  await compareStored();
}

/** Nothing that is stored after a round comes from an entry that is excluded then. */
async function compareStored(): Promise<void> {
  const rows = await api.query<{ id: string }>`select id from nectar.journal_entries where ai_excluded
    union all select id from nectar.trashed_entries where ai_excluded`;
  const excluded = new Set(rows.map(({ id }) => id));
  for (const entry of entries) entry.isExcluded = excluded.has(entry.id);
  const analyses = await api.query<{ text: string }>`select n::text as text from nectar.note_analyses n`;
  const stored = analyses.map(({ text }) => text).join();
  const words = entries.flatMap((entry) => (entry.isExcluded ? entry.words : []));
  expect(words.filter((word) => stored.includes(word))).toEqual([]);
  const moods = await api.query`select from nectar.journal_entries where ai_excluded and mood_source = 'ai'`;
  expect(moods).toEqual([]);
}

/** Lets both jobs serve everyone again, as on another day. */
async function endDay(): Promise<void> {
  await api.query`delete from private.assistant_turns`;
  await api.query`delete from nectar.encouragement_drops`;
  await api.query`delete from private.quota_uses`;
}

it(`in ${STEPS} random steps at the same time, no text of an excluded entry is in a prompt, and those of others are`, async () => {
  const rounds = fc.sample(fc.array(step, { minLength: STEPS_AT_ONCE, maxLength: STEPS_AT_ONCE }), ROUNDS);
  for (const steps of rounds) {
    await live(steps);
    await endDay();
  }
  expect([...seenIn].toSorted()).toEqual(["assistant_drop", "image", "note_analysis", "tone_analysis"]);
  expect([...happened]).toEqual(expect.arrayContaining(["draw: done", "draw: journal.ai_excluded", "edit: 200"]));
});
