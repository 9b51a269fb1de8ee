import { NextCursor } from "@nectar/http/paging";
import { MessageId, TeamMessage } from "@nectar/messages/schema";
import * as z from "zod";
import { DateParam } from "../schema.ts";

export const SquadMessageParams = DateParam.extend({ messageId: MessageId });

export const SquadMessageResponse = z.object({ teamMessage: TeamMessage });
export const SquadMessagesResponse = z.object({ teamMessages: z.array(TeamMessage), nextCursor: NextCursor });
