import { sql } from "kysely";
import type { Tx } from "#database/database";
import { NotificationSettings, type NotificationSettingsUpdate } from "./schema.ts";

/** Reads the caller's notification settings, with the defaults for what they did not choose. */
export async function readSettings(tx: Tx, userId: string): Promise<NotificationSettings> {
  const settings = await tx
    .selectFrom("chosen_settings")
    .select(["push", "quiet_hours", "journal_reminder"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return NotificationSettings.parse(settings);
}

/** Updates the caller's notification settings. */
export async function updateSettings(tx: Tx, userId: string, change: NotificationSettingsUpdate) {
  const settings = {
    ...(change.quiet_hours !== undefined && {
      quiet_start: change.quiet_hours?.start ?? null,
      quiet_end: change.quiet_hours?.end ?? null,
    }),
    ...(change.journal_reminder !== undefined && {
      reminder_time: change.journal_reminder?.time ?? null,
      reminder_weekdays: change.journal_reminder?.weekdays ?? null,
      reminder_only_if_not_written: change.journal_reminder?.only_if_not_written ?? null,
    }),
  };
  await tx
    .insertInto("notification_settings")
    .values({ ...settings, push: JSON.stringify(change.push ?? {}) })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({
        ...settings,
        // Merged in the database: two devices that change different types at once must not undo each other.
        push: sql`notification_settings.push || excluded.push`,
      }),
    )
    .execute();
  return readSettings(tx, userId);
}
