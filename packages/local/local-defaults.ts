import type { SupabaseKeys } from "./supabase-project.ts";

/** Password of the superuser `postgres` of every local cluster. It listens on 127.0.0.1 only. */
export const localDatabasePassword = "postgres";

/** Password of `nectar_api`, the login role of the API, in every local cluster. */
export const localApiPassword = "nectar-api-local";

/** The keys of the local Supabase. Fixed, so that a client's settings stay valid when one starts over. */
export const localSupabaseKeys: SupabaseKeys = {
  publishableKey: "sb_publishable_nectar_local",
  secretKey: "sb_secret_nectar_local",
  jwtSecret: "Nectar-signs-local-tokens-with-this-1-only",
};
