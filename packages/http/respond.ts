import type { Tx } from "@nectar/database/database";
import { answer } from "./answer.ts";
import type { AppContext } from "./context.ts";
import { hashBody, readIdempotencyKey, runOnce } from "./idempotency.ts";

/**
 * Answers a POST: runs the command in one transaction as the caller and sends what it returns. A request that carries an
 * `Idempotency-Key` runs at most once, and a replay gets the stored answer.
 * @param status status of the successful answer
 * @param command returns the body
 */
export async function respondOnce<Body extends object>(
  c: AppContext,
  status: 200 | 201,
  command: (tx: Tx) => Promise<Body>,
): Promise<Response> {
  const header = c.req.header("idempotency-key");
  if (header === undefined) return answer(c, status, await c.var.asUser(command));
  const request = {
    userId: c.var.actor.userId,
    route: `${c.req.method} ${c.req.path}`,
    key: readIdempotencyKey(header),
    bodyHash: hashBody(c.var.bodyText ?? ""),
  };
  const stored = await c.var.asUser((tx) =>
    runOnce(tx, request, async () => ({ status, body: JSON.stringify(await command(tx)) })),
  );
  return answer(c, stored.status, { jsonText: stored.body }, stored.replayed ? { "idempotent-replayed": "true" } : {});
}
