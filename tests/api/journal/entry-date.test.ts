import { describe, expect, it } from "vitest";
import { addDays, dateIn } from "#core/time/calendar-date";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const ada = beforeTests(() => api.person());

/** Zones that are never on the same date. */
const FIRST_ZONE = "Pacific/Kiritimati";
const LAST_ZONE = "Pacific/Pago_Pago";

/** A person in a time zone, and the date that did not change there while `act` ran. */
async function onOneDate<Result>(
  zone: string,
  act: (person: Person, today: string) => Promise<Result>,
): Promise<Result> {
  const person = await api.person();
  await place(person, zone);
  for (;;) {
    const today = dateIn(zone, new Date());
    const result = await act(person, today);
    if (dateIn(zone, new Date()) === today) return result;
  }
}

const create = (person: Person, fields: object) =>
  api.post("/api/journal", person, { title: "t", content: "c", ...fields });
const place = (person: Person, timezone: string) => api.put("/api/user/profile", person, { timezone }).ok();
const makeNotebook = async (fields: object = {}) =>
  (await api.post("/api/notebooks", ada, { name: "n", ...fields }).created()).notebook;
describe("the date of an entry", () => {
  it.each([FIRST_ZONE, LAST_ZONE])("is today in the time zone of the author without one: %s", async (zone) => {
    const [entry, today] = await onOneDate(zone, async (person, date) => [await write(api, person), date]);
    expect(entry.entry_date).toBe(today);
  });

  it.each([FIRST_ZONE, LAST_ZONE])("may be any day from 1900 to tomorrow there: %s", async (zone) => {
    const statuses = await onOneDate(zone, async (person, today) => {
      const dates = ["1899-12-31", "1900-01-01", today, addDays(today, 1), addDays(today, 2)];
      return Promise.all(dates.map(async (date) => (await create(person, { entry_date: date })).status));
    });
    expect(statuses).toEqual([400, 201, 201, 201, 400]);
  });

  it("is named by the error if it is out of range, and refused if it is no calendar date", async () => {
    const { issues } = await create(ada, { entry_date: "1899-12-31" }).refused(400, "journal.date_out_of_range");
    expect(issues).toEqual([{ path: "entry_date", message: "must be between 1900-01-01 and tomorrow" }]);
    for (const entry_date of ["2026-02-30", "yesterday", "2026-1-1", 7, null]) {
      await create(ada, { entry_date }).invalid("entry_date");
    }
  });

  it("can be changed within the same range, and created_at cannot", async () => {
    const entry = await write(api, ada);
    const path = `/api/journal/${entry.id}` as const;
    const changed = await api.put(path, ada, { entry_date: "2001-02-03", created_at: "2001-02-03T00:00:00.000Z" }).ok();
    expect(changed.entry).toMatchObject({ entry_date: "2001-02-03", created_at: entry.created_at });
    await api.put(path, ada, { entry_date: "1899-12-31" }).refused(400, "journal.date_out_of_range");
    expect((await api.get(path, ada).ok()).entry.entry_date).toBe("2001-02-03");
  });

  it("stays what it was when the author moves to another time zone", async () => {
    const { before, after } = await onOneDate(FIRST_ZONE, async (person, today) => {
      const { id, entry_date } = await write(api, person, { entry_date: addDays(today, 1) });
      await place(person, LAST_ZONE);
      const { entry } = await api.put(`/api/journal/${id}`, person, { title: "moved", entry_date }).ok();
      await place(person, FIRST_ZONE);
      return { before: entry_date, after: entry.entry_date };
    });
    expect(after).toBe(before);
  });

  it("keeps an entry in the trash that would be after tomorrow where its author is now", async () => {
    const { id, person } = await onOneDate(FIRST_ZONE, async (author, today) => ({
      person: author,
      ...(await write(api, author, { entry_date: addDays(today, 1) })),
    }));
    await api.delete(`/api/journal/${id}`, person).ok();
    await place(person, LAST_ZONE);
    await api.post(`/api/journal/${id}/restore`, person).refused(400, "journal.date_out_of_range");
    expect((await api.get("/api/journal/trash", person).ok()).entries).toHaveLength(1);
  });
});

describe("ai_excluded", () => {
  it("is what the notebook says for new entries, unless the request says otherwise", async () => {
    const { id: notebook_id, ai_excluded_default } = await makeNotebook({ ai_excluded_default: true });
    expect(ai_excluded_default).toBe(true);
    for (const [fields, excluded] of [
      [{ notebook_id }, true],
      [{ notebook_id, ai_excluded: false }, false],
      [{ ai_excluded: true }, true],
      [{}, false],
    ] as const) {
      expect((await write(api, ada, fields)).ai_excluded).toBe(excluded);
    }
  });

  it("of an entry changes with neither the default of its notebook nor its notebook, but as its author says", async () => {
    const { id: notebook_id } = await makeNotebook();
    const [inside, outside] = [await write(api, ada, { notebook_id }), await write(api, ada)];
    const { notebook } = await api.put(`/api/notebooks/${notebook_id}`, ada, { ai_excluded_default: true }).ok();
    expect(notebook.ai_excluded_default).toBe(true);
    const change = async (fields: object) => (await api.put(`/api/journal/${outside.id}`, ada, fields).ok()).entry;
    expect((await change({ notebook_id })).ai_excluded).toBe(false);
    expect((await api.get(`/api/journal/${inside.id}`, ada).ok()).entry.ai_excluded).toBe(false);
    for (const ai_excluded of [true, false]) expect(await change({ ai_excluded })).toMatchObject({ ai_excluded });
  });
});
