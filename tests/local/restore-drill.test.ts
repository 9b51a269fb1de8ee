import { expect, test } from "vitest";
import { useDatabase } from "#tests/database";
import { beforeTests } from "#tests/prepare";
import { runProgram } from "./dev-process.ts";

const database = useDatabase({ moments: "now" });
const ada = beforeTests(() => database.person());

const drill = () =>
  runProgram("../../local/recovery/cli.ts", [], {
    DATABASE_ADMIN_URL: database.adminUrl,
    TMPDIR: process.env.TMPDIR ?? "/tmp",
  });

test("npm run restore:drill restores a database into a new cluster, and says what is wrong with it", async () => {
  expect(await drill()).toEqual({ code: 0, output: expect.stringContaining("The restored database is complete.") });
  await database.query`update nectar.accounts set drops_balance = 49 where user_id = ${ada.id}`;
  expect(await drill()).toEqual({
    code: 1,
    output: expect.stringContaining(`The balance of account ${ada.id} is not the sum of its movements.`),
  });
});
