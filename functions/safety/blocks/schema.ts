import * as z from "zod";
import { Uuid } from "#core/text/uuid";
import { NextCursor } from "#http/response/paging";

export const BlockedUserId = Uuid.meta({ description: "The id of the user that you blocked." });

export const Block = z
  .object({
    user_id: z.guid(),
    full_name: z
      .string()
      .nullable()
      .meta({ description: "null unless you could read the page of the user when you blocked them." }),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Block" });
export type Block = z.infer<typeof Block>;

export const NewBlock = z.object({ user_id: Uuid.meta({ description: "The id of the user to block." }) });

export const BlockResponse = z.object({ block: Block });
export const BlocksResponse = z.object({ blocks: z.array(Block), next_cursor: NextCursor });
