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

/** Registers work to run once the transaction has committed, before the response is sent. */
export type AfterCommit = (work: () => Promise<unknown>) => void;

/** A command with an external call between two transactions, because no transaction may stay open that long. */
export interface Phases<Before, Outcome, Body extends object> {
  /** The first transaction. Its changes stay, whatever happens later. */
  readonly before: (tx: Tx) => Promise<Before>;
  /** The external call. If it throws, the request fails; without `provisional` the same key may then be tried again. */
  readonly during: (before: Before) => Promise<Outcome>;
  /** The second transaction; returns the body. */
  readonly after: (tx: Tx, before: Before, outcome: Outcome, afterCommit: AfterCommit) => Promise<Body>;
  /** Cleans up what the external call left behind, if `after` fails. Its own errors are ignored. */
  readonly undo?: (outcome: Outcome) => Promise<unknown>;
  /** The response to a replay if the rest fails or the process dies. Without it, a replay runs the command again. */
  readonly provisional?: (before: Before) => Body;
  /** Sends the provisional response if the rest fails, for commands that count as successful without it. Called with the error. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Responds to a POST that makes an external call: one transaction before the call and one after it. Honours
 * `Idempotency-Key` as `respondOnce` does; while the command runs, a replay gets 409.
 * @param status status of a successful response
 */
export async function respondInPhases<Before, Outcome, Body extends object>(
  c: AppContext,
  status: 200 | 201,
  phases: Phases<Before, Outcome, Body>,
): Promise<Response> {
  const { before, provisional, onFailure } = phases;
  const request = idempotentRequest(c);
  if (request === null) {
    const begun = await c.var.asUser(before);
    const rest = runRest(c, phases, begun, async (_tx, body) => body);
    if (provisional === undefined || onFailure === undefined) return answer(c, status, await rest);
    const body = await rest.catch((error: unknown) => {
      onFailure(error);
      return provisional(begun);
    });
    return answer(c, status, body);
  }
  const start = await c.var.asUser((tx) =>
    beginOnce(tx, request, async () => {
      const begun = await before(tx);
      const stored = provisional === undefined ? null : storedResponse(status, provisional(begun));
      return { result: { begun }, stored, isFinal: false };
    }),
  );
  if ("replay" in start) return replay(c, start.replay);
  try {
    const complete = await runRest(c, phases, start.begun, async (tx, body) => {
      const response = storedResponse(status, body);
      await completeAnswer(tx, request, response);
      return response;
    });
    return answer(c, status, { jsonText: complete.body });
  } catch (error) {
    if (provisional !== undefined && onFailure !== undefined) {
      onFailure(error);
      const complete = storedResponse(status, provisional(start.begun));
      // If this fails as well, later replays still find the same response: it was stored with the first transaction.
      await c.var.asUser((tx) => completeAnswer(tx, request, complete)).catch(onFailure);
      return answer(c, status, { jsonText: complete.body });
    }
    // With a provisional response, the first transaction is a success by itself: running it again would do it twice.
    const release = provisional === undefined ? giveUpAnswer : settleAnswer;
    await c.var.asUser((tx) => release(tx, request));
    throw error;
  }
}

/** Makes the external call, runs the second transaction with `complete` in it, and then what was registered for after the commit. */
async function runRest<Before, Outcome, Body extends object, Result>(
  c: AppContext,
  { during, after, undo }: Phases<Before, Outcome, Body>,
  before: Before,
  complete: (tx: Tx, body: Body) => Promise<Result>,
): Promise<Result> {
  const outcome = await during(before);
  // The transaction may run several times; only what its last run registered counts.
  let registered: (() => Promise<unknown>)[] = [];
  let result: Result;
  try {
    result = await c.var.asUser(async (tx) => {
      registered = [];
      return complete(tx, await after(tx, before, outcome, (work) => registered.push(work)));
    });
  } catch (error) {
    await undo?.(outcome).catch(() => undefined);
    throw error;
  }
  await Promise.all(registered.map((work) => work()));
  return result;
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
