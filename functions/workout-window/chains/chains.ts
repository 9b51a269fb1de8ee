import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { type ReadCheckIn, readCheckInsOf } from "../check-ins/check-ins.ts";
import { readCards } from "./player-cards.ts";
import type { Chain } from "./schema.ts";
import { memberCards, memberIds, readSquadOf } from "./squads.ts";

/**
 * The caller's position in the chain of a date, with the check-ins of the caller and their neighbors.
 * @throws AppError 404 if they do not play on that date
 */
export async function readChain(
  tx: Tx,
  userId: string,
  date: string,
): Promise<{ chain: Chain; checkIns: readonly ReadCheckIn[] }> {
  const row = await tx
    .selectFrom("chains")
    .select(["before_user_id", "after_user_id", "team_color"])
    .where("date", "=", date)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const squad = await readSquadOf(tx, userId, date);
  const linked = [row?.before_user_id, userId, row?.after_user_id].filter((id) => id != null);
  const cards = await readCards(tx, date, [...linked, ...(squad === null ? [] : memberIds(squad))]);
  const currentUser = cards.get(userId);
  if (row === undefined || currentUser === undefined) throw new AppError("game.no_chain");
  const chain = {
    beforeUser: cards.get(row.before_user_id ?? "") ?? null,
    currentUser,
    afterUser: cards.get(row.after_user_id ?? "") ?? null,
    teamColor: row.team_color,
    squad: squad === null ? null : { ...memberCards(squad, cards), teamColor: squad.team_color },
  };
  return { chain, checkIns: await readCheckInsOf(tx, date, linked) };
}
