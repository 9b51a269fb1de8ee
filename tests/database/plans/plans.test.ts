import { describe, expect, it } from "vitest";
import { addDays, utcDate } from "#core/time/calendar-date";
import type { Tx } from "#database/database";
import { listGoals } from "#functions/goals/goals";
import { GoalQuery } from "#functions/goals/schema";
import { deleteEntry, listEntries, listEntriesOnThisDay, readEntry } from "#functions/journal/entries";
import { EntryQuery } from "#functions/journal/schema";
import { drawYear, readStats } from "#functions/journal/stats";
import { listTrash, restoreEntry } from "#functions/journal/trash";
import { listNotebookEntries, listNotebooks, previewNotebook } from "#functions/notebooks/notebooks";
import { NotebookEntriesQuery, NotebookQuery } from "#functions/notebooks/schema";
import { listMembers as pageOfOrganizationMembers } from "#functions/organizations/members";
import { listOrganizations } from "#functions/organizations/organizations";
import { listMembers as pageOfTeamMembers } from "#functions/teams/members";
import { TeamQuery } from "#functions/teams/schema";
import { listTeams } from "#functions/teams/teams";
import { PageQuery } from "#http/response/paging";
import { beforeTests } from "#tests/prepare";
import { readWorld, WORLD } from "../../world/world.ts";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing({ filling: WORLD });
const crowd = beforeTests(() => readWorld(acting.admin));

/** How many rows of a table a page of 20 may read. */
const FEW = 500;

const OWN_BY_DATE = ["journal_entries_own_by_date"];
const BY_DATE = [...OWN_BY_DATE, "journal_entries_audience_by_date"];

const LISTS: readonly [name: string, work: (tx: Tx) => Promise<unknown>, indexes: readonly string[]][] = [
  ["the journal", (tx) => journal(tx, {}), ["journal_entries_own", "journal_entries_audience"]],
  ["the journal, oldest first", (tx) => journal(tx, { sort: "created_at" }), ["journal_entries_audience"]],
  ["one's own entries", (tx) => journal(tx, { scope: "own" }), ["journal_entries_own"]],
  ["entries shared with me", (tx) => journal(tx, { scope: "shared" }), ["journal_entries_audience"]],
  ["excerpts of entries", (tx) => journal(tx, { fields: "excerpt" }), ["journal_entry_contents_pkey"]],
  ["public entries", (tx) => journal(tx, { scope: "public" }), ["journal_entries_audience"]],
  ["the journal by date", (tx) => journal(tx, { sort: "-entry_date" }), BY_DATE],
  ["the journal by date, earliest first", (tx) => journal(tx, { sort: "entry_date" }), BY_DATE],
  ["one's own entries by date", (tx) => journal(tx, { sort: "-entry_date", scope: "own" }), OWN_BY_DATE],
  ["public entries by date", (tx) => journal(tx, { sort: "-entry_date", scope: "public" }), BY_DATE.slice(1)],
  ["a notebook by date", (tx) => journal(tx, { sort: "-entry_date", notebook_id: crowd.notebook }), []],
  ["one's own entries of a day", (tx) => journal(tx, { ...aDay(), scope: "own" }), []],
  ["what one wrote on this day", (tx) => listEntriesOnThisDay(tx, undefined, new Date()), OWN_BY_DATE],
  ["statistics", (tx) => readStats(tx, {}, new Date()), OWN_BY_DATE],
  ["a year of moods", (tx) => drawYear(tx, undefined, new Date()), OWN_BY_DATE],
  ["entries of a notebook", (tx) => notebookEntries(tx), []],
  ["a preview of a notebook", (tx) => previewNotebook(tx, crowd.notebook, { metadata_visibility: "public" }), []],
  ["notebooks", (tx) => listNotebooks(tx, NotebookQuery.parse({ limit: "20" })), ["notebooks_audience"]],
  ["goals", (tx) => listGoals(tx, GoalQuery.parse({ limit: "20", scope: "all" }), new Date()), ["goals_audience"]],
  ["organizations", (tx) => listOrganizations(tx, page()), []],
  ["teams", (tx) => listTeams(tx, TeamQuery.parse({ limit: "20" })), []],
  ["members of an organization", (tx) => pageOfOrganizationMembers(tx, crowd.organization, page()), []],
  ["members of a team", (tx) => pageOfTeamMembers(tx, crowd.team, page()), []],
];

