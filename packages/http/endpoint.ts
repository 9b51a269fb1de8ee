import type { ErrorCode, Issue } from "@nectar/core/errors";
import type { Purpose, Tx } from "@nectar/database/database";
import * as z from "zod";
import { type Audit, auditRecorder } from "./audit.ts";
import type { AppContext } from "./context.ts";
import { type AdminActor, type Guard, isAdminActor } from "./guards.ts";
import type { HtmlPage } from "./html-page.ts";
import { idempotentRequest, type Stored, storedResponse } from "./idempotency.ts";
import {
  type BodyOf,
  type BodyReader,
  bodyReader,
  type FurtherProblems,
  paramsReader,
  queryReader,
  type ReadBody,
} from "./inputs.ts";
import { andThen, type NowOrLater } from "./now-or-later.ts";
import { type Complete, type Exchange, type Phases, type Registered, runInPhases, runInTransaction } from "./run.ts";
import type { Services } from "./services.ts";
import type { Actor } from "./tokens.ts";
import { inTurn, loggedTransactionOf, transactionOf } from "./user-transaction.ts";

const Method = z.enum(["GET", "POST", "PUT", "DELETE"]);
export type Method = z.infer<typeof Method>;

/** Method and path in Hono's notation, such as `GET /api/journal/:id`. */
export type Route = `${Method} /${string}`;

/** The names of the parameters of a path. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The fields of an object. */
export type Fields = Readonly<Record<string, z.ZodType>>;

/** The parsed value of a schema, or of an object of schemas. */
type OutputOf<Given> = Given extends z.ZodType
  ? z.output<Given>
  : Given extends Fields
    ? { readonly [Name in keyof Given]: z.output<Given[Name]> }
    : undefined;

/** Everything about an endpoint but its handler, stated once: requests and the reference use the same value. */
export interface Definition<
  Caller extends Actor | null = Actor | null,
  Params extends Fields | undefined = Fields | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType<object> | BodyReader<unknown> | undefined =
    | z.ZodType<object>
    | BodyReader<unknown>
    | undefined,
  Returned extends z.ZodType<object> = z.ZodType<object>,
> {
  /** The name of the operation in the reference and in generated clients, such as `readJournalEntry`. */
  readonly id: string;
  /** What the caller does with it, in the imperative: "Read an entry". */
  readonly summary: string;
  readonly description?: string;
  readonly guard: Guard<Caller>;
  /** What the audit log says of a change. The guards of admins require it of everything but a GET, and no other guard. */
  readonly audit?: Audit<AuditedRequest<Params, Body>, z.output<Returned>>;
  /** Runs `tx` as the service. The default is the caller's own role; signed-in users only read as the service, and admins. */
  readonly runAs?: "service";
  /**
   * Whether it may change data; otherwise the database refuses. The default is false for a GET and true for all others: a
   * GET may write what is due when it is first read, and a POST may only read, such as a preview. What reads entries of
   * others writes `for super admins` only: what they read is logged.
   */
  readonly writes?: boolean | "for super admins";
  /** What only reads, in a transaction with several statements, or none. Without it, exactly one, which is one round trip. */
  readonly statements?: "any number";
  /** A command that suspended people may run as well. Without it, they may only read. */
  readonly whileSuspended?: "allowed";
  /** A command that people may run as well while their account is closing or suspended. Without it, they may only read. */
  readonly whileClosing?: "allowed";
  /** A schema for each parameter of the path. */
  readonly params?: Params;
  readonly query?: Query;
  /** The schema of a JSON body, or a reader of another kind of body. */
  readonly body?: Body;
  /**
   * Further problems of a JSON body that its schema refuses: those that depend on what is stored, so that all are reported
   * at once. In a valid body the handler finds them.
   */
  storedProblems?(tx: Tx, body: unknown, params: OutputOf<Params>): Promise<readonly Issue[]>;
  /** The status of a successful response; 200 by default. "201 or 200": the handler calls `existed` for a 200. */
  readonly status?: 201 | "201 or 200";
  /** The schema of a successful response. */
  readonly response: Returned;
  /** What people are shown instead, whose browser asks for a page. */
  readonly page?: HtmlPage;
  /** How the response is stored for replays, if it contains a secret or shows a row whose id is deeper inside. */
  stored?(body: z.output<Returned>): Stored<z.output<Returned>>;
  /** Errors of the handler. Those of guard, inputs and `Idempotency-Key` need not be listed. */
  readonly errors?: readonly ErrorCode[];
}

/** What the audit log may know of a request. */
type AuditedRequest<Params, Body> = Pick<
  EndpointRequest<unknown, OutputOf<Params>, unknown, BodyOf<Body>>,
  "params" | "body" | "requestId"
