import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import type { ChainOfDay, SquadOfDay } from "#database/types.generated";
import { type ReadCheckIn, toReadCheckIn } from "../check-ins/check-ins.ts";
import type { PlayerCard } from "../schema.ts";
import type { Chain, Squad } from "./schema.ts";

/**
 * The caller's position in the chain of a date, with the check-ins of the caller and their neighbors.
 * @throws AppError 404 if they do not play on that date
 */
export async function readChain(
  tx: Tx,
  userId: string,
  date: string,
): Promise<{ chain: Chain; checkIns: readonly ReadCheckIn[] }> {
  const found = await call(tx, "read_chain", { userId, date, ofSquad: false });
  const currentUser = found === null ? null : cardOf(found, userId);
  if (found === null || currentUser === null) throw new AppError("game.no_chain");
  const chain = {
    beforeUser: cardOf(found, found.before_user_id),
    currentUser,
    afterUser: cardOf(found, found.after_user_id),
    teamColor: found.team_color,
    squad: found.squad === null ? null : squadOf(found, found.squad),
  };
  return { chain, checkIns: found.check_ins.map(toReadCheckIn) };
}

/** The caller's squad of a date, with its check-ins. @throws AppError 404 if they have none */
export async function readSquad(
  tx: Tx,
  userId: string,
  date: string,
): Promise<{ squad: Squad; checkIns: readonly ReadCheckIn[] }> {
  const found = await call(tx, "read_chain", { userId, date, ofSquad: true });
  if (found === null || found.squad === null) throw new AppError("game.no_squad");
  return { squad: squadOf(found, found.squad), checkIns: found.check_ins.map(toReadCheckIn) };
}

function squadOf(found: ChainOfDay, { user_1_id, user_2_id, user_3_id, team_color }: SquadOfDay): Squad {
  return {
    user1: cardOf(found, user_1_id),
    user2: cardOf(found, user_2_id),
    user3: cardOf(found, user_3_id),
    teamColor: team_color,
  };
}

/** The card of a player; null for none. */
function cardOf({ cards }: ChainOfDay, id: string | null): PlayerCard | null {
  return cards.find((card) => card.id === id) ?? null;
}
