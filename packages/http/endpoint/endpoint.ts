import * as z from "zod";
import type { ErrorCode, Issue } from "#core/errors";
import type { Tx } from "#database/database";
import { consumeQuota, type QuotaName } from "#database/quota";
import { type Access, onlyReads, transactionsFor } from "../access/access.ts";
import { type Audit, auditRecorder } from "../access/audit.ts";
import { type AdminActor, type Guard, isAdminActor } from "../access/guards.ts";
import type { ReplicaUse } from "../access/request-database.ts";
import {
  etagOf,
  expectedEtag,
  hasPresentState,
  lockVersion,
  readVersion,
  type VersionedThing,
} from "../request/conditions.ts";
import { idempotentRequest, Replay, type Stored, storedResponse } from "../request/idempotency.ts";
import {
  type BodyOf,
  type BodyReader,
  bodyReader,
  paramsReader,
  queryReader,
  type ReadBody,
} from "../request/inputs.ts";
import { type BodyKb, DEFAULT_BODY_KB } from "../request/request-body.ts";
import { jsonResponse, notModified } from "../response/json-response.ts";
import type { HtmlPage } from "../response/text-body.ts";
import type { AppContext } from "../services/context.ts";
import type { Services } from "../services/services.ts";
import type { Actor } from "../services/tokens.ts";
import { type Exchange, type InTransaction, runInSteps, runInTransaction, type Steps } from "./run.ts";

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
  readonly audit?: Audit<RequestInputs<Params, Body>, z.output<Returned>>;
  /** The role and the rights of its transactions; by default `read once` for a GET and `write` for all others. */
  readonly access?: Access;
  /** Whose rows it depends on, if it only reads and a replica may serve it. */
  readonly replica?: ReplicaUse;
  /**
   * The quota of the caller that it uses: its error and its sentence are in the reference. One unit is counted at the start
   * of the first transaction, or as many as `units` returns, or as many as the handler counts by `consumeQuota`.
   */
  readonly quota?: QuotaName | Quota<RequestInputs<Params, Body>>;
  /** A schema for each parameter of the path. */
  readonly params?: Params;
  readonly query?: Query;
  /** The schema of a JSON body, or a reader of another kind of body. */
  readonly body?: Body;
  /** The most kilobytes of a body of text; 64 by default. */
  readonly maxBodyKb?: BodyKb;
  /**
   * Further problems of a JSON body that its schema refuses: those that depend on what is stored, so that all are reported
   * at once. In a valid body the handler finds them.
   */
  storedProblems?(tx: Tx, body: unknown, params: OutputOf<Params>): Promise<readonly Issue[]>;
  /** Whether its body can be a photo or name one: a process takes one of a person at a time, and few of all people. */
  readonly takesPhoto?: true;
  /** The status of a successful response; 200 by default. "201 or 200": the handler calls `existed` for a 200. */
  readonly status?: 201 | "201 or 200";
  /**
   * The kind of thing that it is about, whose etag the handler sends by `tagged`. A GET takes `If-None-Match`, and PUT and
   * DELETE take `If-Match`, about the thing with the `id` of the path, or about the caller's profile.
   */
  readonly versioned?: VersionedThing;
  /** The schema of a successful response. */
  readonly response: Returned;
  /** The page for people whose browser asks for one. */
  readonly page?: HtmlPage;
  /** How the response is stored for replays, if it contains a secret or shows a row whose id is deeper inside. */
  stored?(body: z.output<Returned>): Stored<z.output<Returned>>;
  /** Errors of the handler. Those of guard, inputs and `Idempotency-Key` need not be listed. */
  readonly errors?: readonly ErrorCode[];
}

/** A quota of which an endpoint does not always use one unit. */
type Quota<Request> = {
  readonly name: QuotaName;
  /** Another quota that the handler counts, whose sentence is in the reference as well. */
  readonly further?: QuotaName;
} & ({ readonly counted: "by the handler" } | { units(request: Request): number });

/** The part of a request that the audit log and quotas may read. */
type RequestInputs<Params, Body> = Pick<
  EndpointRequest<unknown, OutputOf<Params>, unknown, BodyOf<Body>>,
  "params" | "body" | "requestId"
>;

/** The parameter of a handler, beside its transactions. */
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
}

/** An endpoint, ready for `groupApp`. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly definition: Definition;
  readonly respond: (c: AppContext) => Promise<Response>;
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
    request: RequestOf<Caller, Params, Query, Body> & InTransaction,
  ) => Promise<Result & NoExtraFields<Result, z.output<Returned>>>,
): Endpoint {
  return declare(route, definition, (request: RequestOf<Caller, Params, Query, Body>, exchange) =>
    runInTransaction(exchange, (inTransaction) => handler({ ...request, ...inTransaction })),
  );
}

/**
 * Declares an endpoint with several transactions, or none. The handler runs them one after the other with `commit` and
 * `respond`, or with `read`, and never waits for a vendor inside one. With `audit` it has at most one.
 */
export function endpointInSteps<
  const R extends Route,
  Caller extends Actor | null,
  Returned extends z.ZodType<object>,
  Result extends DeepReadonly<z.output<Returned>>,
  const Params extends Readonly<Record<ParamNames<R>, z.ZodType>> | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType<object> | BodyReader<unknown> | undefined = undefined,
