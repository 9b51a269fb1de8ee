import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { LOCAL_SUPABASE_KEYS } from "#local/settings/local-defaults";
import { type SupabaseServer, startSupabase } from "#local/settings/supabase";
import { freePort } from "#local/support/ports";

/** A real Supabase Lite on the test file's database. */
export interface TestSupabase {
  /** A client as an application creates it: anonymous, or with the token of a user. */
  client(accessToken?: string): SupabaseClient;
  /** Its address, for requests that no client makes. */
  url(): string;
  /** The description of the data API for a user. */
  readDescription(accessToken: string): Promise<string>;
  /**
   * Creates the table public.open_door with one row, which everyone may read and write, as a data API is meant to be used.
   * With the first request for a table, Supabase Lite creates its roles and grants them all tables, ours included.
   */
  openADoor(admin: pg.Client): Promise<void>;
  /** Restarts it on the same database and port. */
  restart(): Promise<void>;
}

/** Starts Supabase Lite for the calling test file. */
export function useSupabase(database: { readonly adminUrl: string }): TestSupabase {
  let folder = "";
  let port = 0;
  let server: SupabaseServer | undefined;
  const start = async () => {
    server = await startSupabase({
      dataFolder: folder,
      databaseUrl: database.adminUrl,
      keys: LOCAL_SUPABASE_KEYS,
      port,
    });
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "nectar-lite-"));
    await chmod(folder, 0o700);
    port = await freePort();
    await start();
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const client: TestSupabase["client"] = (accessToken) =>
    createClient(`http://127.0.0.1:${port}`, LOCAL_SUPABASE_KEYS.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      ...(accessToken === undefined ? {} : { global: { headers: { Authorization: `Bearer ${accessToken}` } } }),
    });
  return {
    client,
    url: () => `http://127.0.0.1:${port}`,
    async openADoor(admin) {
      await admin.query(
        `create table public.open_door (id uuid default gen_random_uuid());
         insert into public.open_door default values`,
      );
      // It reads the tables at its start, and grants them with the first request.
      await server?.stop();
      await start();
      await client().from("open_door").select();
      await admin.query("grant all on public.open_door to anon, authenticated");
    },
    async readDescription(accessToken) {
      const response = await fetch(`http://127.0.0.1:${port}/rest/v1/`, {
        headers: { apikey: LOCAL_SUPABASE_KEYS.publishableKey, authorization: `Bearer ${accessToken}` },
      });
      return response.text();
    },
    async restart() {
      await server?.stop();
      await start();
    },
  };
}
