import type pg from "pg";
import { withConnection } from "../support/connection.ts";
import { atAnyMoment } from "./any-moment.ts";
import { writeAssistant } from "./assistant.ts";
import { groups, scenes } from "./data.ts";
import { writeDiary } from "./diary.ts";
import { dateNotifications, writeEncouragement } from "./encouragement.ts";
import { writeGame } from "./game.ts";
import { writeGoals } from "./goals.ts";
import { writeGroups } from "./groups.ts";
import { writeJournal } from "./journal.ts";
import { writeMails } from "./mails.ts";
import { writeComments, writeTeamMessages } from "./messages.ts";
import { writeAuditLog, writeMoney } from "./money.ts";
import { readPast } from "./past.ts";
import { signUpDemoAccounts, writePeople } from "./people.ts";
import { stableId } from "./rows.ts";
import { writeTables } from "./tables.ts";
import type { SeedTarget } from "./target.ts";
import { drawTonePackImages, writeTonePacks } from "./tone-packs.ts";
import { writeUsage } from "./usage.ts";

/**
 * Writes the demo data: the accounts with a published password sign up at the local Supabase, everything else is written
 * in one transaction, and then the images of tone packs are drawn and stored. Calling it again changes nothing; after an
 * interruption it completes what is missing.
 * @throws Error when an account cannot be created, the database's own error when a row is refused.
 */
export async function seedDemoData(target: SeedTarget): Promise<void> {
  await signUpDemoAccounts(target);
  await withConnection(target.adminUrl, async (client) => {
    await client.query("begin");
    if (!(await isWritten(client))) await write(client);
    await client.query("commit");
    await drawTonePackImages(client, target);
  });
}

async function write(client: pg.Client): Promise<void> {
  await writePeople(client);
  const past = await readPast(client);
  await writeGroups(past);
  await writeTeamMessages(past);
  await writeJournal(past);
  await writeDiary(past);
  await writeTonePacks(past);
  await writeMoney(past);
  await writeUsage(past);
  await writeGoals(past);
  await writeComments(past);
  await atAnyMoment(client, () => writeEncouragement(past));
  await writeAssistant(past);
  await dateNotifications(client);
  await writeTables(past, scenes);
  await writeAuditLog(past);
  await writeMails(past);
  await writeGame(past);
}

async function isWritten(client: pg.Client): Promise<boolean> {
  const ids = groups["nectar.organizations"].map(({ id }) => stableId(id.slice(1)));
  const { rowCount } = await client.query("select from nectar.organizations where id = any ($1::uuid[])", [ids]);
  return rowCount !== 0;
}
