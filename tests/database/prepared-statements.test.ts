import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, openDatabase } from "#database/database";
import { all, value } from "#database/query";
import { runAsService } from "#database/retry";
import { useDatabase } from "#tests/database";

const fileDatabase = useDatabase();
let database: Database;
beforeEach(async () => {
  await fileDatabase.query`create table nectar.samples as select 1 as id`;
  await fileDatabase.query`grant select on nectar.samples to nectar_service`;
  database = openDatabase({ url: fileDatabase.apiUrl, poolSize: 2, preparedStatements: true });
});
afterEach(async () => {
  await database.close();
  await fileDatabase.query`drop table nectar.samples`;
});

const readSamples = () => runAsService(database, (tx) => all(tx)`select * from samples where id = ${1}`);
const countPrepared = () =>
  database.asService(
    (tx) =>
      value<number>(tx)`select count(*) from pg_prepared_statements where statement like 'select * from samples%'`,
  );

it("a statement is prepared when it is sent for the second time", async () => {
  await readSamples();
  expect(await countPrepared()).toBe(0);
  await readSamples();
  expect(await countPrepared()).toBe(1);
  expect(await readSamples()).toEqual([{ id: 1 }]);
});

it("a statement is sent again if its session has lost it", async () => {
  for (let times = 0; times < 3; times += 1) await readSamples();
  await database.asService((tx) => sql`deallocate all`.execute(tx));
  expect(await readSamples()).toEqual([{ id: 1 }]);
});

it("a statement is sent again if a table has changed, over every connection that has prepared it", async () => {
  for (let times = 0; times < 3; times += 1) await Promise.all([readSamples(), readSamples()]);
  await fileDatabase.query`alter table nectar.samples add column note text`;
  for (let times = 0; times < 3; times += 1) {
    expect(await Promise.all([readSamples(), readSamples()])).toEqual(Array(2).fill([{ id: 1, note: null }]));
  }
});
