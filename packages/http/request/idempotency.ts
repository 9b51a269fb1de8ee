import { createHash } from "node:crypto";
import { sql } from "kysely";
import * as z from "zod";
import { AppError } from "#core/errors";
import { LENGTHS } from "#core/lengths.generated";
import { RESPONSE_KEPT_HOURS } from "#core/retention";
import { call } from "#database/call";
import type { Tx } from "#database/database";

/**
 * A command that has not ended after this time counts as dead. Longer than any function may take, because an admin's
 * request for a job carries a key as well.
 */
export const MAX_COMMAND_MINUTES = 6;

/** A request that may be a replay. */
export interface IdempotentRequest {
  readonly userId: string;
  /** Method and path, so that one key on two routes is two keys. */
  readonly route: string;
  readonly key: string;
  readonly bodyHash: string;
}

/** The request of a user that carries an Idempotency-Key. @throws AppError 400 if the key is not valid */
export function idempotentRequest(given: {
  readonly userId: string;
  readonly route: string;
  readonly idempotencyKey: string;
  readonly bodyText: string;
}): IdempotentRequest {
  const { userId, route, idempotencyKey, bodyText } = given;
  // Plain ASCII without spaces at the ends.
  const isPlain = /^(?! )[\x20-\x7e]+(?<! )$/.test(idempotencyKey);
  if (!isPlain || idempotencyKey.length > LENGTHS["private.idempotency_keys"].key.max) {
    throw new AppError("request.invalid_idempotency_key");
  }
  return { userId, route, key: idempotencyKey, bodyHash: hashBody(bodyText) };
}

/** Hashes a request body. */
export function hashBody(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

/** A response as it is sent. */
export interface SentResponse {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** The header of that name, if the body is a thing with a version. */
  readonly etag: string | null;
}

/** A response as it is stored. */
export interface StoredResponse extends SentResponse {
  /** The row that the body contains, if any; when that row is deleted, so is the stored response. */
  readonly resourceId: string | null;
}

const Row = z.object({ id: z.guid() });

/** How a response is stored, where that differs from the default. */
export interface Stored<Body> {
  /** Instead of the body that is sent, which contains a secret. */
  readonly body?: Body;
  /** The row that the body contains; by default its first field with an id, such as `entry`. */
  readonly resourceId?: string;
}

/** Prepares a response for storing. */
export function storedResponse(
  status: number,
  sent: object,
  etag: string | null = null,
  { body = sent, resourceId }: Stored<object> = {},
): StoredResponse {
  const [row] = Object.values(body).flatMap((value) => Row.safeParse(value).data ?? []);
  return { status, body: JSON.stringify(body), etag, resourceId: resourceId ?? row?.id ?? null };
}

/** Ends a command whose request is a replay. */
export class Replay extends Error {
  /** The response to the earlier request. */
  readonly response: SentResponse;

  constructor(response: SentResponse) {
    super("The request is a replay.");
    this.response = response;
  }
}

/**
 * Locks a key for this transaction, so that a command runs at most once per key: its response is stored in its own
 * transaction, and a crash leaves both or none. After an error the same key may be tried again.
 * @throws Replay if an earlier request has its response
 * @throws AppError 409 if the same request is still running, or if the key was used with another body
 */
export async function takeKey(tx: Tx, { route, key, bodyHash }: IdempotentRequest): Promise<void> {
  const [stored] = await call(tx, "take_idempotency_key", {
    route,
    key,
    bodyHash,
    kept: `${RESPONSE_KEPT_HOURS} hours`,
    maxCommandTime: `${MAX_COMMAND_MINUTES} minutes`,
  });
  if (stored !== undefined) throw new Replay(stored);
}

/**
 * Stores the response in the transaction that took the key.
 * @param response null if there is nothing to send yet
 * @param isFinal false before an external call: the key stays taken until `storeFinalResponse` or `releaseKey`. If the
 *   process dies, a later replay gets the stored response, or runs the command again if there is none
 */
export async function storeResponse(
  tx: Tx,
  { route, key, bodyHash }: IdempotentRequest,
  response: StoredResponse | null,
  isFinal: boolean,
): Promise<void> {
  await call(tx, "store_response", {
    route,
    key,
    bodyHash,
    status: response?.status,
    body: response?.body,
    etag: response?.etag,
    resourceId: response?.resourceId,
    isFinal,
  });
}

/** Stores the response of a command with an external call, in its last transaction. */
export async function storeFinalResponse(
  tx: Tx,
  request: IdempotentRequest,
  { status, body, etag, resourceId }: StoredResponse,
): Promise<void> {
  await tx
    .updateTable("private.idempotency_keys")
    .set({ status, body, etag, resource_id: resourceId, is_final: true })
    .where(isRowOf(request))
    .execute();
}

/** Releases the key of a command whose external call failed, so that it may be tried again. */
export async function releaseKey(tx: Tx, request: IdempotentRequest): Promise<void> {
  await tx.deleteFrom("private.idempotency_keys").where(isRowOf(request)).where("is_final", "=", false).execute();
}

function isRowOf({ userId, route, key }: IdempotentRequest) {
  return sql<boolean>`user_id = ${userId} and route = ${route} and key = ${key}`;
}
