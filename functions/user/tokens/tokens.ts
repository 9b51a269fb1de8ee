import { sql } from "kysely";
import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { digest } from "#http/access/secrets";
import { type PageQuery, readPage } from "#http/response/paging";
import type { NewToken, PersonalToken } from "./schema.ts";

const notFound = () => new AppError("token.not_found");

function selectTokens(tx: Tx) {
  const scopes = sql<PersonalToken["scopes"]>`to_json(scopes)`.as("scopes");
  return tx
    .selectFrom("personal_tokens")
    .select(["id", "name", scopes, "hint", "created_at", "expires_at", "last_used_at"]);
}

/** Creates a token of the caller. @throws AppError 409 if they have as many as they can have */
export async function createToken(tx: Tx, { name, scopes, expires_in_days }: NewToken, secret: string) {
  const [tokenHash, hint] = [digest(secret), secret.slice(-4)];
  const id = await call(tx, "create_token", { name, scopes, tokenHash, hint, days: expires_in_days });
  return selectTokens(tx).where("id", "=", id).executeTakeFirstOrThrow(notFound);
}

/** A page of the caller's tokens, newest first. */
export async function listTokens(tx: Tx, userId: string, query: PageQuery) {
  const page = await readPage(selectTokens(tx).where("user_id", "=", userId), query);
  return { tokens: page.rows, next_cursor: page.next_cursor };
}

/** Ends a token of the caller: no program writes with it after the response. @throws AppError 404, also once it has expired */
export async function deleteToken(tx: Tx, id: string): Promise<void> {
  if (!(await call(tx, "delete_token", { tokenId: id }))) throw notFound();
}
