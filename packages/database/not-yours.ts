import { type AliasedRawBuilder, sql } from "kysely";
import { AppError, type ErrorCode } from "#core/errors";

/** Whether a row is the caller's. @param column the owner of the row */
export function isOwn(column: string): AliasedRawBuilder<boolean, "isOwn"> {
  return sql<boolean>`${sql.ref(column)} = private.actor_id()`.as("isOwn");
}

/**
 * The error of a command that found no row of the caller to change. A row of their own may be restored, moved or created
 * after the command looked for it: it was not there.
 * @param seen the row as the caller sees it now; undefined if they do not
 */
export function notYours(
  seen: { readonly isOwn: boolean } | undefined,
  { unseen, foreign }: { readonly unseen: ErrorCode; readonly foreign: ErrorCode },
): AppError {
  return new AppError(seen === undefined || seen.isOwn ? unseen : foreign);
}
