import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { AssistantSettings, type AssistantSettingsUpdate } from "./schema.ts";

const COLUMNS = AssistantSettings.keyof().options;

const unknownAccount = () => new AppError("auth.unknown_account");

/** Reads what the assistant may do for the caller. @throws AppError 401 if the account was deleted */
export async function readSettings(tx: Tx, userId: string): Promise<AssistantSettings> {
  return tx
    .selectFrom("accounts")
    .select(COLUMNS)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow(unknownAccount);
}

/** Updates what the assistant may do for the caller. @throws AppError 401 if the account was deleted */
export async function updateSettings(
  tx: Tx,
  userId: string,
  change: AssistantSettingsUpdate,
): Promise<AssistantSettings> {
  return tx
    .updateTable("accounts")
    .set(change)
    .where("user_id", "=", userId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow(unknownAccount);
}
