import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { type ReadCheckIn, readCheckInsOf } from "../check-ins/check-ins.ts";
import { readCards } from "./player-cards.ts";
import type { Chain } from "./schema.ts";
import { readSquadOf } from "./squads.ts";

/**
 * The caller's place in the chains of a date, with the check-ins of the caller and their neighbours.
 * @throws AppError 404 when they do not play on that date
 */
export async function readChain(
  tx: Tx,
  userId: string,
  date: string,
): Promise<{ chain: Chain; checkIns: readonly ReadCheckIn[] }> {
  const row = await tx
    .selectFrom("chains")
    .select(["before_user_id", "after_user_id", "team_color", "squad_id"])
    .where("date", "=", date)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const squad = row === undefined || row.squad_id === null ? null : await readSquadOf(tx, row.squad_id);
  const linked = [row?.before_user_id, userId, row?.after_user_id].filter((id) => id != null);
  const cards = await readCards(tx, date, [...linked, ...(squad?.userIds ?? [])]);
  const cardOf = (id: string | null) => cards.get(id ?? "") ?? null;
  const currentUser = cardOf(userId);
  if (row === undefined || currentUser === null) {
    throw new AppError("game.no_chain");
  }
  const chain = {
    beforeUser: cardOf(row.before_user_id),
    currentUser,
    afterUser: cardOf(row.after_user_id),
    teamColor: row.team_color,
    squad: squad === null ? null : squad.present(cards),
  };
  return { chain, checkIns: await readCheckInsOf(tx, date, linked) };
}