>;

/** The parameter of a handler. */
export interface EndpointRequest<Caller, Params, Query, Body> {
  /** Who is calling; null for the scheduler and where no token is needed. */
  readonly actor: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly services: Services;
  /** When the request was checked. */
  readonly now: Date;
  readonly requestId: string;
  readonly header: (name: string) => string | undefined;
  /** The body as it was sent, or the digest of a form; empty without a body. */
  readonly bodyText: string;
  /** Runs a separate transaction as the caller, for work during an external call. */
  readonly transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /**
   * Registers work to run after the last commit and before the response. Replays and failed requests do not run it; its
   * own failures are logged and change nothing.
   */
  readonly afterCommit: (work: () => Promise<unknown>) => void;
  /** Responds with 200 instead of 201: what the request would create exists already. */
  readonly existed: () => void;
}

/** A request inside a transaction. */
export type WithTx<Request> = Request & { readonly tx: Tx };

/** An endpoint, ready for `groupApp`. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly definition: Definition;
  readonly respond: (c: AppContext) => NowOrLater<Response>;
}

/** The same type with read-only arrays and fields. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

type KeysOf<T> = T extends unknown ? keyof T : never;

/** Forbids fields that the declared response does not have. */
type NoExtraFields<Result, Declared> = Readonly<Record<Exclude<KeysOf<Result>, KeysOf<Declared>>, never>>;

/** The definition of an endpoint whose path may have parameters: then `params` describes each of them. */
type DefinitionOf<
  R extends Route,
  Caller extends Actor | null,
  Params extends Fields | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodType<object> | BodyReader<unknown> | undefined,
  Returned extends z.ZodType<object>,
> = Definition<Caller, Params, Query, Body, Returned> &
  ([ParamNames<R>] extends [never] ? unknown : { readonly params: Params }) &
  (IsAudited<R, Caller> extends true ? { readonly audit: object } : { readonly audit?: never });

/** Whether admins change something by a route. */
type IsAudited<R extends Route, Caller> = R extends `GET ${string}`
  ? false
  : [Extract<Caller, AdminActor>] extends [never]
    ? false
    : true;

type RequestOf<Caller, Params, Query, Body> = EndpointRequest<Caller, OutputOf<Params>, OutputOf<Query>, BodyOf<Body>>;

/**
 * Declares an endpoint that runs in one transaction. The compiler checks what the handler returns against the declared
 * response. A POST by a signed-in user takes `Idempotency-Key`.
 * @param handler may run several times when it loses a race with another transaction
 */
export function endpoint<
  const R extends Route,
  Caller extends Actor | null,
  Returned extends z.ZodType<object>,
  Result extends DeepReadonly<z.output<Returned>>,
  const Params extends Readonly<Record<ParamNames<R>, z.ZodType>> | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType<object> | BodyReader<unknown> | undefined = undefined,
>(
  route: R,
  definition: DefinitionOf<R, Caller, Params, Query, Body, Returned>,
  handler: (
    request: WithTx<RequestOf<Caller, Params, Query, Body>>,
  ) => Promise<Result & NoExtraFields<Result, z.output<Returned>>>,
): Endpoint {
  return declare(route, definition, (request: RequestOf<Caller, Params, Query, Body>, exchange) =>
    runInTransaction(exchange, (tx) => handler({ ...request, tx })),
  );
}

/**
 * Declares an endpoint that makes an external call: one transaction before it, one after it, none during it. Without
 * `before` and `after` it is an endpoint that opens its own transactions, or none. One with `audit` has at most one of them.
 */
export function phasedEndpoint<
  const R extends Route,
  Caller extends Actor | null,
  Returned extends z.ZodType<object>,
  const Params extends Readonly<Record<ParamNames<R>, z.ZodType>> | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType<object> | BodyReader<unknown> | undefined = undefined,
  Before = undefined,
  Outcome = DeepReadonly<z.output<Returned>>,
>(
  route: R,
  definition: DefinitionOf<R, Caller, Params, Query, Body, Returned> & { readonly audit?: { readonly newId?: never } },
  phases: Phases<RequestOf<Caller, Params, Query, Body>, Before, Outcome, DeepReadonly<z.output<Returned>>> &
    Complete<Outcome, DeepReadonly<z.output<Returned>>>,
): Endpoint {
  if (definition.audit !== undefined && phases.before !== undefined && phases.after !== undefined) {
    throw new Error(`${route}: what admins change must be in one transaction, with its row in the audit log`);
  }
  return declare(route, definition, (request: RequestOf<Caller, Params, Query, Body>, exchange) =>
    runInPhases(exchange, request, phases),
  );
}

const NO_BODY: ReadBody<undefined> = { value: undefined, text: "" };

