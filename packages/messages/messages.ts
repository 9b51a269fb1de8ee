import type { RawBuilder } from "kysely";
import { AppError } from "#core/errors";
import { call, called } from "#database/call";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { recordChange } from "#http/access/audit";
import { byCreation, type Page, type PageQuery, pageOf } from "#http/response/paging";
import type { Actor } from "#http/services/tokens";
import type { TeamMessage } from "./schema.ts";

/** A team or a squad. */
export type Room = { readonly team_id: string } | { readonly squad_id: string };

/** Who deletes a message, by which operation of the reference. */
export interface Deletion {
  readonly actor: Actor;
  readonly action: "deleteTeamMessage" | "deleteSquadMessage";
  readonly requestId: string;
}

/**
 * The rows of a page of messages as an SQL value, for `messagePage`. It is empty for callers who are not in the room.
 * @param roomId the id of a team or squad, or a column that contains it
 */
export function messagesOf(
  roomId: string | RawBuilder<string>,
  { limit, cursor = FIRST_PAGE }: PageQuery,
): RawBuilder<TeamMessage[]> {
  return called("list_messages", { roomId, after: cursor.at, afterId: cursor.id, max: limit + 1 });
}

/** Cuts a page from the rows of `messagesOf`. */
export function messagePage(rows: readonly TeamMessage[], { limit }: PageQuery): Page<TeamMessage> {
  return pageOf(rows, limit, byCreation);
}

/** Sends a message of the caller to a room that they are in. */
export async function createMessage(tx: Tx, room: Room, content: string): Promise<TeamMessage> {
  const [teamId, squadId] = "team_id" in room ? [room.team_id, null] : [null, room.squad_id];
  return call(tx, "send_message", { teamId, squadId, content });
}

/**
 * Deletes a message for its sender, an admin of the team, or an admin. What an admin deletes of others is recorded in the
 * audit log.
 * @param room the team of the message, or the date of its squad
 * @returns whether there was a message that the caller may delete
 */
export async function deleteMessage(
  tx: Tx,
  messageId: string,
  room: { readonly team_id: string } | { readonly date: string },
  { actor, action, requestId }: Deletion,
): Promise<boolean> {
  const [team, date] = "date" in room ? [null, room.date] : [room.team_id, null];
  const { sender, is_admin } = await tx
    .selectNoFrom([
      called("delete_message", { messageId, teamId: team, date }).as("sender"),
      called("is_admin").as("is_admin"),
    ])
    .executeTakeFirstOrThrow();
  if (is_admin && sender !== null && sender !== actor.userId) {
    await recordChange(tx, { action, target: "message", targetId: messageId, requestId });
  }
  return sender !== null;
}

/** Why the caller may not delete a message of a room that they are in: 403 if they can read it, else 404. */
export async function refusedDeletion(tx: Tx, messageId: string, roomId: string): Promise<AppError> {
  const message = await tx
    .selectFrom("team_messages")
    .select("id")
    .where("id", "=", messageId)
    .where("room_id", "=", roomId)
    .executeTakeFirst();
  return new AppError(message === undefined ? "message.not_found" : "message.not_yours");
}
