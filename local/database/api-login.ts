import pg from "pg";
import { withConnection } from "../support/connection.ts";

/**
 * Lets the role that the migrations create for the API log in with a password, as an operator does once for a hosted database.
 * @throws the database's own error if the role is missing
 */
export async function allowApiLogin(adminUrl: string, password: string): Promise<void> {
  await withConnection(adminUrl, (client) =>
    client.query(`alter role nectar_api with login password ${pg.escapeLiteral(password)}`),
  );
}

/** The API's connection URL for the database that `adminUrl` names. */
export function apiUrlOf(adminUrl: string, password: string): string {
  const url = new URL(adminUrl);
  url.username = "nectar_api";
  url.password = password;
  return url.href;
}
