import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { type ReadCheckIn, readCheckInsOf } from "../check-ins/check-ins.ts";
import type { PlayerCard } from "../schema.ts";
import { readCards } from "./player-cards.ts";
import type { Squad } from "./schema.ts";

/** A squad as it is stored. */
export interface StoredSquad {
  /** The members; one who has left is missing. */
  readonly userIds: readonly string[];
  present(cards: ReadonlyMap<string, PlayerCard>): Squad;
}

/** A squad by its id; null when it is gone. */
export async function readSquadOf(tx: Tx, id: string): Promise<StoredSquad | null> {
  const row = await tx
    .selectFrom("squads")
    .select(["user_1_id", "user_2_id", "user_3_id", "team_color"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { user_1_id, user_2_id, user_3_id, team_color } = row;
  return {
    userIds: [user_1_id, user_2_id, user_3_id].filter((userId) => userId !== null),
    present: (cards) => ({
      user1: cards.get(user_1_id ?? "") ?? null,
      user2: cards.get(user_2_id ?? "") ?? null,
      user3: cards.get(user_3_id ?? "") ?? null,
      teamColor: team_color,
    }),
  };
}

/** The caller's squad of a date, with its check-ins. @throws AppError 404 when they have none */
export async function readSquad(
  tx: Tx,
  userId: string,
  date: string,
): Promise<{ squad: Squad; checkIns: readonly ReadCheckIn[] }> {
  const row = await tx
    .selectFrom("chains")
    .select("squad_id")
    .where("date", "=", date)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const squad = row === undefined || row.squad_id === null ? null : await readSquadOf(tx, row.squad_id);
  if (squad === null) throw new AppError("game.no_squad");
  const cards = await readCards(tx, date, squad.userIds);
  return { squad: squad.present(cards), checkIns: await readCheckInsOf(tx, date, squad.userIds) };
}
