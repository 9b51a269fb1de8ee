import { date, idOf, localMoment, moment, type Past } from "./past.ts";
import { insertRows, stableId, timeOfDay } from "./rows.ts";

const TIME = /^(in )?(\d+)d(?: (\d\d:\d\d)(Z)?)?$/;

/**
 * Inserts rows one by one, in the order of the file; a column that a row lacks gets its default. In their values `@maya` is a
 * person's id, `#goal demo Read` the id with that name, `3d` the date three days ago, and `3d 09:10` a time on it: in the time
 * zone of the first person in the row, or in UTC as `3d 09:10Z`. `in 29d` is that many days ahead.
 */
export async function writeTables(past: Past, tables: Readonly<Record<string, readonly object[]>>): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const text = JSON.stringify(row);
      const person = /"@(\w+)"/.exec(text)?.[1] ?? "";
      const resolved = JSON.parse(text, (_, value) => {
        if (typeof value !== "string") return value;
        if (value.startsWith("@")) return idOf(past, value.slice(1));
        if (value.startsWith("#")) return stableId(value.slice(1));
        const [isTime, isAhead, days, time, isUtc] = TIME.exec(value) ?? [];
        if (isTime === undefined) return value;
        const daysAgo = isAhead === undefined ? Number(days) : -Number(days);
        if (time === undefined) return date(past, daysAgo);
        const exact = timeOfDay(time, text);
        return isUtc === undefined ? localMoment(past, person, daysAgo, exact) : moment(past, daysAgo, exact);
      });
      await insertRows(past.client, table, [resolved], (one) => one);
    }
  }
}
