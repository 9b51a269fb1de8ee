import pg from "pg";
import { type Connections, MOMENT, openPool, type PoolOptions } from "./pool.ts";
import type { Tx } from "./transaction.ts";

export type { Tx } from "./transaction.ts";

/**
 * What a user's transaction does. One that writes locks the account, so that it is not deleted before the end. In one that
 * reads, PostgreSQL refuses to write, and the caller does not wait for its end. `read once` has exactly one statement,
 * which costs the least; another one, or none, is an error. A statement that reads may take 4 seconds (see
 * `private.begin_as_user`), in the background and where it writes 15. Suspended people may read, and write only where it is
 * said; so may people whose account is closing, in fewer places.
 */
export type Purpose =
  | "read once"
  | "read"
  | "read in the background"
  | "write"
  | "write while suspended"
  | "write while closing";

/** A program that calls for a person. It has no role. */
export interface Program {
  /** Its personal token, before whose end its writes end; null for a program of others, which has an access token. */
  readonly tokenId: string | null;
  /** Those of its personal token. */
  readonly scopes: readonly string[];
}

/** A personal token that was found. */
export interface UsedToken {
  readonly id: string;
  readonly userId: string;
  readonly scopes: readonly string[];
}

/**
 * The only access to the data. Every transaction runs as one of two roles, to which row-level security applies, and is
 * rolled back if it throws.
 */
export interface Database {
  /**
   * Runs a transaction as a user: role `nectar_user`, with the user's id where the policies read it.
   * @param purpose default: "write"
   * @param program what calls for them; undefined if they call themselves
   * @throws AppError 401 if the account or the token does not exist any more; 403 if it is suspended or closing; 403, 503 or a code raised in SQL, as in errors.ts
   */
  asUser<Result>(
    userId: string,
    work: (tx: Tx) => Promise<Result>,
    purpose?: Purpose,
    program?: Program,
  ): Promise<Result>;
  /**
   * Runs a transaction as the service: role `nectar_service`. Only for jobs, tasks, webhooks, admin routes, and the few
   * others that tests/architecture/imports.test.ts lists.
   */
  asService<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Finds a personal token, and records that it is used.
   * @param hash its SHA-256
   * @returns null if it does not exist or has expired
   * @throws AppError 503
   */
  useToken(hash: Buffer): Promise<UsedToken | null>;
  /** Checks that the database responds. @throws AppError 503 */
  ping(): Promise<void>;
  connections(): Connections;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** A place in the write-ahead log. */
export interface Position {
  /** By the clock of the server, in microseconds, as text. */
  readonly moment: string;
  /** As text of `pg_lsn`, like the next one. */
  readonly position: string;
  /** The end of what replicas can have. */
  readonly flushed: string;
}

/** The database that takes all writes. */
export interface PrimaryDatabase extends Database {
  /** Reads the end of the write-ahead log, which has everything that was committed before the moment. @throws AppError 503 */
  position(): Promise<Position>;
}

/** Opens the database that takes all writes. */
export function openDatabase(options: PoolOptions): PrimaryDatabase {
  const pool = openPool(options);
  return {
    asUser: (userId, work, purpose = "write", program) =>
      purpose === "read once"
        ? pool.singleRead(
            {
              name: "single_read",
              text: SINGLE_READ,
              values: [userId, program?.tokenId ?? null, String(program !== undefined)],
            },
            work,
          )
        : pool.transaction(
            { text: beginAsUser(userId, purpose, program), role: "nectar_user", reads: purpose.startsWith("read") },
            work,
          ),
    asService: (work) => pool.transaction({ text: BEGIN_AS_SERVICE, role: "nectar_service", reads: false }, work),
    async useToken(hash) {
      const [token] = await pool.query<UsedToken>(USE_TOKEN, [hash]);
      return token ?? null;
    },
    async position() {
      const [row] = await pool.query<Position>(
        `${MOMENT}, pg_current_wal_insert_lsn()::text as position, pg_current_wal_flush_lsn()::text as flushed`,
      );
      if (row === undefined) throw new Error("The database has no position.");
      return row;
    },
    ping: async () => void (await pool.query("select 1")),
    connections: pool.connections,
    close: pool.close,
  };
}

const SINGLE_READ = "call private.begin_as_user($1, false, p_token_id => $2, p_is_program => $3)";
const USE_TOKEN = 'select id, user_id as "userId", scopes from private.use_token($1)';
const BEGIN_AS_SERVICE = "begin; set local role nectar_service; set local request.jwt.claims = '{}'";

function beginAsUser(userId: string, purpose: Purpose, program: Program | undefined): string {
  const writes = !purpose.startsWith("read");
  const whileClosing = purpose === "write while closing";
  const whileSuspended = whileClosing || purpose === "write while suspended";
  const caller =
    program === undefined ? "" : `, ${program.tokenId === null ? "null" : pg.escapeLiteral(program.tokenId)}, true`;
  const opening = `begin; call private.begin_as_user(${pg.escapeLiteral(userId)}, ${writes}, ${whileSuspended}, ${whileClosing}${caller})`;
  return purpose === "read in the background" ? `${opening}; set local statement_timeout = '15s'` : opening;
}
