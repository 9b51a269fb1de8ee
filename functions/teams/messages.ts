import { AppError } from "#core/errors";
import { called } from "#database/call";
import type { Tx } from "#database/database";
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
import { accessOf, readTeamAccess } from "./access.ts";

/** A page of a team's messages, newest first, for its members and super admins. @throws AppError 403, 404 */
export async function listTeamMessages(tx: Tx, teamId: string, query: PageQuery) {
  const { messages, ...found } = await tx
    .selectNoFrom([
      called("my_team_role", { teamId }).as("role"),
      called("is_super_admin").as("isSuperAdmin"),
      messagesOf(teamId, query).as("messages"),
    ])
    .executeTakeFirstOrThrow();
  const { role, isSuperAdmin } = accessOf(found);
  if (role === null && !isSuperAdmin) throw new AppError("team.not_a_member");
  const page = messagePage(messages, query);
  return { team_messages: page.rows, next_cursor: page.next_cursor };
}

/** Sends a message to a team as its member. @throws AppError 403, 404, 429 */
export async function sendTeamMessage(tx: Tx, teamId: string, content: string): Promise<TeamMessage> {
  await requireMember(tx, teamId);
  return createMessage(tx, { teamId }, content);
}

/** Deletes a message as its sender, as an admin of the team, or as an admin. @throws AppError 403, 404 */
export async function deleteTeamMessage(
  tx: Tx,
  { id, messageId }: { readonly id: string; readonly messageId: string },
  deletion: Deletion,
): Promise<void> {
  if ((await deleteMessage(tx, messageId, { teamId: id }, deletion)) === "deleted") return;
  await requireMember(tx, id);
  throw await refusedDeletion(tx, messageId, id);
}

async function requireMember(tx: Tx, teamId: string): Promise<void> {
  const { role } = await readTeamAccess(tx, teamId);
  if (role === null) throw new AppError("team.not_a_member");
}
