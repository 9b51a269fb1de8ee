import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { type DatabaseOfFile, type DatabaseOptions, useDatabase } from "#tests/database";

/** A statement runs as a user, a caller without claims, the service, or the login role itself. */
export type Actor = { readonly person: string } | "anonymous" | "service" | "login role";

/** The outcome of a statement: the number of rows that it returned or changed, or the error code. */
export type Outcome = number | string;

/** The database of a test file, with the connections for different roles. */
export interface Acting extends DatabaseOfFile {
  /** A superuser's connection, to set up a test and to read past the policies. */
  readonly admin: pg.Client;
  /**
   * Runs a statement over the API's own login, as the API does. @throws pg.DatabaseError when it is refused
   * @param keep whether its effect stays; by default it is rolled back
   */
  run(actor: Actor, statement: string, values?: readonly unknown[], keep?: "keep"): Promise<pg.QueryResult>;
  /** Runs a statement, rolls it back and returns its outcome. */
  outcome(actor: Actor, statement: string, values?: readonly unknown[]): Promise<Outcome>;
}

/** Gives the test file a database of its own, and runs statements in it as any role. */
export function useActing(options: DatabaseOptions = {}): Acting {
  const urls = useDatabase(options);
  const { person, query, one, inTransaction, untilWaiting, cutConnections } = urls;
  let connections: { admin: pg.Client; api: pg.Client } | undefined;
  beforeAll(async () => {
    connections = { admin: await connect(urls.adminUrl), api: await connect(urls.apiUrl) };
  });
  afterAll(async () => {
    await connections?.admin.end();
    await connections?.api.end();
  });
  const ready = () => {
    if (connections === undefined) throw new Error("The connections exist only inside hooks and tests.");
    return connections;
  };
  const run: Acting["run"] = async (actor, statement, values = [], keep) => {
    const { api } = ready();
    await api.query("begin");
    try {
      await become(api, actor);
      const result = await api.query(statement, [...values]);
      await api.query(keep === "keep" ? "commit" : "rollback");
      return result;
    } catch (error) {
      await api.query("rollback");
      throw error;
    }
  };
  return {
    person,
    query,
    one,
    inTransaction,
    untilWaiting,
    cutConnections,
    get adminUrl() {
      return urls.adminUrl;
    },
    get apiUrl() {
      return urls.apiUrl;
    },
    get admin() {
      return ready().admin;
    },
    run,
    async outcome(actor, statement, values) {
      try {
        return (await run(actor, statement, values)).rowCount ?? 0;
      } catch (error) {
        return refusalOf(error);
      }
    },
  };
}

/** Opens a connection. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Takes on role and identity for the rest of the transaction, as the API does. */
export async function become(client: pg.ClientBase, actor: Actor): Promise<void> {
  if (actor === "login role") return;
  const role = actor === "service" ? "nectar_service" : "nectar_user";
  const claims = typeof actor === "object" ? { sub: actor.person, role: "authenticated" } : {};
  await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
    role,
    JSON.stringify(claims),
  ]);
}

/** The error code that our SQL raised, or PostgreSQL's SQLSTATE. @throws errors of other kinds */
export function refusalOf(error: unknown): string {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) throw error;
  return error.code === "NX000" && error.detail !== undefined ? error.detail : error.code;
}
