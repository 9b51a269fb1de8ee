import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import pg from "pg";
import { connectionConfig, type DatabaseAddress } from "#database/connection-config";
import { withAdminConnection } from "./admin-connection.ts";
import { lock } from "./migrate.ts";
import { MigrationProblem } from "./migration-problem.ts";

const ITERATIONS = 4_096;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const INVALID_PASSWORD = "28P01";

/**
 * Gives the login role of the functions the password that is in their address. The database gets only what it stores of the
 * password, so that it cannot appear in the logs of the server.
 * @param admin the database, as its administrator; the migrations must be applied
 * @throws MigrationProblem if the address has no password, one with other characters than printable ASCII, or another role
 */
export async function setApiPassword(admin: DatabaseAddress, apiUrl: string): Promise<void> {
  const { username, password } = new URL(apiUrl);
  // The role of a pooler's address has the project behind it.
  if (username.split(".")[0] !== "nectar_api")
    throw new MigrationProblem("DATABASE_URL is not of the role nectar_api.");
  const verifier = pg.escapeLiteral(scramVerifier(decodeURIComponent(password)));
  await withAdminConnection(admin, async (client) => {
    // PostgreSQL refuses one of two statements that change the same role at the same time.
    await lock(client);
    await client.query(`alter role nectar_api password ${verifier}`);
  });
}

/**
 * Makes sure that the database accepts the password in the functions' address: if it does not, gives it to their role. A
 * database that cannot be reached is no problem here, because requests wait for it.
 * @param admin null if this process does not know the administrator
 * @returns whether the password was set
 * @throws MigrationProblem if the database refuses the password and it cannot be set
 */
export async function ensureApiLogin(api: DatabaseAddress, admin: DatabaseAddress | null): Promise<boolean> {
  if (!(await isPasswordRefused(api))) return false;
  const refused = "The database refuses the password in DATABASE_URL";
  if (admin === null) {
    throw new MigrationProblem(
      `${refused}. Run "npm run migrate -- --set-password" with DATABASE_ADMIN_URL and this DATABASE_URL.`,
    );
  }
  await setApiPassword(admin, api.url);
  if (await isPasswordRefused(api)) {
    throw new MigrationProblem(`${refused} also after it was set: look at the pooler, or at pg_hba.conf.`);
  }
  return true;
}

async function isPasswordRefused(api: DatabaseAddress): Promise<boolean> {
  const client = new pg.Client({ ...connectionConfig(api), connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return false;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code === INVALID_PASSWORD;
    // The client itself ends a sign-in for which the address has no password.
    return error instanceof Error && error.message.startsWith("SASL");
  }
}

/** The form in which PostgreSQL stores a password (SCRAM-SHA-256, RFC 5803). */
function scramVerifier(password: string): string {
  if (!/^[\x20-\x7e]+$/.test(password)) {
    throw new MigrationProblem("The password in DATABASE_URL is missing or has characters beyond ASCII.");
  }
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const storedKey = createHash("sha256").update(hmac("Client Key")).digest();
  const keys = [storedKey, hmac("Server Key")].map((key) => key.toString("base64")).join(":");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${keys}`;
}
