import type * as z from "zod";
import { AppError, type ErrorCode } from "#core/errors";
import { MAX_COMMENTERS_NOTIFIED } from "#core/limits";
import { called } from "#database/call";
import type { Tx } from "#database/database";
import type { SentMessage } from "#database/types.generated";
import { userOrProgram } from "#http/access/guards";
import { type Endpoint, endpoint } from "#http/endpoint/endpoint";
import { wakePushes } from "#http/jobs/wake";
import { MessageResponse } from "#http/response/message";
import { byCreation, PageQuery, pageOf } from "#http/response/paging";
import type { Services } from "#http/services/services";
import { type Deletion, deleteMessage, messagesOf, sendMessage } from "./messages.ts";
import { type Comment, CommentId, CommentResponse, CommentsResponse, NewComment } from "./schema.ts";

/** What people comment on. */
interface Commented {
  readonly path: "/api/journal/:id" | "/api/goals/:id";
  readonly noun: "an entry" | "a goal";
  /** Its word in the ids of operations. */
  readonly name: "Journal" | "Goal";
  readonly idParam: z.ZodType<string>;
  /** The scope of programs, without what they may do. */
  readonly scope: "journal" | "goals";
  readonly room: "entryId" | "goalId";
  /** The function that says whether the caller sees its metadata. */
  readonly canSee: "can_see_entry" | "can_see_goal";
  readonly unseen: Extract<ErrorCode, "journal.not_found" | "goal.not_found">;
}

/** The endpoints of comments on entries or goals. */
export function commentEndpoints(services: Services, commented: Commented): readonly Endpoint[] {
  const { path, noun, name, scope, idParam, room, unseen } = commented;
  return [
    endpoint(
      `GET ${path}/comments`,
      {
        id: `list${name}Comments`,
        summary: `List the comments on ${noun}`,
        description:
          "Newest first, for everyone who may see the content. Comments of people with a block between you are left out.",
        guard: userOrProgram(`${scope}:read`),
        access: "read once, logged",
        replica: "shared",
        params: { id: idParam },
        query: PageQuery,
        response: CommentsResponse,
        errors: [unseen, "comment.hidden"],
      },
      ({ tx, params, query }) => listComments(tx, commented, params.id, query),
    ),
    endpoint(
      `POST ${path}/comments`,
      {
        id: `create${name}Comment`,
        summary: `Comment on ${noun}`,
        description: `For the author, the members of the team or organization that the content is shared with and, if it is public, the members of the author's organizations. The author is notified, and so are the last ${MAX_COMMENTERS_NOTIFIED} others who commented.`,
        guard: userOrProgram(`${scope}:write`),
        params: { id: idParam },
        body: NewComment,
        status: 201,
        response: CommentResponse,
        quota: "team_message",
        errors: [unseen, "comment.hidden", "comment.not_allowed", "comment.closed"],
      },
      async ({ tx, params, body, afterCommit }) => {
        const comment = toComment(await sendMessage(tx, { [room]: params.id }, body.content));
        afterCommit(() => wakePushes(services));
        return { comment };
      },
    ),
    endpoint(
      `DELETE ${path}/comments/:commentId`,
      {
        id: `delete${name}Comment`,
        summary: `Delete a comment on ${noun} (its author, the author of what it is about, or an admin)`,
        guard: userOrProgram(`${scope}:write`),
        params: { id: idParam, commentId: CommentId },
        response: MessageResponse,
        errors: [unseen, "comment.not_found", "comment.not_yours"],
      },
      async ({ tx, actor, params, requestId }) => {
        const deletion = { actor, action: `delete${name}Comment`, requestId } as const;
        await deleteComment(tx, commented, params, deletion);
        return { message: "The comment was deleted." };
      },
    ),
  ];
}

/** A page of the comments on a thing, newest first. @throws AppError 404, 403 if the caller sees only its metadata */
async function listComments(tx: Tx, { room, canSee, unseen }: Commented, id: string, query: PageQuery) {
  const { messages, seesContent, seesMetadata } = await tx
    .selectNoFrom([
      messagesOf(id, query).as("messages"),
      called("can_see_content", { entryId: null, goalId: null, [room]: id }).as("seesContent"),
      called(canSee, { id }).as("seesMetadata"),
    ])
    .executeTakeFirstOrThrow();
  if (!seesContent) throw new AppError(seesMetadata ? "comment.hidden" : unseen);
  const page = pageOf(messages, query.limit, byCreation);
  return { comments: page.rows.map(toComment), next_cursor: page.next_cursor };
}

/** Deletes a comment. @throws AppError 404, 403 if the caller may not delete it */
async function deleteComment(
  tx: Tx,
  { room, canSee, unseen }: Commented,
  { id, commentId }: { readonly id: string; readonly commentId: string },
  deletion: Deletion,
): Promise<void> {
  const result = await deleteMessage(tx, commentId, { [room]: id }, deletion);
  if (result === "deleted") return;
  const { sees } = await tx.selectNoFrom(called(canSee, { id }).as("sees")).executeTakeFirstOrThrow();
  if (!sees) throw new AppError(unseen);
  throw new AppError(result === "unknown" ? "comment.not_found" : "comment.not_yours");
}

function toComment({ id, entry_id, goal_id, sender, content, created_at }: SentMessage): Comment {
  return { id, entry_id, goal_id, author: sender, content, created_at };
}
