import * as z from "zod";
import { NextCursor } from "#http/response/paging";
import { MessageId, TeamMessage } from "#messages/schema";
import { DateParam } from "../schema.ts";

export const SquadMessageParams = DateParam.extend({ messageId: MessageId });

export const SquadMessageResponse = z.object({ teamMessage: TeamMessage });
export const SquadMessagesResponse = z.object({ teamMessages: z.array(TeamMessage), nextCursor: NextCursor });
