import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { type SupabaseServer, startSupabase } from "#local/settings/supabase";
import { freePort } from "#local/support/ports";

/**
 * Starts Supabase Lite over a database, with a temporary folder for its files. The caller stops it.
 * @param port any free one if left out
 */
export async function startTestSupabase(
  databaseUrl: string,
  port?: number,
): Promise<Pick<SupabaseServer, "url" | "stop">> {
  const dataFolder = mkdtempSync(join(tmpdir(), "nectar-supabase-test-"));
  const server = await startSupabase({
    dataFolder,
    databaseUrl,
    keys: LOCAL_SUPABASE_KEYS,
    port: port ?? (await freePort()),
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
