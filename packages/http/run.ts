import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import type { RunTransaction } from "./access.ts";
import type { AuditRecorder } from "./audit.ts";
import type { AppContext } from "./context.ts";
import { HtmlPage, pageResponse } from "./html-page.ts";
import {
  type IdempotentRequest,
  releaseKey,
  replayOrRun,
  type SentResponse,
  type StoredResponse,
  storeFinalResponse,
} from "./idempotency.ts";
import { jsonResponse } from "./json-response.ts";
import { describeFailure } from "./logging.ts";
import { SvgImage, svgResponse } from "./svg-image.ts";

type Status = 200 | 201;

/** A request that is being responded to. */
export interface Exchange {
  readonly c: AppContext;
  readonly transaction: RunTransaction;
  /** The Idempotency-Key with what it belongs to; null without one. */
  readonly key: IdempotentRequest | null;
  /** The status of a success. */
  readonly status: Status;
  /** The response as it is stored for replays. */
  readonly toStored: (status: Status, body: object) => StoredResponse;
  /** Records what an admin changes; null for all others. */
  readonly recorder: AuditRecorder | null;
  /** Counts the request against the quota of the endpoint, if it has one. */
  readonly count: (tx: Tx) => Promise<void>;
  /** What people are shown instead of the body; null if there is no such page. */
  readonly page: HtmlPage | null;
}

/** What the handler of an endpoint with one transaction gets beside the request. */
export interface InTransaction {
  readonly tx: Tx;
  /**
   * Registers work to run after the commit and before the response. Replays and failed requests do not run it; its own
   * failures are logged and change nothing.
   */
  readonly afterCommit: (work: () => Promise<unknown>) => void;
  /** Responds with 200 instead of 201: what the request would create exists already. */
  readonly existed: () => void;
}

/**
 * The transactions of an endpoint in steps. The first one takes the Idempotency-Key, and ends the handler if the request is
 * a replay; between two of them a handler may wait for a vendor.
 */
export interface Steps {
  /** Runs a transaction that only reads. */
  readonly read: RunTransaction;
  /**
   * Runs a transaction whose changes stay, whatever happens later.
   * @param fallback the response from then on if the rest fails or the process dies; without it, the request fails then, and
   *   a replay runs the endpoint again
   */
  readonly commit: <Result>(
    work: (tx: Tx) => Promise<Result>,
    fallback?: (result: Result) => object,
  ) => Promise<Result>;
  /** Runs the last transaction, which stores the response for replays. Return what it returns. */
  readonly respond: <Body extends object>(work: (tx: Tx) => Promise<Body>) => Promise<Body>;
}

/** Responds with what one transaction returns. A request with an Idempotency-Key runs at most once. */
export async function runInTransaction(
  exchange: Exchange,
  command: (inTransaction: InTransaction) => Promise<object>,
): Promise<Response> {
  const { c, key, recorder, toStored } = exchange;
  const outcome = await exchange.transaction(async (tx) => {
    const registered: (() => Promise<unknown>)[] = [];
    let { status } = exchange;
    const run = async () => {
      await exchange.count(tx);
      await recorder?.beforeChange(tx);
      const body = await command({
        tx,
        afterCommit: (work) => void registered.push(work),
        existed: () => {
          status = 200;
        },
      });
      await recorder?.afterChange(tx, body);
      return { body, status, registered };
    };
    if (key === null) return { result: await run() };
    return replayOrRun(tx, key, run, (result) => ({ response: toStored(result.status, result.body), isFinal: true }));
  });
  if ("replay" in outcome) return replay(c, outcome.replay);
  const { body, status, registered } = outcome.result;
  await Promise.all(registered.map((work) => runLogged(c, work)));
  return send(exchange, status, body);
}

/** Ends a handler in steps whose request is a replay. */
class Replay extends Error {
  readonly response: SentResponse;

  constructor(response: SentResponse) {
    super("The request is a replay.");
    this.response = response;
  }
}

const NOTHING = async () => {};

