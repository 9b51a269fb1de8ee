import type { Database, Program, Tx } from "#database/database";
import { POSITION_HEADER } from "../response/json-response.ts";
import type { AppContext } from "../services/context.ts";

/**
 * Whose rows an endpoint that only reads depends on, if a replica may serve it:
 * - `own`: every table that it reads shows a person only their own rows;
 * - `everybody's`: everyone gets the same;
 * - `shared`: also on memberships, shares and blocks. Withdrawing access takes effect at the next request, so these are
 *   read from the primary, unless the operator has decided otherwise.
 */
export type ReplicaUse = "own" | "everybody's" | "shared";

/**
 * A position is the moment of a write by the primary's clock, in microseconds, or nothing for who has written nothing lately.
 * A position of the write-ahead log would tell how much other people write.
 */
const POSITION = /^\d{0,16}$/;

/**
 * The database as a request sees it. If there are replicas, reads go there as far as the endpoint and the caller allow it,
 * and the response says when each transaction that may have written had ended.
 * @param program what calls for the person, which a replica does not know
 */
export function databaseFor(c: AppContext, replica: ReplicaUse | undefined, program?: Program): Database {
  const { database: shared, replicas } = c.services;
  const database: Database =
    program === undefined
      ? shared
      : {
          ...shared,
          asUser: (userId, work, purpose) => shared.asUser(userId, work, purpose, program),
        };
  if (replicas === null) return database;
  const writtenAt = program === undefined ? writtenAtOf(c, replica) : undefined;
  const onServe = (from: "replica" | "primary") => {
    c.replication.from = from;
  };
  /** Runs a transaction on the primary, and keeps its moment, also if it fails: a replay or a refusal tells of a write as well. */
  async function onPrimary<Result>(
    work: (tx: Tx) => Promise<Result>,
    transaction: (work: (tx: Tx) => Promise<Result>) => Promise<Result>,
  ): Promise<Result> {
    let last: Tx | undefined;
    onServe("primary");
    try {
      return await transaction((tx) => {
        last = tx;
        return work(tx);
      });
    } finally {
      if (last?.endedAt !== undefined) c.replication.position = last.endedAt;
    }
  }
  return {
    ...database,
    asUser: (userId, work, purpose = "write") =>
      writtenAt !== undefined && (purpose === "read once" || purpose === "read")
        ? replicas.read({ userId, writtenAt, work, purpose, onServe })
        : onPrimary(work, (noted) => database.asUser(userId, noted, purpose)),
    asService: (work) => onPrimary(work, (noted) => database.asService(noted)),
  };
}

/** When the caller last wrote; undefined if the request must be read from the primary. */
function writtenAtOf({ req, services }: AppContext, replica: ReplicaUse | undefined): number | undefined {
  if (replica === undefined || (replica === "shared" && !services.config.replicasShared)) return undefined;
  const position = req.header(POSITION_HEADER);
  return position !== undefined && POSITION.test(position) ? Number(position) : undefined;
}
