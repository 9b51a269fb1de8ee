import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#database/database";
import { one } from "#database/query";
import type { PageQuery } from "#http/response/paging";
import {
  createMessage,
  type Deletion,
  deleteMessage,
  messagePage,
  messagesOf,
  refusedDeletion,
} from "#messages/messages";
import type { TeamMessage } from "#messages/schema";

interface PlayerDay {
  readonly userId: string;
  readonly date: string;
}

/** A page of the messages of a player's squad of a date, newest first. @throws AppError 404 if they have none */
export async function listSquadMessages(tx: Tx, player: PlayerDay, query: PageQuery) {
  const messages = await readOfSquad(tx, player, messagesOf(sql`c.squad_id`, query));
  const page = messagePage(messages, query);
  return { teamMessages: page.rows, nextCursor: page.next_cursor };
}

/** Sends a message to the player's squad of a date. @throws AppError 404, 429 */
export async function sendSquadMessage(tx: Tx, player: PlayerDay, content: string): Promise<TeamMessage> {
  return createMessage(tx, { squadId: await findSquad(tx, player) }, content);
}

/** Deletes a message to a squad of a date as its sender or as an admin. @throws AppError 403, 404 */
export async function deleteSquadMessage(tx: Tx, date: string, messageId: string, deletion: Deletion): Promise<void> {
  if ((await deleteMessage(tx, messageId, { date }, deletion)) === "deleted") return;
  throw await refusedDeletion(tx, messageId, await findSquad(tx, { userId: deletion.actor.userId, date }));
}

async function findSquad(tx: Tx, player: PlayerDay): Promise<string> {
  return readOfSquad(tx, player, sql<string>`c.squad_id`);
}

/** Reads a value that belongs to the player's squad. @throws AppError 404 if they have none on that date */
async function readOfSquad<Value>(tx: Tx, { userId, date }: PlayerDay, value: RawBuilder<Value>): Promise<Value> {
  const row = await one<{ readonly value: Value }>(tx, "game.no_squad")`
    select ${value} as value from chains c
    where c.date = ${date} and c.user_id = ${userId} and c.squad_id is not null
  `;
  return row.value;
}