/** Responds with what a handler in steps returns. A request with an Idempotency-Key whose first run still works gets 409. */
export async function runInSteps(exchange: Exchange, handler: (steps: Steps) => Promise<object>): Promise<Response> {
  const { c, key, status, recorder, count, transaction } = exchange;
  const toStored = (body: object) => exchange.toStored(status, body);
  let hasKey = false;
  let stored: object | undefined;
  let fallback: object | undefined;
  /** Precedes the work of the first transaction. */
  let preparation: (tx: Tx) => Promise<void> = count;

  async function step<Result>(
    work: (tx: Tx) => Promise<Result>,
    responseOf: (result: Result) => object | undefined,
    isFinal: boolean,
  ): Promise<Result> {
    const prepare = preparation;
    const outcome = await transaction(async (tx) => {
      const run = async () => {
        await prepare(tx);
        return work(tx);
      };
      const responseToStore = (result: Result) => {
        const body = responseOf(result);
        return body === undefined ? null : toStored(body);
      };
      if (key !== null && !hasKey) {
        return replayOrRun(tx, key, run, (result) => ({ response: responseToStore(result), isFinal }));
      }
      const result = await run();
      const response = isFinal ? responseToStore(result) : null;
      if (key !== null && response !== null) await storeFinalResponse(tx, key, response);
      return { result };
    });
    if ("replay" in outcome) throw new Replay(outcome.replay);
    hasKey = key !== null;
    preparation = NOTHING;
    return outcome.result;
  }

  const commit: Steps["commit"] = async (work, fallbackOf) => {
    const result = await step(work, (value) => fallbackOf?.(value), false);
    fallback = fallbackOf?.(result) ?? fallback;
    return result;
  };
  const respond: Steps["respond"] = async (work) => {
    const body = await step(work, (value) => value, true);
    stored = body;
    return body;
  };

  try {
    if (recorder !== null) {
      // The database refuses this transaction to a suspended admin. The record is written with the change.
      await commit(NOTHING);
      preparation = recorder.beforeChange;
    }
    const body = await handler({ read: commit, commit, respond });
    if ((key !== null && stored !== body) || preparation === recorder?.beforeChange) await respond(async () => body);
    return send(exchange, status, body);
  } catch (error) {
    if (error instanceof Replay) return replay(c, error.response);
    const body = stored ?? fallback;
    if (body === undefined) {
      if (key !== null && hasKey) await transaction((tx) => releaseKey(tx, key));
      throw error;
    }
    logFailure(c, error);
    // If this fails as well, later replays still find the same response: it was stored with the first transaction.
    if (key !== null && stored === undefined) {
      await transaction((tx) => storeFinalResponse(tx, key, toStored(body))).catch((reason) => logFailure(c, reason));
    }
    return send(exchange, status, body);
  }
}

function send({ c, page }: Exchange, status: Status, body: object): Response {
  const shown = page !== null && asksForPage(c) ? page : body;
  if (shown instanceof HtmlPage) return pageResponse(c, shown);
  if (shown instanceof SvgImage) return svgResponse(c, shown);
  return jsonResponse(c, status, shown);
}

/** Whether a browser opens the address, or sends a form to it. Programs ask for JSON, or for anything. */
function asksForPage(c: AppContext): boolean {
  return c.req.header("accept")?.includes("text/html") === true;
}

async function runLogged(c: AppContext, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailure(c, error);
  }
}

/** The command has succeeded, and its response says so, whatever fails after its commit. */
function logFailure(c: AppContext, error: unknown): void {
  // A refusal is expected: the account, or what else the caller may do, has changed meanwhile.
  const level = error instanceof AppError && error.status < 500 ? "info" : "warn";
  c.services.logger[level](
    { request_id: c.requestId, failure: describeFailure(error) },
    "work after the commit failed",
  );
}

function replay(c: AppContext, { status, body }: SentResponse): Response {
  return jsonResponse(c, status, { jsonText: body }, { "idempotent-replayed": "true" });
}
