import type { Tx } from "@nectar/database/database";
import type { AppContext } from "./context.ts";
import {
  type IdempotentRequest,
  keepProvisionalResponse,
  releaseKey,
  replayOrRun,
  replayOrRunFirstPhase,
  storedResponse,
  storeFinalResponse,
} from "./idempotency.ts";
import { jsonResponse } from "./json-response.ts";
import { describeFailure } from "./logging.ts";

/** A request that is being responded to. */
export interface Exchange {
  readonly c: AppContext;
  /** The status of a success. */
  readonly status: 200 | 201;
  /** Runs a transaction in the role of the endpoint, again when it lost a race. */
  readonly transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** The Idempotency-Key with what it belongs to; null without one. */
  readonly key: IdempotentRequest | null;
  /** What the handler registered to run after the commit. */
  readonly afterCommit: (() => Promise<unknown>)[];
}

/** The parts of an endpoint that makes an external call. */
export interface Phases<Request, Before, Outcome, Body> {
  /** The first transaction. Its changes stay, whatever happens later. It may already have the response: `finished(body)`. */
  readonly before?: (request: Request & { readonly tx: Tx }) => Promise<Before | Finished<Body>>;
  /** The external call, outside of any transaction. If it throws, the request fails. */
  readonly during: (request: Request, before: Before) => Promise<Outcome>;
  /** The second transaction; returns the body. Without it, the outcome of the call is the body. */
  readonly after?: (request: Request & { readonly tx: Tx }, before: Before, outcome: Outcome) => Promise<Body>;
  /** Cleans up what the external call left behind, if `after` fails. Its own errors are ignored. */
  readonly undo?: (request: Request, outcome: Outcome) => Promise<unknown>;
  /** The response to a replay if the rest fails or the process dies. Without it, a replay runs the endpoint again. */
  readonly provisional?: (before: Before) => Body;
  /** Sends the provisional response if the rest fails, for a command that counts as done without it. Called with the error. */
  readonly onFailure?: (request: Request, error: unknown) => void;
}

/** Phases without `after` whose call does not result in the body do not compile. */
export type Complete<Outcome, Body> = [Outcome] extends [Body] ? unknown : { readonly after: unknown };

/** A response that the first transaction has already. */
export class Finished<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** Ends a phased endpoint in its first transaction. */
export function finished<Body>(body: Body): Finished<Body> {
  return new Finished(body);
}

/** Responds with what one transaction returns. A request with an Idempotency-Key runs at most once. */
export async function runInTransaction(exchange: Exchange, command: (tx: Tx) => Promise<object>): Promise<Response> {
  const { c, status, key, afterCommit } = exchange;
  const attempt = registeringOnce(afterCommit, command);
  if (key === null) {
    const body = await exchange.transaction(attempt);
    await runAll(c, afterCommit);
    return jsonResponse(c, status, body);
  }
  const stored = await exchange.transaction((tx) =>
    replayOrRun(tx, key, async () => storedResponse(status, await attempt(tx))),
  );
  if (stored.replayed) return replay(c, stored);
  await runAll(c, afterCommit);
  return jsonResponse(c, stored.status, { jsonText: stored.body });
}

/** Responds with what the phases result in. A request with an Idempotency-Key whose first run still works gets 409. */
export async function runInPhases<Request extends object, Before, Outcome, Body extends object>(
  exchange: Exchange,
  request: Request,
  phases: Phases<Request, Before, Outcome, Body>,
): Promise<Response> {
  const { c, status, key, afterCommit } = exchange;
  const { provisional, onFailure } = phases;
  const first = await runBefore(exchange, request, phases);
  if ("replay" in first) return replay(c, first.replay);
  if ("finished" in first) {
    await runAll(c, afterCommit);
    return jsonResponse(c, status, first.finished);
  }
  try {
    const body = await runRest(exchange, request, phases, first.before);
    await runAll(c, afterCommit);
    return jsonResponse(c, status, body);
  } catch (error) {
    if (provisional !== undefined && onFailure !== undefined) {
      onFailure(request, error);
      const body = provisional(first.before);
      // If this fails as well, later replays still find the same response: it was stored with the first transaction.
      if (key !== null) {
        await exchange
          .transaction((tx) => storeFinalResponse(tx, key, storedResponse(status, body)))
          .catch((reason: unknown) => onFailure(request, reason));
      }
      return jsonResponse(c, status, body);
    }
    // With a provisional response, the first transaction is a success by itself: running it again would do it twice.
    const release = provisional === undefined ? releaseKey : keepProvisionalResponse;
    if (key !== null) await exchange.transaction((tx) => release(tx, key));
    throw error;
  }
}

