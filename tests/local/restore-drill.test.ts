import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/database";
import { beforeTests } from "#tests/prepare";
import { runProgram } from "./dev-process.ts";

const database = useDatabase({ moments: "now" });
const ada = beforeTests(() => database.person({ fullName: `Ada "the first", \\ {Lovelace} (ça\nva?)` }));

const drill = () =>
  runProgram("../../local/recovery/cli.ts", [], {
    DATABASE_ADMIN_URL: database.adminUrl,
    TMPDIR: process.env.TMPDIR ?? "/tmp",
  });

/** The major version of pg_dump in the PATH; 0 without one. */
function versionOfDump(): number {
  try {
    return Number(/\d+/.exec(execFileSync("pg_dump", ["--version"], { encoding: "utf8" }))?.[0]);
  } catch {
    return 0;
  }
}

test("npm run restore:drill restores a database into a new cluster, and says what is wrong with it", async (context) => {
  context.skip(versionOfDump() < 17, "pg_dump 17 or newer is not installed (Debian: postgresql-client)");
  expect(await drill()).toEqual({ code: 0, output: expect.stringContaining("The restored database is complete.") });
  await database.query`update nectar.accounts set drops_balance = 49 where user_id = ${ada.id}`;
  await database.query`create index by_hand on nectar.profiles (avatar_url)`;
  await database.query`drop policy "a person sees their own account" on nectar.accounts`;
  await database.query`grant select on nectar.user_roles to public`;
  const { code, output } = await drill();
  expect(code).toBe(1);
  expect(output.split("\n").slice(-5)).toEqual([
    "ACL nectar.TABLE user_roles is not as the migrations make it.",
    "The database has INDEX nectar.by_hand, which the migrations do not make.",
    "The database lacks POLICY nectar.accounts a person sees their own account.",
    `The balance of account ${ada.id} is not the sum of its movements.`,
    "",
  ]);
});
