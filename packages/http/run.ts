import type { Tx } from "@nectar/database/database";
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
  type ToStore,
} from "./idempotency.ts";
import { jsonResponse } from "./json-response.ts";
import { describeFailure } from "./logging.ts";
import { andThen, type NowOrLater } from "./now-or-later.ts";
import { SvgImage, svgResponse } from "./svg-image.ts";

/** What the handler registered. */
export interface Registered {
  /** What runs after the commit. */
  readonly afterCommit: (() => Promise<unknown>)[];
  /** The status of a success. */
  status: 200 | 201;
}

/** A request that is being responded to. */
export interface Exchange {
  readonly c: AppContext;
  /** Runs a transaction in the role of the endpoint, again when it lost a race. */
  readonly transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** The Idempotency-Key with what it belongs to; null without one. */
  readonly key: IdempotentRequest | null;
  readonly registered: Registered;
  /** The response with this body as it is stored for replays. */
  readonly toStored: (body: object) => StoredResponse;
  /** Records what an admin changes; null for all others. */
  readonly recorder: AuditRecorder | null;
  /** What people are shown instead of the body; null if there is no such page. */
  readonly page: HtmlPage | null;
}

/** The parts of an endpoint that makes an external call. */
export interface Phases<Request, Before, Outcome, Body> {
  /** The first transaction. Its changes stay, whatever happens later. It may already have the response: `finished(body)`. */
  readonly before?: (request: Request & { readonly tx: Tx }) => Promise<Before | Finished<Body>>;
  /** The external call, outside of any transaction. If it throws, the request fails. */
  readonly during: (request: Request, before: Before) => NowOrLater<Outcome>;
  /** The second transaction; returns the body. Without it, the outcome of the call is the body. */
  readonly after?: (request: Request & { readonly tx: Tx }, before: Before, outcome: Outcome) => Promise<Body>;
  /** Cleans up what the external call left behind, if `after` fails. Its own errors are ignored. */
  readonly undo?: (request: Request, outcome: Outcome) => Promise<unknown>;
  /**
   * The response if the rest fails or the process dies, for a command that counts as done after `before`. Without it, the
   * request fails and a replay runs the endpoint again.
   */
  readonly provisional?: (before: Before) => Body;
  /** Called with the error when the provisional response is sent. */
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
  const { c, recorder, toStored } = exchange;
  const first = await runFirst(exchange, recorder === null ? command : recorded(recorder, command), (body) => ({
    response: toStored(body),
    isFinal: true,
  }));
  return "replay" in first ? replay(c, first.replay) : await respond(exchange, first.result);
}

function recorded(recorder: AuditRecorder, command: (tx: Tx) => Promise<object>) {
  return async (tx: Tx) => {
    await recorder.beforeChange(tx);
    const body = await command(tx);
    await recorder.afterChange(tx, body);
    return body;
  };
}

/** Responds with what the phases result in. A request with an Idempotency-Key whose first run still works gets 409. */
export function runInPhases<Request extends object, Before, Outcome, Body extends object>(
  exchange: Exchange,
  request: Request,
  given: Phases<Request, Before, Outcome, Body>,
): NowOrLater<Response> {
  const phases = exchange.recorder === null ? given : recordedPhases(exchange.recorder, given);
  const { before, during, after } = phases;
  if (before !== undefined || after !== undefined || exchange.key !== null) {
    return runInTransactions(exchange, request, phases);
  }
  return andThen(during(request, nothing<Before>()), (outcome) => respond(exchange, bodyOf<Body>(outcome)));
}

/**
 * The same phases with the record in their only transaction. A call without transactions gets one after it, and one before
 * it, which the database refuses to a suspended admin.
 */
function recordedPhases<Request extends object, Before, Outcome, Body>(
  recorder: AuditRecorder,
  phases: Phases<Request, Before, Outcome, Body>,
): Phases<Request, Before, Outcome, Body> {
  const { before, after } = phases;
  if (before !== undefined) {
    return { ...phases, before: (request) => recorder.beforeChange(request.tx).then(() => before(request)) };
  }
  return {
    ...phases,
    before: async () => nothing<Before>(),
    after: async (request, first, outcome) => {
      await recorder.beforeChange(request.tx);
      return after === undefined ? bodyOf(outcome) : after(request, first, outcome);
    },
  };
}

