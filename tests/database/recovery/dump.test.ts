import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dump, restore } from "#local/recovery/dump";
import { withConnection } from "#local/support/connection";
import { useDatabase } from "#tests/database";
import { beforeTests } from "#tests/prepare";
import { useActing } from "../support/acting.ts";
import { setStage } from "../support/stage.ts";

const source = useActing();
const target = useDatabase();
beforeTests(() => setStage(source.adminUrl, source.admin));

test("what is restored is the same to the last byte, and continues where it was", async () => {
  // All that a format of text may stumble over.
  const fullName = `Ada "the first", \\ {Lovelace} (ça\nva?)`;
  await source.person({ fullName });
  await source.query`update nectar.accounts set preferences = '{"a": null, "b": "\\"\\n"}' where drops_balance = 50`;
  const folder = mkdtempSync(join(tmpdir(), "nectar-dump-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [saved, again] = [join(folder, "saved"), join(folder, "again")];
  mkdirSync(saved);
  mkdirSync(again);

  const counts = await withConnection(source.adminUrl, (client) => dump(client, saved));
  expect(counts["nectar.profiles"]).toBeGreaterThan(3);
  await withConnection(target.adminUrl, async (client) => {
    await restore(client, saved);
    expect(await dump(client, again)).toEqual(counts);
  });
  const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").sort();
  for (const file of readdirSync(saved)) expect(linesOf(join(again, file)), file).toEqual(linesOf(join(saved, file)));

  const { id } = await target.person();
  expect(await target.query`select drops_balance from nectar.accounts where user_id = ${id}`).toEqual([
    { drops_balance: 50 },
  ]);
});
