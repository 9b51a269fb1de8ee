import type { RawBuilder } from "kysely";
import type { AppError } from "#core/errors";
import { call, called } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { isOwn, notYours } from "#database/not-yours";
import type { SentMessage } from "#database/types.generated";
import { recordChange } from "#http/access/audit";
import { byCreation, type Page, type PageQuery, pageOf } from "#http/response/paging";
import type { Actor } from "#http/services/tokens";
import type { TeamMessage } from "./schema.ts";

/** The id of a team, a squad, an entry or a goal. */
export type Room = { readonly [Name in "teamId" | "squadId" | "entryId" | "goalId"]?: string };

/** Who deletes a message, by which operation of the reference. */
export interface Deletion {
  readonly actor: Actor;
  readonly action: "deleteTeamMessage" | "deleteSquadMessage" | "deleteJournalComment" | "deleteGoalComment";
  readonly requestId: string;
}

/**
 * The rows of a page of messages as an SQL value, for `messagePage`. It is empty for callers who may not read the room.
 * @param roomId the id of a room, or a column that contains it
 */
export function messagesOf(
  roomId: string | RawBuilder<string>,
  { limit, cursor = FIRST_PAGE }: PageQuery,
): RawBuilder<SentMessage[]> {
  return called("list_messages", { roomId, after: cursor.at, afterId: cursor.id, max: limit + 1 });
}

/** Cuts a page from the rows of `messagesOf`. */
export function messagePage(rows: readonly SentMessage[], { limit }: PageQuery): Page<TeamMessage> {
  const page = pageOf(rows, limit, byCreation);
  return { ...page, rows: page.rows.map(toTeamMessage) };
}

/** Sends a message of the caller to a team or a squad that they are in. */
export async function createMessage(tx: Tx, room: Room, content: string): Promise<TeamMessage> {
  return toTeamMessage(await sendMessage(tx, room, content));
}

/** Sends a message of the caller to a room in which they may write. */
export function sendMessage(tx: Tx, room: Room, content: string): Promise<SentMessage> {
  return call(tx, "send_message", { teamId: null, squadId: null, entryId: null, goalId: null, ...room, content });
}

function toTeamMessage({ entry_id: _entry, goal_id: _goal, ...message }: SentMessage): TeamMessage {
  return message;
}

/**
 * Deletes a message for its sender, an admin of the team, the author of the entry or goal, or an admin. What an admin
 * deletes of others is recorded in the audit log.
 * @param room the room of the message, or the date of its squad
 * @returns whether it was deleted; "unknown" if there is none
 */
export async function deleteMessage(
  tx: Tx,
  messageId: string,
  room: Omit<Room, "squadId"> | { readonly date: string },
  { actor, action, requestId }: Deletion,
): Promise<"deleted" | "refused" | "unknown"> {
  const { sender_id, is_deleted, is_admin } = await tx
    .selectFrom(
      called("delete_message", { messageId, teamId: null, entryId: null, goalId: null, date: null, ...room }).as("d"),
    )
    .select(["d.sender_id", "d.is_deleted", called("is_admin").as("is_admin")])
    .executeTakeFirstOrThrow();
  if (!is_deleted) return sender_id === null ? "unknown" : "refused";
  if (is_admin && sender_id !== actor.userId) {
    await recordChange(tx, { action, target: "message", targetId: messageId, requestId });
  }
  return "deleted";
}

/** Why the caller may not delete a message of a room that they are in: 403 if they can read it, else 404. */
export async function refusedDeletion(tx: Tx, messageId: string, roomId: string): Promise<AppError> {
  const message = await tx
    .selectFrom("team_messages")
    .select(isOwn("sender_id"))
    .where("id", "=", messageId)
    .where("room_id", "=", roomId)
    .executeTakeFirst();
  return notYours(message, { unseen: "message.not_found", foreign: "message.not_yours" });
}