/** Checks guard and inputs, in the documented order, and hands the request to `run`. */
function declare<
  Caller extends Actor | null,
  Params extends Fields | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodType<object> | BodyReader<unknown> | undefined,
>(
  route: Route,
  definition: Definition<Caller, Params, Query, Body>,
  run: (request: RequestOf<Caller, Params, Query, Body>, exchange: Exchange) => NowOrLater<Response>,
): Endpoint {
  const [method, path] = splitRoute(route);
  const { guard, audit, runAs, status = 200, page = null } = definition;
  if (runAs === "service" && method !== "GET" && guard.security.length > 0 && audit === undefined) {
    throw new Error(`${route}: only reading and what admins change may run as the service for a caller`);
  }
  const readBody = definition.body === undefined ? null : bodyReader(definition.body);
  const checkQuery = definition.query === undefined ? null : queryReader(definition.query);
  const checkParams = definition.params === undefined ? null : paramsReader(definition.params);
  const purpose = purposeOf(method, definition);
  const storesResponse = !onlyReads(method, definition);

  function respond(c: AppContext): NowOrLater<Response> {
    return andThen(guard.identify(c), (actor) =>
      andThen(readBody === null ? NO_BODY : readBody(c, storedProblemsFor(c, actor)), (body) =>
        respondTo(c, actor, body),
      ),
    );
  }

  function storedProblemsFor(c: AppContext, actor: Caller): FurtherProblems {
    return async (body) => {
      if (definition.storedProblems === undefined || actor === null) return [];
      // The reader was made from these very schemas, which a conditional type cannot follow.
      const params = checkParams?.(c.req.param()) as OutputOf<Params>;
      const find = async (tx: Tx) => definition.storedProblems?.(tx, body, params) ?? [];
      return inTurn(c, actor.userId, () => loggedTransactionOf(c.services.database, actor.userId, find, "read"));
    };
  }

  function respondTo(
    c: AppContext,
    actor: Caller,
    { value: body, text: bodyText }: ReadBody<unknown>,
  ): NowOrLater<Response> {
    const { services } = c;
    const params = checkParams?.(c.req.param());
    const query = checkQuery?.(c.req.url);
    const registered: Registered = { afterCommit: [], status: status === 200 ? 200 : 201 };
    const transaction: Exchange["transaction"] = (work) => {
      if (runAs === "service") {
        const transaction = () => services.database.asService(work);
        return actor === null ? transaction() : inTurn(c, actor.userId, transaction);
      }
      if (actor === null) throw new Error(`${route} has no caller whose role a transaction could run as`);
      const run = definition.writes === "for super admins" ? loggedTransactionOf : transactionOf;
      return inTurn(c, actor.userId, () => run(services.database, actor.userId, work, purpose));
    };
    const idempotencyKey = method === "POST" && actor !== null ? c.req.header("idempotency-key") : undefined;
    const key =
      idempotencyKey === undefined || actor === null
        ? null
        : idempotentRequest({ userId: actor.userId, route: `${method} ${c.req.path}`, idempotencyKey, bodyText });
    const request = {
      actor,
      params,
      query,
      body,
      services,
      now: services.clock.now(),
      requestId: c.requestId,
      header: (name: string) => c.req.header(name),
      bodyText,
      transaction,
      afterCommit: (work: () => Promise<unknown>) => void registered.afterCommit.push(work),
      existed: () => {
        registered.status = 200;
      },
    };
    // The readers above were made from these very schemas, which a conditional type cannot follow.
    const typed = request as RequestOf<Caller, Params, Query, Body>;
    const recorder =
      audit !== undefined && isAdminActor(actor)
        ? auditRecorder(audit, typed, { actor, action: definition.id, runsAsService: runAs === "service" })
        : null;
    const toStored = (sent: object) => storedResponse(registered.status, sent, definition.stored?.(sent));
    return run(typed, { c, registered, transaction, key: storesResponse ? key : null, recorder, toStored, page });
  }
  return { method, path, definition, respond };
}

/** Whether a request changes nothing, apart from the log of what super admins read. */
export function onlyReads(method: Method, { writes = method !== "GET" }: Definition): boolean {
  return writes !== true;
}

function purposeOf(method: Method, definition: Definition): Purpose {
  const { statements, whileSuspended, whileClosing } = definition;
  if (onlyReads(method, definition)) return statements === "any number" ? "read" : "single read";
  if (method === "GET" || whileClosing === "allowed") return "write while closing";
  return whileSuspended === "allowed" ? "write while suspended" : "write";
}

function splitRoute(route: Route): [Method, string] {
  const [method, path] = route.split(" ");
  return [Method.parse(method), path ?? ""];
}
