import pg from "pg";

/**
 * Lets the role that the migrations create for the API log in with a password. Locally the database itself must exist
 * and be migrated; hosted, this is done once by hand.
 * @throws the database's own error when the role is missing.
 */
export async function allowApiLogin(adminUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`alter role nectar_api with login password ${pg.escapeLiteral(password)}`);
  } finally {
    await client.end();
  }
}

/** The API's connection URL for the database that `adminUrl` names. */
export function apiUrlOf(adminUrl: string, password: string): string {
  const url = new URL(adminUrl);
  url.username = "nectar_api";
  url.password = password;
  return url.href;
}