async function runInTransactions<Request extends object, Before, Outcome, Body extends object>(
  exchange: Exchange,
  request: Request,
  phases: Phases<Request, Before, Outcome, Body>,
): Promise<Response> {
  const { c, registered, key, transaction, toStored } = exchange;
  const { provisional } = phases;
  const first = await runBefore(exchange, request, phases);
  if ("replay" in first) return replay(c, first.replay);
  if (first.result instanceof Finished) return respond(exchange, first.result.body);
  const before = first.result;
  try {
    return await respond(exchange, await runRest(exchange, request, phases, before));
  } catch (error) {
    if (provisional === undefined) {
      if (key !== null) await transaction((tx) => releaseKey(tx, key));
      throw error;
    }
    phases.onFailure?.(request, error);
    const body = provisional(before);
    if (key !== null) {
      // If this fails as well, later replays still find the same response: it was stored with the first transaction.
      await transaction((tx) => storeFinalResponse(tx, key, toStored(body))).catch((reason: unknown) =>
        phases.onFailure?.(request, reason),
      );
    }
    return jsonResponse(c, registered.status, body);
  }
}

/** What the first transaction returned, or the response to an earlier request with the same key. */
type First<Result> = { readonly result: Result } | { readonly replay: SentResponse };

function runFirst<Result>(
  { transaction, key, registered }: Exchange,
  work: (tx: Tx) => Promise<Result>,
  toStore: (result: Result) => ToStore,
): Promise<First<Result>> {
  return transaction(
    registeringOnce(registered, async (tx) =>
      key === null ? { result: await work(tx) } : replayOrRun(tx, key, () => work(tx), toStore),
    ),
  );
}

/** A transaction that may run several times: only what the last run registered counts. */
function registeringOnce<Result>(registered: Registered, work: (tx: Tx) => Promise<Result>) {
  const { afterCommit, status } = registered;
  const registeredBefore = afterCommit.length;
  return (tx: Tx): Promise<Result> => {
    afterCommit.length = registeredBefore;
    registered.status = status;
    return work(tx);
  };
}

async function runBefore<Request extends object, Before, Outcome, Body extends object>(
  exchange: Exchange,
  request: Request,
  { before, provisional }: Phases<Request, Before, Outcome, Body>,
): Promise<First<Before | Finished<Body>>> {
  if (before === undefined && exchange.key === null) return { result: nothing() };
  return runFirst<Before | Finished<Body>>(
    exchange,
    async (tx) => before?.({ ...request, tx }) ?? nothing<Before>(),
    (result) => {
      if (result instanceof Finished) return { response: exchange.toStored(result.body), isFinal: true };
      const body = provisional?.(result);
      return { response: body === undefined ? null : exchange.toStored(body), isFinal: false };
    },
  );
}

/** Makes the external call and runs the second transaction, which also stores the final response. */
async function runRest<Request extends object, Before, Outcome, Body extends object>(
  { transaction, key, registered, toStored }: Exchange,
  request: Request,
  { during, after, undo }: Phases<Request, Before, Outcome, Body>,
  before: Before,
): Promise<Body> {
  const outcome = await during(request, before);
  if (after === undefined && key === null) return bodyOf<Body>(outcome);
  try {
    return await transaction(
      registeringOnce(registered, async (tx) => {
        const body = after === undefined ? bodyOf<Body>(outcome) : await after({ ...request, tx }, before, outcome);
        if (key !== null) await storeFinalResponse(tx, key, toStored(body));
        return body;
      }),
    );
  } catch (error) {
    await undo?.(request, outcome).catch(() => undefined);
    throw error;
  }
}

/** The result of the first transaction if there is none; the type of its result is then undefined. */
function nothing<Before>(): Before {
  return undefined as Before;
}

/** The outcome of a call without `after`. It has the type of the body: `Complete` lets nothing else compile. */
function bodyOf<Body>(outcome: unknown): Body {
  return outcome as Body;
}

/** Runs the work that was registered for after the commit, and sends the body. */
function respond({ c, registered: { afterCommit, status }, page }: Exchange, body: object): NowOrLater<Response> {
  const send = () => {
    const shown = page !== null && asksForPage(c) ? page : body;
    if (shown instanceof HtmlPage) return pageResponse(c, shown);
    if (shown instanceof SvgImage) return svgResponse(c, shown);
    return jsonResponse(c, status, shown);
  };
  if (afterCommit.length === 0) return send();
  return Promise.all(afterCommit.map((work) => runLogged(c, work))).then(send);
}

/** Whether a browser opens the address, or sends a form to it. Programs ask for JSON, or for anything. */
function asksForPage(c: AppContext): boolean {
  return c.req.header("accept")?.includes("text/html") === true;
}

/** Work after the commit may fail: the command has succeeded, and its response says so. */
async function runLogged(c: AppContext, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const failure = { request_id: c.requestId, failure: describeFailure(error) };
    c.services.logger.warn(failure, "work after the commit failed");
  }
}

function replay(c: AppContext, { status, body }: SentResponse): Response {
  return jsonResponse(c, status, { jsonText: body }, { "idempotent-replayed": "true" });
}
