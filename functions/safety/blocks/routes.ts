import { user } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import { createBlock, deleteBlock, listBlocks } from "./blocks.ts";
import { BlockedUserId, BlockResponse, BlocksResponse, NewBlock } from "./schema.ts";

export const blockRoutes = [
  endpoint(
    "GET /api/blocks",
    {
      id: "listBlocks",
      summary: "List the users that you blocked",
      description: "Newest first. No one else sees this list.",
      guard: user,
      replica: "shared",
      query: PageQuery,
      response: BlocksResponse,
    },
    ({ tx, query }) => listBlocks(tx, query),
  ),
  endpoint(
    "POST /api/blocks",
    {
      id: "createBlock",
      summary: "Block a user",
      description:
        "From the next request on, neither of you sees what the other made public, or can send the other drops, tone packs or invitations, and email of the other user to you is suppressed. The other user is not notified. What you both see as members of the same team or organization stays visible. Blocking a user again returns the same block with 200.",
      guard: user,
      access: "write while suspended",
      body: NewBlock,
      status: "201 or 200",
      response: BlockResponse,
      errors: ["block.self_block", "block.system_user", "user.not_found"],
    },
    async ({ tx, body, now, existed }) => {
      const { block, isNew } = await createBlock(tx, body.user_id, now);
      if (!isNew) existed();
      return { block };
    },
  ),
  endpoint(
    "DELETE /api/blocks/:userId",
    {
      id: "deleteBlock",
      summary: "Unblock a user",
      description: "If the other user blocked you as well, that block stays.",
      guard: user,
      access: "write while suspended",
      params: { userId: BlockedUserId },
      response: MessageResponse,
      errors: ["block.not_found"],
    },
    async ({ tx, params }) => {
      await deleteBlock(tx, params.userId);
      return { message: "The user is not blocked any more." };
    },
  ),
];
