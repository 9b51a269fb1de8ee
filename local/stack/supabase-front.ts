import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { proxy } from "hono/proxy";
import type { SupabaseKeys } from "../settings/supabase.ts";
import { serveRealtime } from "../stand-ins/realtime.ts";
import { listenLocally } from "../support/listen.ts";

/** The servers behind the address of the local Supabase. */
export interface SupabaseFrontOptions {
  readonly port: number;
  /** Address of Supabase Lite. */
  readonly liteUrl: string;
  /** A superuser's address. */
  readonly databaseUrl: string;
  readonly keys: SupabaseKeys;
}

/**
 * Serves Supabase Lite and Realtime at one address, as a hosted project does.
 * @throws StartupProblem if the port is in use
 */
export async function startSupabaseFront({ port, liteUrl, databaseUrl, keys }: SupabaseFrontOptions) {
  const server = createServer(
    getRequestListener((request) => {
      const { pathname, search } = new URL(request.url);
      return proxy(`${liteUrl}${pathname}${search}`, { raw: request, redirect: "manual" });
    }),
  );
  const realtime = await serveRealtime(server, databaseUrl, keys);
  const { port: listensOn, stop, kill } = await listenLocally(server, port, "Supabase");
  return {
    url: `http://127.0.0.1:${listensOn}`,
    async stop(): Promise<void> {
      await realtime.stop();
      const stopped = stop();
      kill();
      await stopped;
    },
  };
}
