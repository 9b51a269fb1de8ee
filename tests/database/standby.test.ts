import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, openDatabase, type Purpose } from "#database/database";
import { value } from "#database/query";
import { useDatabase } from "#tests/database";
import { beforeTests } from "#tests/prepare";

const fileDatabase = useDatabase();
const ada = beforeTests(() => fileDatabase.person());
let database: Database;
beforeEach(async () => {
  database = openDatabase({ url: fileDatabase.apiUrl, poolSize: 1 });
  await setReadOnly("on");
});
afterEach(() => database.close());

/** Whether connections that are opened from now on only read, as those to a standby do. */
const setReadOnly = (mode: "on" | "off") =>
  fileDatabase.query(`
    do $$
    begin
      execute format('alter role nectar_api in database %I set default_transaction_read_only = ${mode}', current_database());
    end
    $$`);

const backend = (purpose: Purpose) =>
  database.asUser(ada.id, (tx) => value<number>(tx)`select pg_backend_pid()`, purpose);
const rename = sql`update goals set title = 'Mine'`;
const forget = sql`delete from private.job_runs where false`;

it.each([
  ["a person's", () => backend("write")],
  ["the service's", () => database.asService((tx) => forget.execute(tx))],
])(
  "%s transaction that writes is refused by a server that only reads, and the next one has a new connection",
  async (_, write) => {
    const connection = await backend("read");
    await expect(write()).rejects.toMatchObject({ code: "service.database_unavailable", retryAfterSeconds: 5 });
    await setReadOnly("off");
    await write();
    expect(await backend("write")).not.toBe(connection);
  },
);

it("what reads goes on there, and a write in it stays an error of ours", async () => {
  const connection = await backend("read once");
  for (const purpose of ["read once", "read"] as const) {
    await expect(database.asUser(ada.id, (tx) => rename.execute(tx), purpose)).rejects.toMatchObject({ code: "25006" });
  }
  expect(await backend("read")).toBe(connection);
});
