import pg from "pg";
import type { SeedTarget } from "../dev.ts";
import { atAnyMoment } from "./any-moment.ts";
import { writeAssistant } from "./assistant-sql.ts";
import { dateNotifications, writeEncouragement } from "./encouragement-sql.ts";
import { writeGame } from "./game-sql.ts";
import { writeGoals, writeWellness } from "./goals-sql.ts";
import { writeGroups } from "./groups-sql.ts";
import { writeJournal } from "./journal-sql.ts";
import { writeMails } from "./mails-sql.ts";
import { writeMoney } from "./money-sql.ts";
import { writePeople } from "./people-sql.ts";
import { organizationRows } from "./rows.ts";
import { signUpDemoAccounts } from "./sign-up.ts";
import { drawTonePackImages } from "./tone-pack-images.ts";
import { writeTonePacks } from "./tone-packs-sql.ts";
import { writeUsage } from "./usage-sql.ts";

/**
 * Writes the demo data: the accounts with a published password sign up at the local Supabase, everything else is written
 * in one transaction, and then the images of tone packs are drawn and stored. Calling it again changes nothing; after an interruption it completes what is missing.
 * @throws Error when an account cannot be made, the database's own error when a row is refused.
 */
export async function seedDemoData(target: SeedTarget): Promise<void> {
  await signUpDemoAccounts(target);
  const client = new pg.Client({ connectionString: target.adminUrl });
  await client.connect();
  try {
    await client.query("begin");
    if (!(await isWritten(client))) {
      await writePeople(client);
      await writeGroups(client);
      await writeJournal(client);
      await writeTonePacks(client);
      await writeMoney(client);
      await writeUsage(client);
      await writeGoals(client);
      await writeWellness(client);
      await atAnyMoment(client, () => writeEncouragement(client));
      await writeAssistant(client);
      await dateNotifications(client);
      await writeMails(client);
      await writeGame(client);
    }
    await client.query("commit");
    await drawTonePackImages(client, target);
  } finally {
    // Also ends the transaction of a failed attempt.
    await client.end();
  }
}

async function isWritten(client: pg.Client): Promise<boolean> {
  const ids = organizationRows().map(({ id }) => id);
  const { rowCount } = await client.query("select from nectar.organizations where id = any ($1::uuid[])", [ids]);
  return rowCount !== 0;
}
