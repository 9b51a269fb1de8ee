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
  await api.put("/api/user/profile", person, { timezone: zone }).ok();
  for (;;) {
    const today = dateIn(zone, new Date());
    const result = await act(person, today);
    if (dateIn(zone, new Date()) === today) return result;
  }
}

const create = (person: Person, fields: object) =>
  api.post("/api/journal", person, { title: "t", content: "c", ...fields });

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

  it("is named by the error if it is out of range", async () => {
    const body = await create(ada, { entry_date: "1899-12-31" }).refused(400, "journal.date_out_of_range");
    expect(body.issues).toEqual([{ path: "entry_date", message: "must be between 1900-01-01 and tomorrow" }]);
  });

  it.each(["2026-02-30", "yesterday", "2026-1-1", 7, null])(
    "is refused if it is no calendar date: %s",
    async (date) => {
      const body = await create(ada, { entry_date: date }).refused(400, "request.invalid");
      expect(body.issues).toMatchObject([{ path: "entry_date" }]);
    },
  );

  it("can be changed within the same range, and created_at cannot", async () => {
    const entry = await write(api, ada);
    const path = `/api/journal/${entry.id}` as const;
    const changed = await api.put(path, ada, { entry_date: "2001-02-03", created_at: "2001-02-03T00:00:00.000Z" }).ok();
    expect(changed.entry).toMatchObject({ entry_date: "2001-02-03", created_at: entry.created_at });
    await api.put(path, ada, { entry_date: "1899-12-31" }).refused(400, "journal.date_out_of_range");
    expect((await api.get(path, ada).ok()).entry.entry_date).toBe("2001-02-03");
  });

  it("stays what it was when the author moves to another time zone", async () => {
    const entry = await onOneDate(FIRST_ZONE, async (person, today) => {
      const written = await write(api, person, { entry_date: addDays(today, 1) });
      await api.put("/api/user/profile", person, { timezone: LAST_ZONE }).ok();
      const path = `/api/journal/${written.id}` as const;
      const saved = await api.put(path, person, { title: "moved", entry_date: written.entry_date }).ok();
      await api.put("/api/user/profile", person, { timezone: FIRST_ZONE }).ok();
      return { before: written.entry_date, after: saved.entry.entry_date };
    });
    expect(entry.after).toBe(entry.before);
  });
});

describe("an entry in the trash", () => {
  it("whose day is after tomorrow where its author is now is not restored", async () => {
    const { id, person } = await onOneDate(FIRST_ZONE, async (author, today) => ({
      person: author,
      ...(await write(api, author, { entry_date: addDays(today, 1) })),
    }));
    await api.delete(`/api/journal/${id}`, person).ok();
    await api.put("/api/user/profile", person, { timezone: LAST_ZONE }).ok();
    await api.post(`/api/journal/${id}/restore`, person).refused(400, "journal.date_out_of_range");
    expect((await api.get("/api/journal/trash", person).ok()).entries).toHaveLength(1);
  });
});

describe("ai_excluded", () => {
  it("is what the notebook says for new entries, unless the request says otherwise", async () => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "n", ai_excluded_default: true }).created();
    expect(notebook.ai_excluded_default).toBe(true);
    const inNotebook = { notebook_id: notebook.id };
    expect(await write(api, ada, inNotebook)).toMatchObject({ ai_excluded: true });
    expect(await write(api, ada, { ...inNotebook, ai_excluded: false })).toMatchObject({ ai_excluded: false });
    expect(await write(api, ada, { ai_excluded: true })).toMatchObject({ ai_excluded: true });
    expect(await write(api, ada)).toMatchObject({ ai_excluded: false });
  });

  it("of an entry stays as it is when the notebook changes its default, or the entry its notebook", async () => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "n" }).created();
    const inside = await write(api, ada, { notebook_id: notebook.id });
    const outside = await write(api, ada);
    const changed = await api.put(`/api/notebooks/${notebook.id}`, ada, { ai_excluded_default: true }).ok();
    expect(changed.notebook.ai_excluded_default).toBe(true);
    const moved = await api.put(`/api/journal/${outside.id}`, ada, { notebook_id: notebook.id }).ok();
    expect(moved.entry.ai_excluded).toBe(false);
    expect((await api.get(`/api/journal/${inside.id}`, ada).ok()).entry.ai_excluded).toBe(false);
  });

  it("can be switched on and off", async () => {
    const { id } = await write(api, ada);
    for (const excluded of [true, false]) {
      const { entry } = await api.put(`/api/journal/${id}`, ada, { ai_excluded: excluded }).ok();
      expect(entry.ai_excluded).toBe(excluded);
    }
  });
});
