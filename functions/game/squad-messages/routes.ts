import { KEPT_DAYS } from "#core/retention";
import { userOrProgram } from "#http/access/guards";
import { type Endpoint, endpoint } from "#http/endpoint/endpoint";
import { wakePushes } from "#http/jobs/wake";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import { NewTeamMessage } from "#messages/schema";
import { DateParam } from "../schema.ts";
import { SquadMessageParams, SquadMessageResponse, SquadMessagesResponse } from "./schema.ts";
import { deleteSquadMessage, listSquadMessages, sendSquadMessage } from "./squad-messages.ts";

/** The messages of a squad. */
export const squadMessageRoutes: readonly Endpoint[] = [
  endpoint(
    "GET /api/workout-window/squad/:date/messages",
    {
      id: "listSquadMessages",
      summary: "List the messages of your squad of a date",
      description: `Newest first. 404 if you have no squad on that date. Messages of people with a block between you are left out. Messages are kept for ${KEPT_DAYS.squadMessages} days.`,
      guard: userOrProgram("game:read"),
      replica: "shared",
      params: DateParam.shape,
      query: PageQuery,
      response: SquadMessagesResponse,
      errors: ["game.no_squad"],
    },
    ({ tx, actor, params, query }) => listSquadMessages(tx, { userId: actor.userId, date: params.date }, query),
  ),
  endpoint(
    "POST /api/workout-window/squad/:date/messages",
    {
      id: "sendSquadMessage",
      summary: "Send a message to your squad of a date",
      description:
        "404 if you have no squad on that date. The others have one unread notification, which counts the messages. Until the day begins, squads may be formed again; the messages of a squad that no longer exists are deleted.",
      guard: userOrProgram("game:write"),
      params: DateParam.shape,
      body: NewTeamMessage,
      status: 201,
      response: SquadMessageResponse,
      quota: "team_message",
      errors: ["game.no_squad"],
    },
    async ({ tx, actor, params, body, services, afterCommit }) => {
      const teamMessage = await sendSquadMessage(tx, { userId: actor.userId, date: params.date }, body.content);
      afterCommit(() => wakePushes(services));
      return { teamMessage };
    },
  ),
  endpoint(
    "DELETE /api/workout-window/squad/:date/messages/:messageId",
    {
      id: "deleteSquadMessage",
      summary: "Delete a message to a squad (its sender, or an admin)",
      guard: userOrProgram("game:write"),
      params: SquadMessageParams.shape,
      response: MessageResponse,
      errors: ["game.no_squad", "message.not_found", "message.not_yours"],
    },
    async ({ tx, actor, params, requestId }) => {
      const deletion = { actor, action: "deleteSquadMessage", requestId } as const;
      await deleteSquadMessage(tx, params.date, params.messageId, deletion);
      return { message: "The message was deleted." };
    },
  ),
];
