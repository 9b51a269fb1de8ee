import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { DatabaseAddress } from "#database/connection-config";
import { openDatabase } from "#database/database";
import { listPending } from "#ops/migrate/migrate";
import { useDatabase } from "#tests/database";
import { beforeTests } from "#tests/prepare";
import { FRONT_CA, OTHER_CA, startTlsFront, type TlsFront } from "#tests/tls-front";

const database = useDatabase();
/** A pooler in front of the database; its certificate is for the name `localhost`. */
const pooler: TlsFront = beforeTests(() => startTlsFront(database.apiUrl));
afterAll(() => pooler.stop());

/** Opens a connection to the database as the functions do. */
async function ping(options: DatabaseAddress): Promise<void> {
  const opened = openDatabase({ ...options, poolSize: 1 });
  onTestFinished(() => opened.close());
  await opened.ping();
}

test("a server whose certificate the authority signed is accepted, over TLS", async () => {
  await ping({ url: pooler.urlFor("localhost"), ca: FRONT_CA });
  await ping({ url: `${pooler.urlFor("localhost")}?sslmode=disable`, ca: FRONT_CA });
});

describe("a connection is refused and the code says why", () => {
  test.each([
    ["another authority signed the certificate", "localhost", OTHER_CA, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["the certificate is for another name", "127.0.0.1", FRONT_CA, "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("if %s", async (_, hostname, ca, code) => {
    for (const parameters of ["", "?sslmode=no-verify"]) {
      const url = `${pooler.urlFor(hostname)}${parameters}`;
      await expect(ping({ url, ca })).rejects.toMatchObject({ code: "service.database_unavailable", cause: { code } });
      await expect(listPending(url, { ca })).rejects.toThrow(`The database cannot be reached (${code}).`);
    }
  });

  test("if the server does not encrypt", async () => {
    await expect(ping({ url: database.apiUrl, ca: FRONT_CA })).rejects.toMatchObject({
      code: "service.database_unavailable",
    });
  });
});
