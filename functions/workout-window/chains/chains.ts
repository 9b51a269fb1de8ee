import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { maybeOne } from "@nectar/database/query";
import { type ReadCheckIn, readCheckInsOf } from "../check-ins/check-ins.ts";
import type { PlayerCard, TeamColor } from "../schema.ts";
import type { Chain, Squad } from "./schema.ts";

/** A row of `private.read_chain`. */
interface ChainRow {
  readonly team_color: TeamColor;
  readonly before_user: PlayerCard | null;
  readonly own_card: PlayerCard;
  readonly after_user: PlayerCard | null;
  /** The caller and their neighbors. */
  readonly linked_user_ids: string[];
  readonly squad: Squad | null;
  readonly squad_user_ids: string[];
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
  const row = await readRow(tx, userId, date);
  if (row === undefined) throw new AppError("game.no_chain");
  const chain = {
    beforeUser: row.before_user,
    currentUser: row.own_card,
    afterUser: row.after_user,
    teamColor: row.team_color,
    squad: row.squad,
  };
  return { chain, checkIns: await readCheckInsOf(tx, date, row.linked_user_ids) };
}

/** The caller's squad of a date, with its check-ins. @throws AppError 404 if they have none */
export async function readSquad(
  tx: Tx,
  userId: string,
  date: string,
): Promise<{ squad: Squad; checkIns: readonly ReadCheckIn[] }> {
  const row = await readRow(tx, userId, date);
  if (row === undefined || row.squad === null) throw new AppError("game.no_squad");
  return { squad: row.squad, checkIns: await readCheckInsOf(tx, date, row.squad_user_ids) };
}

function readRow(tx: Tx, userId: string, date: string): Promise<ChainRow | undefined> {
  return maybeOne<ChainRow>(tx)`select * from private.read_chain(${userId}, ${date})`;
}