type First<Before, Body> = { before: Before } | { finished: Body } | { replay: { status: number; body: string } };

async function runBefore<Request extends object, Before, Outcome, Body extends object>(
  { transaction, key, status, afterCommit }: Exchange,
  request: Request,
  { before, provisional }: Phases<Request, Before, Outcome, Body>,
): Promise<First<Before, Body>> {
  const attempt = registeringOnce(afterCommit, async (tx): Promise<{ before: Before } | { finished: Body }> => {
    // Without `before`, the type of its result is undefined.
    const result = before === undefined ? (undefined as Before) : await before({ ...request, tx });
    return result instanceof Finished ? { finished: result.body } : { before: result };
  });
  if (key === null) return before === undefined ? { before: undefined as Before } : transaction(attempt);
  return transaction((tx) =>
    replayOrRunFirstPhase<First<Before, Body>>(tx, key, async () => {
      const first = await attempt(tx);
      if ("finished" in first) return { result: first, stored: storedResponse(status, first.finished), isFinal: true };
      const stored = provisional === undefined ? null : storedResponse(status, provisional(first.before));
      return { result: first, stored, isFinal: false };
    }),
  );
}

/** Makes the external call and runs the second transaction, which also completes the stored response. */
async function runRest<Request extends object, Before, Outcome, Body extends object>(
  { transaction, key, status, afterCommit }: Exchange,
  request: Request,
  { during, after, undo }: Phases<Request, Before, Outcome, Body>,
  before: Before,
): Promise<Body> {
  const outcome = await during(request, before);
  if (after === undefined && key === null) return bodyOf<Body>(outcome);
  try {
    return await transaction(
      registeringOnce(afterCommit, async (tx) => {
        const body = after === undefined ? bodyOf<Body>(outcome) : await after({ ...request, tx }, before, outcome);
        if (key !== null) await storeFinalResponse(tx, key, storedResponse(status, body));
        return body;
      }),
    );
  } catch (error) {
    await undo?.(request, outcome).catch(() => undefined);
    throw error;
  }
}

/** The outcome of a call without `after`. It has the type of the body: `Complete` lets nothing else compile. */
function bodyOf<Body>(outcome: unknown): Body {
  return outcome as Body;
}

/** A transaction that may run several times: what runs before the last one registered in `afterCommit` is dropped. */
function registeringOnce<Result>(afterCommit: Exchange["afterCommit"], work: (tx: Tx) => Promise<Result>) {
  const registeredBefore = afterCommit.length;
  return (tx: Tx): Promise<Result> => {
    afterCommit.length = registeredBefore;
    return work(tx);
  };
}

/** Runs what was registered to run after the commit. A failure is logged: the command has succeeded, and its response says so. */
async function runAll(c: AppContext, registered: Exchange["afterCommit"]): Promise<void> {
  await Promise.all(
    registered.map((work) =>
      work().catch((error: unknown) => {
        const failure = { request_id: c.get("requestId"), failure: describeFailure(error) };
        c.get("services").logger.warn(failure, "work after the commit failed");
      }),
    ),
  );
}

function replay(c: AppContext, stored: { status: number; body: string }): Response {
  return jsonResponse(c, stored.status, { jsonText: stored.body }, { "idempotent-replayed": "true" });
}
