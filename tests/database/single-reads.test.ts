import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "#database/database";
import { one } from "#database/query";
import { useDatabase } from "#tests/database";
import { beforeTests } from "#tests/prepare";

const database = useDatabase();
const ada = beforeTests(() => database.person());
const ben = beforeTests(() => database.person());

describe.each([{ preparedStatements: false }, { preparedStatements: true }])("a single read, %o", (options) => {
  let overOneConnection: Database;
  beforeAll(() => {
    overOneConnection = openDatabase({ url: database.apiUrl, poolSize: 1, ...options });
  });
  afterAll(() => overOneConnection.close());

  const identityOf = (userId: string) =>
    overOneConnection.asUser(
      userId,
      (tx) => one(tx)`
        select current_user::text as role, private.actor_id() as id, current_setting('transaction_read_only') as read_only`,
      "read once",
    );
  const asAda = (statement: string) =>
    overOneConnection.asUser(ada.id, (tx) => sql.raw(statement).execute(tx), "read once");

  it("runs as the user, who may only read, each time", async () => {
    for (const { id } of [ada, ben, ada]) {
      expect(await identityOf(id)).toEqual({ role: "nectar_user", id, read_only: "on" });
    }
  });

  it("leaves nothing behind on its connection", async () => {
    await identityOf(ada.id);
    expect(
      await overOneConnection.asService(
        (tx) => one(tx)`
          select current_user::text as role, private.actor_id() as id, current_setting('transaction_read_only') as read_only`,
      ),
    ).toEqual({ role: "nectar_service", id: null, read_only: "off" });
  });

  it("fails without an account, and runs nothing", async () => {
    await expect(identityOf(randomUUID())).rejects.toMatchObject({ code: "auth.unknown_account" });
    expect(await identityOf(ben.id)).toMatchObject({ id: ben.id });
  });

  it("fails with its statement, and the connection goes on", async () => {
    await expect(asAda("select 1 / 0")).rejects.toThrow("division by zero");
    await expect(asAda("update goals set title = 'Mine'")).rejects.toThrow("read-only transaction");
    expect(await identityOf(ben.id)).toMatchObject({ id: ben.id });
  });

  it("has one statement, neither more nor fewer", async () => {
    const twice = overOneConnection.asUser(
      ada.id,
      async (tx) => [await one(tx)`select 1`, await one(tx)`select 2`],
      "read once",
    );
    await expect(twice).rejects.toThrow("A single read has run its only statement.");
    await expect(overOneConnection.asUser(ada.id, async () => 1, "read once")).rejects.toThrow(
      "A single read has run no statement.",
    );
  });
});

it("the login role of the functions may call nothing of ours but the opening of a transaction and the look-up of a token", async () => {
  const callable = await database.query<{ name: string }>`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace in ('private'::regnamespace, 'nectar'::regnamespace)
      and has_function_privilege('nectar_api', p.oid, 'execute')`;
  expect(callable).toEqual([
    { name: "private.begin_as_user(uuid,boolean,boolean,boolean,uuid,boolean)" },
    { name: "private.begin_on_replica(uuid,text,pg_lsn)" },
    { name: "private.use_token(bytea)" },
  ]);
});