>(
  route: R,
  definition: DefinitionOf<R, Caller, Params, Query, Body, Returned> & { readonly audit?: { readonly newId?: never } },
  handler: (
    request: RequestOf<Caller, Params, Query, Body> & Steps,
  ) => Promise<Result & NoExtraFields<Result, z.output<Returned>>>,
): Endpoint {
  return declare(route, definition, (request: RequestOf<Caller, Params, Query, Body>, exchange) =>
    runInSteps(exchange, (steps) => handler({ ...request, ...steps })),
  );
}

/** The parameters of a path with the id of a thing. */
const OfThing = z.object({ id: z.string() });

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
  run: (request: RequestOf<Caller, Params, Query, Body>, exchange: Exchange) => Promise<Response>,
): Endpoint {
  const [method, path] = splitRoute(route);
  const { id, guard, audit, replica, quota, status = 200, page = null, storedProblems, versioned } = definition;
  const access = accessOf(method, definition);
  if (access === "service" && method !== "GET" && guard.security.length > 0 && audit === undefined) {
    throw new Error(`${route}: only reading and what admins change may run as the service for a caller`);
  }
  if (replica !== undefined && (access === "service" || !onlyReads(method, access))) {
    throw new Error(`${route}: a replica serves only what a person reads`);
  }
  const readBody =
    definition.body === undefined
      ? async () => NO_BODY
      : bodyReader(definition.body, definition.maxBodyKb ?? DEFAULT_BODY_KB);
  // Mail programs, vendors and monitors may add parameters to the addresses that they were given.
  const isOpen = guard.security.length === 0;
  const readQuery = queryReader(definition.query ?? z.object({}), isOpen);
  const readParams = definition.params === undefined ? () => undefined : paramsReader(definition.params);
  const takesKey = method === "POST" && !onlyReads(method, access);

  async function respond(c: AppContext): Promise<Response> {
    const actor = await guard.identify(c);
    if (actor === null || definition.takesPhoto !== true) return respondTo(c, actor);
    return c.services.photoTurns.take(actor.userId, c.req.raw, () => respondTo(c, actor));
  }

  async function respondTo(c: AppContext, actor: Caller): Promise<Response> {
    const { services, requestId } = c;
    const userId = actor?.userId ?? null;
    const { value: body, text: bodyText } = await readBody(c, async (invalid) => {
      if (storedProblems === undefined) return [];
      const params = readParams(c.req.param()) as OutputOf<Params>;
      return transactionsFor(c, actor, "read, logged")((tx) => storedProblems(tx, invalid, params));
    });
    const header = (name: string) => c.req.header(name);
    // The readers were made from these very schemas, which a conditional type cannot follow.
    const request = {
      actor,
      params: readParams(c.req.param()),
      query: readQuery(c.req.url),
      body,
      services,
      now: services.clock.now(),
      requestId,
      header,
      bodyText,
    } as RequestOf<Caller, Params, Query, Body>;
    const sentKey = userId === null || method !== "POST" ? undefined : header("idempotency-key");
    const key =
      userId === null || sentKey === undefined
        ? null
        : idempotentRequest({ userId, route: `${method} ${c.req.path}`, idempotencyKey: sentKey, bodyText });
    const transaction = transactionsFor(c, actor, access, replica);
    const thingId =
      versioned === undefined || userId === null ? "" : (OfThing.safeParse(request.params).data?.id ?? userId);
    const ifNoneMatch = takesIfNoneMatch(method, definition) ? header("if-none-match") : undefined;
    if (versioned !== undefined && ifNoneMatch !== undefined) {
      const seen = await transaction((tx) => readVersion(tx, versioned, thingId));
      if (seen !== undefined && hasPresentState(ifNoneMatch, etagOf(seen))) return notModified(c, etagOf(seen));
    }
    const expected = takesIfMatch(method, definition) ? expectedEtag(header("if-match")) : undefined;
    const exchange: Exchange = {
      c,
      transaction,
      key: takesKey ? key : null,
      status: status === 200 ? 200 : 201,
      toStored: (sentStatus, sent, etag) => storedResponse(sentStatus, sent, etag, definition.stored?.(sent)),
      recorder:
        audit !== undefined && isAdminActor(actor)
          ? auditRecorder(audit, request, { actor, action: id, runsAsService: access === "service" })
          : null,
      count: async (tx) => {
        if (typeof quota === "string") await consumeQuota(tx, quota);
        else if (quota !== undefined && "units" in quota) await consumeQuota(tx, quota.name, quota.units(request));
      },
      lockVersion: async (tx) =>
        versioned === undefined || expected === undefined ? () => {} : lockVersion(tx, versioned, thingId, expected),
      page,
    };
    try {
      return await run(request, exchange);
    } catch (error) {
      if (!(error instanceof Replay)) throw error;
      const { status: sentStatus, body: jsonText, etag } = error.response;
      return jsonResponse(
        c,
        sentStatus,
        { jsonText },
        { "idempotent-replayed": "true", ...(etag !== null && { etag }) },
      );
    }
  }
  return { method, path, access, definition, respond };
}

/** Whether a reader who has the present state of the thing gets 304. */
export function takesIfNoneMatch(method: Method, { versioned }: Pick<Definition, "versioned">): boolean {
  return versioned !== undefined && method === "GET";
}

/** Whether a writer may say which state of the thing the command is about. */
export function takesIfMatch(method: Method, { versioned }: Pick<Definition, "versioned">): boolean {
  return versioned !== undefined && (method === "PUT" || method === "DELETE");
}

function accessOf(method: Method, { access }: Pick<Definition, "access">): Access {
  return access ?? (method === "GET" ? "read once" : "write");
}

function splitRoute(route: Route): [Method, string] {
  const [method, path] = route.split(" ");
  return [Method.parse(method), path ?? ""];
}
