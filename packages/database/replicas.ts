import pg from "pg";
import type { Position, PrimaryDatabase, Purpose } from "./database.ts";
import { isLagging, isUnavailable, isWorthThePrimary } from "./errors.ts";
import { type Connections, openPool, type Pool, type PoolOptions } from "./pool.ts";
import type { Tx } from "./transaction.ts";

/** After so many failures within so many milliseconds, a replica is left alone for a while. */
const MAX_FAILURES = 3;
const FAILURES_WITHIN_MS = 10_000;
const LEFT_ALONE_MS = 30_000;
/** A replica that does not accept a connection within so many milliseconds costs the caller more than it saves. */
const CONNECTION_TIMEOUT_MS = 1_000;
/** How often the position of the primary is read, as a part of the time that a replica may lag. */
const POSITIONS_PER_LAG = 5;

/** A read that may go to a replica. */
export interface ReplicaRead<Result> {
  readonly userId: string;
  /** The moment after the caller's last write by the primary's clock, in microseconds; 0 if they have written nothing lately. */
  readonly writtenAt: number;
  /** May run twice: on a replica, and on the primary. */
  readonly work: (tx: Tx) => Promise<Result>;
  readonly purpose: Extract<Purpose, "read once" | "read">;
  /** Called with the server whose result is returned. */
  readonly onServe: (from: "replica" | "primary") => void;
}

export interface ReplicaState {
  readonly connections: Connections;
  /** Seconds by which it is behind the primary; Infinity if that cannot be found out. */
  readonly lagSeconds: number;
}

/** Streaming replicas of the database. They never show less than what the primary had committed before the maximum lag. */
export interface Replicas {
  /** Runs a transaction that reads on a replica, or on the primary if no replica can do it now. @throws as `Database.asUser` */
  read<Result>(read: ReplicaRead<Result>): Promise<Result>;
  /** Looks at each replica, in the order of their addresses. */
  states(): Promise<ReplicaState[]>;
  close(): Promise<void>;
}

/** Opens replicas, with a pool of connections to each. @param primary serves what no replica can */
export function openReplicas(
  primary: PrimaryDatabase,
  {
    urls,
    maxLagMs,
    ...options
  }: Omit<PoolOptions, "url"> & { readonly urls: readonly string[]; readonly maxLagMs: number },
): Replicas {
  const replicas = urls.map(
    (url) => new Replica(openPool({ connectionTimeoutMs: CONNECTION_TIMEOUT_MS, ...options, url })),
  );
  const bounds = new Bounds(primary, maxLagMs);
  let turn = 0;

  function nextReplica(): Replica | undefined {
    turn += 1;
    const usable = replicas.filter((replica) => replica.isUsable());
    return usable[turn % usable.length];
  }

  return {
    async read({ onServe, ...read }) {
      const bound = bounds.current(read.writtenAt);
      const replica = bound === undefined ? undefined : nextReplica();
      if (bound !== undefined && replica !== undefined) {
        try {
          const result = await replica.read(read, bound);
          onServe("replica");
          return result;
        } catch (error) {
          if (isUnavailable(error) || (isLagging(error) && !bound.isRecent)) replica.countFailure();
          if (!isWorthThePrimary(error)) throw error;
        }
      }
      onServe("primary");
      return primary.asUser(read.userId, read.work, read.purpose);
    },
    async states() {
      const reached = await primary.position().catch(() => null);
      return Promise.all(
        replicas.map(async (replica) => ({
          connections: replica.pool.connections(),
          lagSeconds: reached === null ? Number.POSITIVE_INFINITY : await replica.lagSeconds(reached),
        })),
      );
    },
    close: async () => void (await Promise.all(replicas.map(({ pool }) => pool.close()))),
  };
}

/** What a replica must have reached to serve a read. */
interface Bound {
  /** A position that is no older than the maximum lag. */
  readonly position: string;
  /** A position that has what the caller wrote; empty if they have written nothing lately. */
  readonly written: string;
  readonly isRecent: boolean;
}

/**
 * The seconds since the last transaction that a replica shows; 0 if it has all of the primary, which may be idle. The moment
 * is the primary's, so no clock is compared with another.
 */
const LAG = `
  select case
      when pg_last_wal_replay_lsn() >= $1::pg_lsn then 0
      else greatest(0, $2::float8 / 1000000 - extract(epoch from pg_last_xact_replay_timestamp())::float8)
    end as seconds`;

class Replica {
  readonly pool: Pool;
  #failures: number[] = [];
  #leftAloneUntil = 0;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  isUsable(): boolean {
    return performance.now() >= this.#leftAloneUntil;
  }

  countFailure(): void {
    const now = performance.now();
    this.#failures = [...this.#failures.filter((at) => at > now - FAILURES_WITHIN_MS), now];
    if (this.#failures.length < MAX_FAILURES) return;
    this.#failures = [];
    this.#leftAloneUntil = now + LEFT_ALONE_MS;
  }

  async lagSeconds({ moment, flushed }: Position): Promise<number> {
    try {
      const [row] = await this.pool.query<{ seconds: number | null }>(LAG, [flushed, moment]);
      return row?.seconds ?? Number.POSITIVE_INFINITY;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  read<Result>(
    { userId, work, purpose }: Omit<ReplicaRead<Result>, "onServe">,
    { position, written }: Bound,
  ): Promise<Result> {
    const values = [userId, written, position];
    if (purpose === "read once") {
      const text = "call private.begin_on_replica($1, $2, $3)";
      return this.pool.singleRead({ name: "single_read_on_replica", text, values }, work);
    }
    const text = `begin; call private.begin_on_replica(${values.map(pg.escapeLiteral).join(", ")})`;
    return this.pool.transaction({ text, role: "nectar_user", reads: true }, work);
  }
}

/**
 * The positions of the primary in the last seconds. A replica that has reached one of them lags no more than the time since
 * then, whatever it says about itself: one that is cut off does not know how far behind it is.
 */
class Bounds {
  readonly #primary: PrimaryDatabase;
  readonly #maxLagMs: number;
  /** The oldest first. */
  #known: { readonly at: number; readonly moment: number; readonly position: string }[] = [];
  #isReading = false;

  constructor(primary: PrimaryDatabase, maxLagMs: number) {
    this.#primary = primary;
    this.#maxLagMs = maxLagMs;
  }

  /**
   * The oldest position that is no older than the maximum lag, and the first one after the caller's last write; undefined if
   * one of them is not known yet. After a pause it is recent, and asks for less lag than is allowed.
   */
  current(writtenAt: number): Bound | undefined {
    const now = performance.now();
    this.#known = this.#known.filter(({ at }) => at >= now - this.#maxLagMs);
    const newest = this.#known.at(-1);
    const isOld = newest === undefined || newest.at < now - this.#maxLagMs / POSITIONS_PER_LAG;
    if (isOld || newest.moment <= writtenAt) void this.#readNext(now);
    const [oldest] = this.#known;
    const after = this.#known.find(({ moment }) => moment > writtenAt);
    if (oldest === undefined || after === undefined) return undefined;
    const written = writtenAt === 0 ? "" : after.position;
    return { position: oldest.position, written, isRecent: oldest.at > now - this.#maxLagMs / 2 };
  }

  async #readNext(now: number): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const { moment, position } = await this.#primary.position();
      this.#known.push({ at: now, moment: Number(moment), position });
    } catch {
      // Without a position, reads go to the primary, which reports what is wrong.
    } finally {
      this.#isReading = false;
    }
  }
}
