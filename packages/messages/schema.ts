import * as z from "zod";
import { LENGTHS } from "#core/lengths.generated";
import { Card } from "#core/people/card";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { NextCursor } from "#http/response/paging";

export const TeamMessage = z
  .object({
    id: z.guid(),
    team_id: z.guid().nullable().meta({ description: "null for a message to a squad." }),
    squad_id: z.guid().nullable().meta({ description: "null for a message to a team." }),
    sender: Card,
    content: z.string(),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "TeamMessage" });
export type TeamMessage = z.infer<typeof TeamMessage>;

export const NewTeamMessage = z.object({ content: text(LENGTHS.team_messages.content) }).meta({ id: "NewTeamMessage" });

export const Comment = z
  .object({
    id: z.guid(),
    entry_id: z.guid().nullable().meta({ description: "null for a comment on a goal." }),
    goal_id: z.guid().nullable().meta({ description: "null for a comment on an entry." }),
    author: Card,
    content: z.string(),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Comment" });
export type Comment = z.infer<typeof Comment>;

export const NewComment = z.object({ content: text(LENGTHS.team_messages.content) }).meta({ id: "NewComment" });

export const CommentResponse = z.object({ comment: Comment });
export const CommentsResponse = z.object({ comments: z.array(Comment), next_cursor: NextCursor });

/** The path parameter of a comment. */
export const CommentId = Uuid.meta({ description: "The id of the comment." });

/** The path parameter of a message. */
export const MessageId = Uuid.meta({ description: "The id of the message." });
