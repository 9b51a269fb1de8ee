import type { ClientConfig } from "pg";

export interface DatabaseAddress {
  /** A postgres:// address. */
  readonly url: string;
  /**
   * Certificates (PEM) of the authorities that may have signed the server's certificate. With it, connections are encrypted
   * and the server's certificate and name are checked; null leaves TLS to `sslmode` in the address.
   */
  readonly ca?: string | null;
}

/** Parameters of an address that say something about TLS; pg would prefer them to its own settings. */
const TLS_PARAMETERS = ["ssl", "sslmode", "sslrootcert", "uselibpqcompat"];

/** The part of pg's configuration that says where to connect to, and how. */
export function connectionConfig({ url, ca = null }: DatabaseAddress): ClientConfig {
  if (ca === null) return { connectionString: url };
  const address = new URL(url);
  for (const name of TLS_PARAMETERS) address.searchParams.delete(name);
  return { connectionString: address.href, ssl: { ca } };
}
