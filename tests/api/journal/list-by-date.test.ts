import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());

const LISTS = LONG ? 2_000 : 50;
const SCOPES = ["all", "own", "shared", "public"] as const;

interface Written {
  readonly id: string;
  readonly entry_date: string;
  readonly created_at: string;
  /** The scopes of lists that show it to Ada. */
  readonly scopes: readonly string[];
}

/**
 * Entries of Ada, of Ben (for the team, for all, and private) and of Eve, whose public ones Ada does not see. Many are about
 * the same day or were written at the same time, and most were not written on the day that they are about.
 */
const world = beforeTests(async () => {
  const [ben, eve] = [await api.person(), await api.person()];
  const { teamId } = await foundTeam(api, ada, [ben]);
  await api.post("/api/blocks", ada, { user_id: eve.id }).created();
  const kinds: readonly [Person, Record<string, string>, readonly string[]][] = [
    [ada, {}, ["all", "own"]],
    [ben, { metadata_visibility: "team", team_id: teamId }, ["all", "shared"]],
    [ben, { metadata_visibility: "public" }, ["all", "public"]],
    [ada, { metadata_visibility: "public" }, ["all", "own", "public"]],
    [ben, {}, []],
    [eve, { metadata_visibility: "public" }, []],
  ];
  const written: Written[] = [];
  for (let n = 0; n < 90; n += 1) {
    const [author, fields, scopes] = kinds[n % kinds.length] ?? [ada, {}, []];
    const entry_date = `2020-0${1 + ((n * 7) % 4)}-${10 + ((n * 3) % 5)}`;
    const created_at = `2021-01-${10 + ((n * 11) % 13)}T12:00:00.000Z`;
    const { id } = await write(api, author, { ...fields, entry_date, title: n % 9 === 0 ? "rare" : "common" });
    await api.query`update nectar.journal_entries set created_at = ${created_at} where id = ${id}`;
    written.push({ id, entry_date, created_at, scopes });
  }
  return { written };
});

const lists = fc.record({
  sort: fc.constantFrom("entry_date", "-entry_date", "created_at", "-created_at"),
  scope: fc.constantFrom(...SCOPES),
  limit: fc.constantFrom(1, 2, 7, 100),
  date_from: fc.option(fc.constantFrom("2020-01-10", "2020-02-12", "2020-03-14", "2020-04-13", "2020-12-31")),
  date_to: fc.option(fc.constantFrom("2019-12-31", "2020-01-12", "2020-03-10", "2020-04-14")),
  from: fc.option(fc.constantFrom("2021-01-12", "2021-01-20", "2021-01-22")),
  to: fc.option(fc.constantFrom("2021-01-11", "2021-01-15", "2021-01-21")),
});

describe("GET /api/journal by date", () => {
  it(`lists what is visible in the range, in order and every entry once, in ${LISTS} random lists`, async () => {
    await fc.assert(
      fc.asyncProperty(lists, async ({ sort, scope, limit, ...range }) => {
        const given = Object.entries({ sort, scope, limit, ...range }).filter(([, value]) => value !== null);
        const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
        const key = ({ entry_date, created_at, id }: Written) =>
          sort.includes("entry_date") ? `${entry_date} ${created_at} ${id}` : `${created_at} ${id}`;
        const { date_from, date_to, from, to } = range;
        const expected = world.written
          .filter((entry) => entry.scopes.includes(scope))
          .filter(({ entry_date }) => entry_date >= (date_from ?? "") && entry_date <= (date_to ?? "9"))
          .filter(({ created_at }) => created_at >= (from ?? "") && created_at <= (to === null ? "9" : `${to}T99`))
          .toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
        const ids = expected.map(({ id }) => id);
        expect(await walk(query.toString()), query.toString()).toEqual(sort.startsWith("-") ? ids.reverse() : ids);
      }),
      { numRuns: LISTS },
    );
  });

  it("combines with the other filters", async () => {
    const own = new Map(world.written.filter(({ scopes }) => scopes.includes("own")).map((entry) => [entry.id, entry]));
    const found = await walk("q=rare&scope=own&date_from=2020-02-01&date_to=2020-03-31&sort=entry_date&limit=1");
    const dates = found.map((id) => own.get(id)?.entry_date ?? "");
    expect(dates.length).toBeGreaterThan(1);
    expect(dates).toEqual(dates.toSorted());
    expect(dates.filter((date) => date < "2020-02-01" || date > "2020-03-31")).toEqual([]);
  });

  it("lists the entries of a notebook", async () => {
    const { id: notebook_id } = (await api.post("/api/notebooks", ada, { name: "N" }).created()).notebook;
    const dates = ["2018-05-01", "2018-05-03", "2018-05-02", "2018-05-02"];
    for (const entry_date of dates) await write(api, ada, { entry_date, notebook_id });
    const datesOf = async (query: string) =>
      (await api.get(`/api/journal?notebook_id=${notebook_id}&${query}`, ada).ok()).entries.map((e) => e.entry_date);
    expect(await datesOf("sort=entry_date")).toEqual(dates.toSorted());
    expect(await datesOf("sort=-entry_date")).toEqual(dates.toSorted().reverse());
    expect(await datesOf("date_from=2018-05-02&date_to=2018-05-02")).toEqual(["2018-05-02", "2018-05-02"]);
  });

  it("shows a super admin everything, and logs it", async () => {
    const root = await api.person({ role: "super_admin" });
    const range = "date_to=2020-12-31&date_from=2020-01-01";
    const { entries } = await api.get(`/api/journal?sort=-entry_date&limit=500&${range}`, root).ok();
    // The contents of public entries are private here.
    const logged = await api.query`select from private.logged_reads where reader_id = ${root.id}`;
    expect([entries.length, logged.length]).toEqual([world.written.length, world.written.length]);
  });

  it.each(["entry_date", "created_at"])("refuses a cursor of another sort: %s", async (sort) => {
    const other = sort === "entry_date" ? "created_at" : "entry_date";
    const { next_cursor } = await api.get(`/api/journal?sort=-${sort}&limit=1`, ada).ok();
    await api.get(`/api/journal?sort=${sort}&limit=1&cursor=${next_cursor}`, ada).ok();
    await api.get(`/api/journal?sort=${other}&cursor=${next_cursor}`, ada).invalid("cursor");
    await api.get(`/api/journal?sort=-${other}&cursor=${next_cursor}`, ada).invalid("cursor");
  });

  it.each(["date_from", "date_to"])("refuses a %s that is no date", async (field) => {
    for (const date of ["2020-02-30", "2020-01-01T00:00:00Z", ""]) {
      await api.get(`/api/journal?${field}=${date}`, ada).invalid(field);
    }
  });
});

/** The ids of a list of Ada's over all of its pages. */
async function walk(query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const { entries, next_cursor } = await api.get(`/api/journal?${query}${after}`, ada).ok();
    ids.push(...entries.map(({ id }) => id));
    cursor = next_cursor;
  }
  return ids;
}
