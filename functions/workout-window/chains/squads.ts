import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { type ReadCheckIn, readCheckInsOf } from "../check-ins/check-ins.ts";
import type { PlayerCard, TeamColor } from "../schema.ts";
import { readCards } from "./player-cards.ts";
import type { Squad } from "./schema.ts";

/** The members of a stored squad; null for one who has left. */
export interface SquadMembers {
  readonly user_1_id: string | null;
  readonly user_2_id: string | null;
  readonly user_3_id: string | null;
}

/** The squad of a person on a date; null if they have none. */
export async function readSquadOf(
  tx: Tx,
  userId: string,
  date: string,
): Promise<(SquadMembers & { team_color: TeamColor }) | null> {
  const squad = await tx
    .selectFrom("chains as c")
    .innerJoin("squads as q", "q.id", "c.squad_id")
    .select(["q.user_1_id", "q.user_2_id", "q.user_3_id", "q.team_color"])
    .where("c.date", "=", date)
    .where("c.user_id", "=", userId)
    .executeTakeFirst();
  return squad ?? null;
}

/** The ids of the members who have not left. */
export function memberIds({ user_1_id, user_2_id, user_3_id }: SquadMembers): string[] {
  return [user_1_id, user_2_id, user_3_id].filter((id) => id !== null);
}

/** The members as players see them. */
export function memberCards({ user_1_id, user_2_id, user_3_id }: SquadMembers, cards: ReadonlyMap<string, PlayerCard>) {
  const card = (id: string | null) => cards.get(id ?? "") ?? null;
  return { user1: card(user_1_id), user2: card(user_2_id), user3: card(user_3_id) };
}

/** The caller's squad of a date, with its check-ins. @throws AppError 404 if they have none */
export async function readSquad(
  tx: Tx,
  userId: string,
  date: string,
): Promise<{ squad: Squad; checkIns: readonly ReadCheckIn[] }> {
  const squad = await readSquadOf(tx, userId, date);
  if (squad === null) throw new AppError("game.no_squad");
  const cards = await readCards(tx, date, memberIds(squad));
  return {
    squad: { ...memberCards(squad, cards), teamColor: squad.team_color },
    checkIns: await readCheckInsOf(tx, date, memberIds(squad)),
  };
}
