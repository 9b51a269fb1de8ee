import { createHash } from "node:crypto";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";
import { sql } from "kysely";
import * as z from "zod";

/** How long a response is kept for replays. */
export const RESPONSE_KEPT_HOURS = 24;

/**
 * After this long a command that has not ended is taken for dead. Longer than any function may take, because an admin's
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

/** The request of a user that carries an Idempotency-Key. @throws AppError 400 when the key is not valid */
export function idempotentRequest(given: {
  readonly userId: string;
  readonly route: string;
  readonly idempotencyKey: string;
  readonly bodyText: string;
}): IdempotentRequest {
  const { userId, route, idempotencyKey, bodyText } = given;
  return { userId, route, key: readIdempotencyKey(idempotencyKey), bodyHash: hashBody(bodyText) };
}

/** A response as it is sent. */
export interface SentResponse {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** A response on its way into the database. */
export interface StoredResponse extends SentResponse {
  /** The row that the body holds, if any; when that row is deleted, so is the stored response. */
  readonly resourceId: string | null;
}

/** A response as it is sent and stored. The row that the body holds is its first field with an id, such as `entry`. */
export function storedResponse(status: number, body: object): StoredResponse {
  const [row] = Object.values(body).flatMap((value) => Row.safeParse(value).data ?? []);
  return { status, body: JSON.stringify(body), resourceId: row?.id ?? null };
}

const Row = z.object({ id: z.guid() });

/** Checks the header. @throws AppError 400 when it is empty, too long or not plain ASCII */
function readIdempotencyKey(header: string): string {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) {
    throw new AppError("request.invalid_idempotency_key");
  }
  return header;
}

/** Fingerprint of a request body. */
export function hashBody(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

/**
 * Runs a command at most once per key: its response is stored in the command's own transaction, so that a crash leaves
 * both or none. Only successful responses are kept; after an error the same key may be tried again.
 * @throws AppError 409 when the same request is still running, or when the key was used with another body
 */
export async function replayOrRun(
  tx: Tx,
  request: IdempotentRequest,
  run: () => Promise<StoredResponse>,
): Promise<SentResponse & { replayed: boolean }> {
  const earlier = await readEarlierResponse(tx, request);
  if (earlier !== null) return { ...earlier, replayed: true };
  const response = await run();
  await tx
    .insertInto("private.idempotency_keys")
    .values({ route: request.route, key: request.key, body_hash: request.bodyHash, ...columnsOf(response) })
    .execute();
  return { ...response, replayed: false };
}

/**
 * The first transaction of a command with an external call: as `replayOrRun`, but unless it is final the key stays taken until
 * `storeFinalResponse`, `keepProvisionalResponse` or `releaseKey`. If the process dies in between, a later replay gets the stored
 * response, or may run again if there is none.
 * @param run what the first transaction does; returns its result and the response to store
 * @throws AppError 409 when the same request is still running, or when the key was used with another body
 */
export async function replayOrRunFirstPhase<Result>(
  tx: Tx,
  request: IdempotentRequest,
  run: () => Promise<{ result: Result; stored: StoredResponse | null; isFinal: boolean }>,
): Promise<{ replay: SentResponse } | Result> {
  const earlier = await readEarlierResponse(tx, request);
  if (earlier !== null) return { replay: earlier };
  const { result, stored, isFinal } = await run();
  await tx
    .insertInto("private.idempotency_keys")
    .values({
      route: request.route,
      key: request.key,
      body_hash: request.bodyHash,
      ...(stored === null ? {} : columnsOf(stored)),
      is_final: isFinal,
    })
    .execute();
  return result;
}

/** Stores the response of a command with an external call, in its second transaction. */
export async function storeFinalResponse(tx: Tx, request: IdempotentRequest, response: StoredResponse): Promise<void> {
  await tx
    .updateTable("private.idempotency_keys")
    .set({ ...columnsOf(response), is_final: true })
    .where("user_id", "=", request.userId)
    .where("route", "=", request.route)
    .where("key", "=", request.key)
    .execute();
}

/** Makes the provisional response final, after the external call of a command failed. */
export async function keepProvisionalResponse(tx: Tx, request: IdempotentRequest): Promise<void> {
  await tx
    .updateTable("private.idempotency_keys")
    .set({ is_final: true })
    .where("user_id", "=", request.userId)
    .where("route", "=", request.route)
    .where("key", "=", request.key)
    .execute();
}

/** Releases the key of a command whose external call failed, so that it may be tried again. */
export async function releaseKey(tx: Tx, request: IdempotentRequest): Promise<void> {
  await tx
    .deleteFrom("private.idempotency_keys")
    .where("user_id", "=", request.userId)
    .where("route", "=", request.route)
    .where("key", "=", request.key)
    .where("is_final", "=", false)
    .execute();
}

function columnsOf({ status, body, resourceId }: StoredResponse) {
  return { status, body, resource_id: resourceId };
}

/** Locks the key for this transaction and reads the response to an earlier request; null if this one may run. */
async function readEarlierResponse(tx: Tx, request: IdempotentRequest): Promise<SentResponse | null> {
  const { acquired } = await one<{ acquired: boolean }>(tx)`
    select pg_try_advisory_xact_lock(hashtextextended(${`${request.userId} ${request.route} ${request.key}`}, 0)) as acquired
  `;
  if (!acquired) throw new AppError("idempotency.in_progress");
  await removeExpired(tx, request);
  const stored = await tx
    .selectFrom("private.idempotency_keys")
    .select(["status", "body", "body_hash", "is_final"])
    .select(sql<boolean>`created_at > now() - make_interval(mins => ${MAX_COMMAND_MINUTES})`.as("is_young"))
    .where("user_id", "=", request.userId)
    .where("route", "=", request.route)
    .where("key", "=", request.key)
    .executeTakeFirst();
  if (stored === undefined) return null;
  if (stored.body_hash !== request.bodyHash) {
    throw new AppError("idempotency.key_reused");
  }
  if (!stored.is_final && stored.is_young) throw new AppError("idempotency.in_progress");
  if (stored.status !== null && stored.body !== null) return { status: stored.status, body: stored.body };
  await releaseKey(tx, request);
  return null;
}

async function removeExpired(tx: Tx, request: IdempotentRequest): Promise<void> {
  await tx
    .deleteFrom("private.idempotency_keys")
    .where("user_id", "=", request.userId)
    .where("route", "=", request.route)
    .where("key", "=", request.key)
    .where("created_at", "<", sql<string>`now() - make_interval(hours => ${RESPONSE_KEPT_HOURS})`)
    .execute();
}
