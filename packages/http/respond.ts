import type { Tx } from "@nectar/database/database";
import { answer } from "./answer.ts";
import type { AppContext } from "./context.ts";
import {
  beginOnce,
  completeAnswer,
  giveUpAnswer,
  hashBody,
  type IdempotentRequest,
  readIdempotencyKey,
  runOnce,
  settleAnswer,
  storedResponse,
} from "./idempotency.ts";

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
  const request = idempotentRequest(c);
  if (request === null) return answer(c, status, await c.var.asUser(command));
  const stored = await c.var.asUser((tx) =>
    runOnce(tx, request, async () => storedResponse(status, await command(tx))),
  );
  return stored.replayed ? replay(c, stored) : answer(c, stored.status, { jsonText: stored.body });
}

/** A command that calls somebody else between two transactions, because none may stay open that long. */
export interface Phases<Begun, Outcome, Body extends object> {
  /** The first transaction; when it has committed, what it did stays. */
  readonly begin: (tx: Tx) => Promise<Begun>;
  /** The call to somebody else. What it throws is the answer; without `provisional` the key may be tried again. */
  readonly outside: (begun: Begun) => Promise<Outcome>;
  /** The second transaction; returns the body. */
  readonly finish: (tx: Tx, begun: Begun, outcome: Outcome) => Promise<Body>;
  /** What a replay gets should the rest fail, or the process die; without it, a replay then runs the command again. */
  readonly provisional?: (begun: Begun) => Body;
  /**
   * Makes the provisional answer the one that is sent, too, should the rest fail, for a command that is a success without
   * it. Told of every failure, because the caller is not.
   */
  readonly forgive?: (error: unknown) => void;
}

/**
 * Answers a POST whose command waits for somebody else: one transaction before the call and one after it. Honours
 * `Idempotency-Key` as `respondOnce` does; while the command runs, a replay is answered 409.
 * @param status status of the successful answer
 */
export async function respondInPhases<Begun, Outcome, Body extends object>(
  c: AppContext,
  status: 200 | 201,
  { begin, outside, finish, provisional, forgive }: Phases<Begun, Outcome, Body>,
): Promise<Response> {
  const request = idempotentRequest(c);
  if (request === null) {
    const begun = await c.var.asUser(begin);
    const goOn = async () => {
      const outcome = await outside(begun);
      return c.var.asUser((tx) => finish(tx, begun, outcome));
    };
    if (provisional === undefined || forgive === undefined) return answer(c, status, await goOn());
    const body = await goOn().catch((error: unknown) => {
      forgive(error);
      return provisional(begun);
    });
    return answer(c, status, body);
  }
  const start = await c.var.asUser((tx) =>
    beginOnce(tx, request, async () => {
      const begun = await begin(tx);
      return { begun, provisional: provisional === undefined ? null : storedResponse(status, provisional(begun)) };
    }),
  );
  if ("replay" in start) return replay(c, start.replay);
  try {
    const outcome = await outside(start.begun);
    const body = await c.var.asUser(async (tx) => {
      const complete = storedResponse(status, await finish(tx, start.begun, outcome));
      await completeAnswer(tx, request, complete);
      return complete.body;
    });
    return answer(c, status, { jsonText: body });
  } catch (error) {
    if (provisional !== undefined && forgive !== undefined) {
      forgive(error);
      const complete = storedResponse(status, provisional(start.begun));
      // Should this fail as well, the same answer is there already, for replays that come later.
      await c.var.asUser((tx) => completeAnswer(tx, request, complete)).catch(forgive);
      return answer(c, status, { jsonText: complete.body });
    }
    // What was begun counts when it is an answer by itself: trying it again would do it twice.
    const release = provisional === undefined ? giveUpAnswer : settleAnswer;
    await c.var.asUser((tx) => release(tx, request));
    throw error;
  }
}

function idempotentRequest(c: AppContext): IdempotentRequest | null {
  const header = c.req.header("idempotency-key");
  if (header === undefined) return null;
  return {
    userId: c.var.actor.userId,
    route: `${c.req.method} ${c.req.path}`,
    key: readIdempotencyKey(header),
    bodyHash: hashBody(c.var.bodyText ?? ""),
  };
}

function replay(c: AppContext, stored: { status: number; body: string }): Response {
  return answer(c, stored.status, { jsonText: stored.body }, { "idempotent-replayed": "true" });
}
