import { createHash } from "node:crypto";
import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { sql } from "kysely";

/** How long an answer is kept. */
export const KEPT_HOURS = 24;

/** A request that may be a replay. */
export interface IdempotentRequest {
  readonly userId: string;
  /** Method and path, so that one key on two routes is two keys. */
  readonly route: string;
  readonly key: string;
  readonly bodyHash: string;
}

/** An answer as it is sent. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** Checks the header. @throws AppError 400 when it is empty, too long or not plain ASCII */
export function readIdempotencyKey(header: string): string {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) {
    throw new AppError("request.invalid_idempotency_key", "Idempotency-Key must be 1 to 255 plain ASCII characters.");
  }
  return header;
}

/** Fingerprint of a request body. */
export function hashBody(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

/**
 * Runs a command at most once per key: its answer is stored in the command's own transaction, so that a crash leaves
 * both or none. Only successful answers are kept; after an error the same key may be tried again.
 * @throws AppError 409 when the same request is still running, or when the key was used with another body
 */
export async function runOnce(
  tx: Tx,
  request: IdempotentRequest,
  run: () => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  const { rows: locks } = await sql<{ acquired: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${request.userId} ${request.route} ${request.key}`}, 0)) as acquired
  `.execute(tx);
  if (locks[0]?.acquired !== true) {
    throw new AppError("idempotency.in_progress", "The same request is still running.");
  }
  const stored = await storedAnswer(tx, request);
  if (stored !== undefined) {
    if (stored.body_hash !== request.bodyHash) {
      throw new AppError("idempotency.key_reused", "This Idempotency-Key was used with another body.");
    }
    return { status: stored.status, body: stored.body, replayed: true };
  }
  const answer = await run();
  await tx
    .insertInto("private.idempotency_keys")
    .values({ route: request.route, key: request.key, body_hash: request.bodyHash, ...answer })
    .execute();
  return { ...answer, replayed: false };
}

/** Finds the answer of an earlier run, and clears away one that has outlived its time. */
async function storedAnswer(tx: Tx, request: IdempotentRequest) {
  await tx
    .deleteFrom("private.idempotency_keys")
    .where("user_id", "=", request.userId)
    .where("route", "=", request.route)
    .where("key", "=", request.key)
    .where("created_at", "<", sql<string>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute();
  return tx
    .selectFrom("private.idempotency_keys")
    .select(["status", "body", "body_hash"])
    .where("user_id", "=", request.userId)
    .where("route", "=", request.route)
    .where("key", "=", request.key)
    .executeTakeFirst();
}