/** Tables that are large here, so that the planner has a choice and a walk through all of them is a mistake. */
const LARGE = [
  "journal_entries",
  "journal_entry_contents",
  "notebooks",
  "goals",
  "goal_contents",
  "profiles",
  "organization_members",
  "team_members",
  "organizations",
  "teams",
];

describe("with 20,000 entries of 2,000 people", () => {
  it("the tables are full", async () => {
    const { rows } = await acting.admin.query("select count(*)::int as entries from nectar.journal_entries");
    expect(rows[0].entries).toBeGreaterThan(19_000);
  });

  it.each(LISTS)("%s: reads no large table as a whole, and few rows", async (_, work, indexes) => {
    const walks = await explainAs(acting.adminUrl, crowd.reader, work);
    expect(walks.filter(({ table, index }) => index === null && LARGE.includes(table))).toEqual([]);
    for (const table of new Set(walks.map((walk) => walk.table))) {
      const rows = walks.filter((walk) => walk.table === table).reduce((sum, walk) => sum + walk.rows, 0);
      expect(rows, `rows of ${table}`).toBeLessThan(FEW);
    }
    expect(walks.map(({ index }) => index)).toEqual(expect.arrayContaining([...indexes]));
  });

  it("entries of a day in the order of their creation are looked up by date", async () => {
    const walks = await explainAs(acting.adminUrl, crowd.reader, (tx) => journal(tx, aDay()));
    expect(walks.filter(({ table, index }) => index === null && LARGE.includes(table))).toEqual([]);
    expect(walks.map(({ index }) => index)).toContain("journal_entries_audience_by_date");
    const read = walks.filter(({ table }) => table === "journal_entries").reduce((sum, { rows }) => sum + rows, 0);
    expect(read).toBeLessThan(2_000);
  });

  it("an entry is found by its id", async () => {
    const { rows } = await acting.admin.query(
      "select id from nectar.journal_entries where user_id = $1 order by id limit 1",
      [crowd.reader],
    );
    const walks = await explainAs(acting.adminUrl, crowd.reader, (tx) => readEntry(tx, rows[0].id));
    expect(walks.filter(({ rows: count }) => count > 1)).toEqual([]);
  });

  it("the trash is read by its index, and an entry moved there and back by its id", async () => {
    await acting.query`
      insert into nectar.trashed_entries (id, user_id, title, content, tags, entry_date, ai_excluded,
        metadata_visibility, content_visibility, inherit_visibility, drop_ids, created_at, updated_at, deleted_at)
      select gen_random_uuid(), p.id, 'Trashed', 'Text', '{}', current_date, false, 'user', 'user', true, '{}',
        now(), now(), now() - n * interval '1 day'
      from nectar.profiles p, generate_series(1, 10) n`;
    await acting.query`vacuum analyze nectar.trashed_entries`;
    const limit = PageQuery.parse({ limit: "5" });
    expect(await explainAs(acting.adminUrl, crowd.reader, (tx) => listTrash(tx, crowd.reader, limit))).toEqual([
      { table: "trashed_entries", index: "trashed_entries_newest_first", rows: 6 },
    ]);
    const { id } = await acting.one<{ id: string }>`
      select id from nectar.journal_entries where user_id = ${crowd.reader} order by id limit 1`;
    const walks = await explainAs(acting.adminUrl, crowd.reader, async (tx) => {
      await deleteEntry(tx, id);
      await restoreEntry(tx, id);
    });
    // The columns of the tables are looked up, however many rows these have.
    expect(walks.filter(({ table, rows }) => rows > 20 && table !== "pg_attribute")).toEqual([]);
  });

  it("reading a whole table would be noticed", async () => {
    const walks = await explainAs(acting.adminUrl, crowd.reader, (tx) =>
      tx.selectFrom("journal_entries").select("id").where("title", "=", "Day 1").execute(),
    );
    expect(walks).toContainEqual({
      table: "journal_entries",
      index: null,
      rows: expect.toSatisfy((n: number) => n > FEW),
    });
  });
});

function journal(tx: Tx, query: Record<string, string>) {
  return listEntries(tx, EntryQuery.parse({ limit: "20", ...query }));
}

/** The earliest of the days that entries are about. */
function aDay() {
  const date = addDays(utcDate(new Date()), -14);
  return { date_from: date, date_to: date };
}

function notebookEntries(tx: Tx) {
  return listNotebookEntries(tx, crowd.notebook, NotebookEntriesQuery.parse({ limit: "20" }));
}

function page() {
  return PageQuery.parse({ limit: "20" });
}
