import { MAX_TOKENS } from "#core/limits";
import { KEPT_DAYS } from "#core/retention";
import { user } from "#http/access/guards";
import { newPersonalToken } from "#http/access/programs";
import { endpoint } from "#http/endpoint/endpoint";
import { wakePushes } from "#http/jobs/wake";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import { CreatedTokenResponse, NewToken, TokenId, TokensResponse } from "./schema.ts";
import { createToken, deleteToken, listTokens } from "./tokens.ts";

/** Personal tokens, with which programs of the caller call the API. */
export const tokenRoutes = [
  endpoint(
    "POST /api/user/tokens",
    {
      id: "createToken",
      summary: "Create a personal token for a program",
      description: `The program sends it as a bearer token, for the operations whose \`x-scope\` it has. All others refuse it, and it has no rights of an admin. You can have ${MAX_TOKENS} that have not expired. You are notified.`,
      guard: user,
      body: NewToken,
      status: 201,
      response: CreatedTokenResponse,
      errors: ["token.too_many"],
      // The secret is returned only once.
      stored: ({ token }) => ({ body: { token: { ...token, secret: null } } }),
    },
    async ({ tx, body, services, afterCommit }) => {
      const secret = newPersonalToken(services);
      const token = await createToken(tx, body, secret);
      afterCommit(() => wakePushes(services));
      return { token: { ...token, secret } };
    },
  ),
  endpoint(
    "GET /api/user/tokens",
    {
      id: "listTokens",
      summary: "List your personal tokens",
      description: `Newest first, without those that expired more than ${KEPT_DAYS.expiredTokens} days ago.`,
      guard: user,
      replica: "own",
      query: PageQuery,
      response: TokensResponse,
    },
    ({ tx, actor, query }) => listTokens(tx, actor.userId, query),
  ),
  endpoint(
    "DELETE /api/user/tokens/:id",
    {
      id: "deleteToken",
      summary: "Delete a personal token",
      description: "From now on it is refused.",
      guard: user,
      access: "write while closing",
      params: { id: TokenId },
      response: MessageResponse,
      errors: ["token.not_found"],
    },
    async ({ tx, params }) => {
      await deleteToken(tx, params.id);
      return { message: "The token was deleted." };
    },
  ),
];
