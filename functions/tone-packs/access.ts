import { sql } from "kysely";
import { AppError } from "#core/errors";
import type { Card } from "#core/people/card";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { lockAccounts, requireReachable } from "#database/profiles";
import { consumeQuota } from "#database/quota";
import { type PageQuery, readPage } from "#http/response/paging";
import { lockOwnPack, requireOwnPack } from "./packs.ts";
import type { NewShare, PurchaseResponse, ShareResponse } from "./schema.ts";

/**
 * Counts an attempt to share a pack of the caller with an address. Commit it before the address is looked up, so that
 * attempts with unknown addresses count as well.
 * @throws AppError 403 or 404 for the pack, 429 if the quota is used up
 */
export async function countShareByAddress(tx: Tx, packId: string): Promise<void> {
  await lockOwnPack(tx, packId);
  await consumeQuota(tx, "tone_pack_share");
}

/**
 * Shares a pack of the caller; sharing again changes nothing. A share by address is a row of its own and does not reveal the
 * recipient's id.
 * @throws AppError 400 for the caller as recipient, 403 or 404 for the pack, 404 for the recipient, also with
 *   a block between the two
 */
export async function sharePack(tx: Tx, ownerId: string, packId: string, share: NewShare): Promise<ShareResponse> {
  const byAddress = share.user_id === undefined;
  const userId = share.user_id ?? (await findUser(tx, share.email ?? ""));
  // Before the pack, in the same order as a block, to avoid deadlocks.
  await call(tx, "lock_pair", { one: ownerId, other: userId, shared: true });
  await lockOwnPack(tx, packId);
  if (userId === ownerId) throw new AppError("tone_pack.self_share");
  await requireReachable(tx, userId);
  await tx
    .insertInto("tone_pack_shares")
    .values({ pack_id: packId, user_id: userId, by_address: byAddress, email: share.email ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id, created_at } = await tx
    .selectFrom("tone_pack_shares")
    .select(["id", "created_at"])
    .where("pack_id", "=", packId)
    .where("user_id", "=", userId)
    .where("by_address", "=", byAddress)
    .executeTakeFirstOrThrow();
  return {
    message: "The tone pack is shared.",
    share: { id, pack_id: packId, user_id: byAddress ? null : userId, created_at },
  };
}

/** A page of the shares of a pack of the caller, newest first. @throws AppError 403 or 404 for the pack */
export async function listShares(tx: Tx, packId: string, query: PageQuery) {
  await requireOwnPack(tx, packId);
  const shares = tx
    .selectFrom("tone_pack_shares")
    .select(["id", "email", "created_at"])
    .select(
      sql<Card | null>`(
        select to_jsonb(row(p.id, p.full_name, p.avatar_url, p.is_ai)::private.card) from profiles p
        where p.id = tone_pack_shares.user_id and not tone_pack_shares.by_address
      )`.as("user"),
    )
    .where("pack_id", "=", packId);
  const { rows, next_cursor } = await readPage(shares, query);
  return { shares: rows, next_cursor };
}

/**
 * Ends a share, as the owner or as the recipient.
 * @param recipientOrShare the recipient's user id, which ends every share with them, or for the owner the id of a share
 * @throws AppError 403 for another user's share, 404
 */
export async function unsharePack(tx: Tx, actorId: string, packId: string, recipientOrShare: string): Promise<void> {
  const pack = await tx.selectFrom("tone_packs").select("owner_id").where("id", "=", packId).executeTakeFirst();
  if (pack === undefined) throw new AppError("tone_pack.not_found");
  if (pack.owner_id !== actorId && recipientOrShare !== actorId) throw new AppError("tone_pack.not_yours");
  const shares = await tx
    .selectFrom("tone_pack_shares")
    .select(["id", "user_id"])
    .where("pack_id", "=", packId)
    .where((eb) =>
      recipientOrShare === actorId
        ? eb("user_id", "=", actorId)
        : eb.or([eb("id", "=", recipientOrShare), eb("user_id", "=", recipientOrShare)]),
    )
    .execute();
  // Before the shares, in the same order as account deletion, to avoid deadlocks.
  await lockAccounts(
    tx,
    shares.map(({ user_id }) => user_id),
  );
  const ended = await tx
    .deleteFrom("tone_pack_shares")
    .where((eb) => eb("id", "=", sql<string>`any(${shares.map(({ id }) => id)}::uuid[])`))
    .returning("id")
    .execute();
  if (ended.length === 0) throw new AppError("tone_pack.share_not_found");
}

/** Makes a pack the caller's active one. @throws AppError 402 if they must buy it first, 404 */
export async function activatePack(tx: Tx, packId: string): Promise<void> {
  const activated = await call(tx, "activate_tone_pack", { packId });
  if (!activated) throw new AppError("tone_pack.not_purchased");
}

/**
 * Buys a pack for the caller in one round trip, because pack and account are locked meanwhile.
 * @param expectedPrice if given, nothing is bought at another price
 * @throws AppError 400 for an own pack, 402 without enough drops, 404, 409 for a pack bought before or another price
 */
export async function purchasePack(
  tx: Tx,
  packId: string,
  expectedPrice: number | undefined,
): Promise<PurchaseResponse> {
  const receipt = await call(tx, "purchase_tone_pack", { packId, expectedPrice });
  return { ...receipt, transaction: { ...receipt.transaction, type: "purchase", item_type: "tone_pack" } };
}

async function findUser(tx: Tx, email: string): Promise<string> {
  const id = await call(tx, "person_with_email", { address: email });
  if (id === null) throw new AppError("user.not_found");
  return id;
}
