import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { unversioned } from "#database/unversioned";
import type { RunTransaction } from "../access/access.ts";
import type { AuditRecorder } from "../access/audit.ts";
import { etagOf, type Versioned } from "../request/conditions.ts";
import {
  type IdempotentRequest,
  Replay,
  releaseKey,
  type StoredResponse,
  storeFinalResponse,
  storeResponse,
  takeKey,
} from "../request/idempotency.ts";
import { jsonResponse } from "../response/json-response.ts";
import { type HtmlPage, TextBody } from "../response/text-body.ts";
import type { AppContext } from "../services/context.ts";
import { describeFailure } from "../telemetry/logging.ts";

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
  readonly toStored: (status: Status, body: object, etag?: string) => StoredResponse;
  /** Records what an admin changes; null for all others. */
  readonly recorder: AuditRecorder | null;
  /** Counts the request against the quota of the endpoint, if it has one. */
  readonly count: (tx: Tx) => Promise<void>;
  /** Locks what `If-Match` is about; returns the check after the command. Does nothing without the header. */
  readonly lockVersion: (tx: Tx) => Promise<() => void>;
  /** The page for people instead of the body; null if there is none. */
  readonly page: HtmlPage | null;
}

/** Sends the etag of a thing with the response. @returns the thing without its version */
type Tagged = <Row extends Versioned>(row: Row) => Omit<Row, "version">;

/** The additions to a request for the handler of an endpoint with one transaction. */
export interface InTransaction {
  readonly tx: Tx;
  /**
   * Registers work to run after the commit and before the response. Replays and failed requests do not run it; its own
   * failures are logged and change nothing.
   */
  readonly afterCommit: (work: () => Promise<unknown>) => void;
  /** Responds with 200 instead of 201: what the request would create exists already. */
  readonly existed: () => void;
  readonly tagged: Tagged;
}

/**
 * The transactions of an endpoint in steps. The first one takes the Idempotency-Key, and ends the handler if the request is
 * a replay; between two of them a handler may wait for a vendor.
 */
export interface Steps {
  /** The same as `commit` without a fallback, for an endpoint whose access is to read. */
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
  /** Responds with 200 instead of 201: what the request would create exists already. */
  readonly existed: () => void;
  readonly tagged: Tagged;
}

/** Responds with what one transaction returns. A request with an Idempotency-Key runs at most once. */
export async function runInTransaction(
  exchange: Exchange,
  command: (inTransaction: InTransaction) => Promise<object>,
): Promise<Response> {
  const { c, key, recorder, count } = exchange;
  const { tagged, headers } = etagHeader();
  const { body, status, registered } = await exchange.transaction(async (tx) => {
    const registered: (() => Promise<unknown>)[] = [];
    const afterCommit = (work: () => Promise<unknown>) => void registered.push(work);
    let { status } = exchange;
    const existed = () => {
      status = 200;
    };
    if (key !== null) await takeKey(tx, key);
    await count(tx);
    await recorder?.beforeChange(tx);
    const requireUnchanged = await exchange.lockVersion(tx);
    const body = await command({ tx, afterCommit, existed, tagged });
    requireUnchanged();
    await recorder?.afterChange(tx, body);
    if (key !== null) await storeResponse(tx, key, exchange.toStored(status, body, headers.etag), true);
    return { body, status, registered };
  });
  await Promise.all(registered.map((work) => work().catch((error) => logFailure(c, error))));
  return send(exchange, status, body, headers);
}

/** The header of a response with an etag, and the function that sets it. */
function etagHeader() {
  const headers: Record<string, string> = {};
  const tagged: Tagged = (row) => {
    headers.etag = etagOf(row);
    return unversioned(row);
  };
  return { headers, tagged };
}

const NOTHING = async () => {};

/** Responds with what a handler in steps returns. A request with an Idempotency-Key whose first run still works gets 409. */
export async function runInSteps(exchange: Exchange, handler: (steps: Steps) => Promise<object>): Promise<Response> {
  const { c, key, recorder, transaction } = exchange;
  const { tagged, headers } = etagHeader();
  let { status } = exchange;
  const existed = () => {
    status = 200;
  };
  let hasBegun = false;
  let stored: object | undefined;
  let fallback: object | undefined;
  /** Precedes the work of the next transaction. */
  let preparation: (tx: Tx) => Promise<void> = exchange.count;

  async function step<Result>(
    work: (tx: Tx) => Promise<Result>,
    responseOf: (result: Result) => object | undefined,
    isFinal: boolean,
  ): Promise<Result> {
    const result = await transaction(async (tx) => {
      if (key !== null && !hasBegun) await takeKey(tx, key);
      await preparation(tx);
      const requireUnchanged = hasBegun ? undefined : await exchange.lockVersion(tx);
      const result = await work(tx);
      requireUnchanged?.();
      const body = responseOf(result);
      const response = body === undefined ? null : exchange.toStored(status, body, headers.etag);
      if (key !== null && !hasBegun) await storeResponse(tx, key, response, isFinal);
      else if (key !== null && isFinal && response !== null) await storeFinalResponse(tx, key, response);
      return result;
    });
    hasBegun = true;
    preparation = NOTHING;
    return result;
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
    const body = await handler({ read: commit, commit, respond, existed, tagged });
    if ((key !== null && stored !== body) || preparation === recorder?.beforeChange) await respond(async () => body);
    return send(exchange, status, body, headers);
  } catch (error) {
    const body = error instanceof Replay ? undefined : (stored ?? fallback);
    if (body === undefined) {
      if (key !== null && hasBegun) await transaction((tx) => releaseKey(tx, key));
      throw error;
    }
    logFailure(c, error);
    // If this fails as well, later replays still find the same response: it was stored with the first transaction.
    if (key !== null && stored === undefined) {
      await respond(async () => body).catch((reason) => logFailure(c, reason));
    }
    return send(exchange, status, body, headers);
  }
}

function send(
  { c, page }: Exchange,
  status: Status,
  body: object,
  headers: Readonly<Record<string, string>>,
): Response {
  const shown = page !== null && asksForPage(c) ? page : body;
  return shown instanceof TextBody
    ? jsonResponse(c, status, { jsonText: shown.text }, shown.headers)
    : jsonResponse(c, status, shown, headers);
}

/** Whether a browser opens the address, or sends a form to it. Programs ask for JSON, or for anything. */
function asksForPage(c: AppContext): boolean {
  return c.req.header("accept")?.includes("text/html") === true;
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
