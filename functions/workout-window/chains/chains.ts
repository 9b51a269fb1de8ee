import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { value } from "#database/query";
import { type CheckInObjects, checkInsOf, type ReadCheckIn } from "../check-ins/check-ins.ts";
import type { PlayerCard, TeamColor } from "../schema.ts";
import type { Chain, Squad } from "./schema.ts";

/** An object of `private.read_chain`. */
interface ChainObject {
  readonly team_color: TeamColor;
  readonly before_user_id: string | null;
  readonly after_user_id: string | null;
  readonly squad: SquadObject | null;
  /** Keys are ids of players. */
  readonly cards: Readonly<Record<string, PlayerCard>>;
  readonly check_ins: CheckInObjects;
}

interface SquadObject {
  readonly user_1_id: string | null;
  readonly user_2_id: string | null;
  readonly user_3_id: string | null;
  readonly team_color: TeamColor;
}

/**
 * The caller's position in the chain of a date, with the check-ins of the caller and their neighbors.
 * @throws AppError 404 if they do not play on that date
 */
export async function readChain(
  tx: Tx,
  userId: string,
  date: string,
): Promise<{ chain: Chain; checkIns: readonly ReadCheckIn[] }> {
  const found = await readObject(tx, userId, date, { ofSquad: false });
  const currentUser = found?.cards[userId];
  if (found === null || currentUser === undefined) throw new AppError("game.no_chain");
  const chain = {
    beforeUser: cardOf(found, found.before_user_id),
    currentUser,
    afterUser: cardOf(found, found.after_user_id),
    teamColor: found.team_color,
    squad: found.squad === null ? null : squadOf(found, found.squad),
  };
  return { chain, checkIns: checkInsOf(found.check_ins) };
}

/** The caller's squad of a date, with its check-ins. @throws AppError 404 if they have none */
export async function readSquad(
  tx: Tx,
  userId: string,
  date: string,
): Promise<{ squad: Squad; checkIns: readonly ReadCheckIn[] }> {
  const found = await readObject(tx, userId, date, { ofSquad: true });
  if (found === null || found.squad === null) throw new AppError("game.no_squad");
  return { squad: squadOf(found, found.squad), checkIns: checkInsOf(found.check_ins) };
}

/** @param options.ofSquad whether the check-ins are those of the squad, instead of the person and the neighbors */
function readObject(
  tx: Tx,
  userId: string,
  date: string,
  { ofSquad }: { readonly ofSquad: boolean },
): Promise<ChainObject | null> {
  return value<ChainObject | null>(tx)`select private.read_chain(${userId}, ${date}, ${ofSquad})`;
}

function squadOf(found: ChainObject, { user_1_id, user_2_id, user_3_id, team_color }: SquadObject): Squad {
  return {
    user1: cardOf(found, user_1_id),
    user2: cardOf(found, user_2_id),
    user3: cardOf(found, user_3_id),
    teamColor: team_color,
  };
}

/** The card of a player; null for none. */
function cardOf({ cards }: ChainObject, id: string | null): PlayerCard | null {
  return id === null ? null : (cards[id] ?? null);
}
