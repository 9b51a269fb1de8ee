import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import pg from "pg";
import type { DatabaseAddress } from "#database/connection-config";
import { withAdminConnection } from "./admin-connection.ts";
import { MigrationProblem } from "./migration-problem.ts";

const ITERATIONS = 4_096;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

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
  await withAdminConnection(admin, (client) => client.query(`alter role nectar_api password ${verifier}`));
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
