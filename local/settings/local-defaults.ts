import { DEMO_DATABASE_PASSWORDS, DEMO_SECRETS } from "#config/demo-secrets";
import type { SupabaseKeys } from "./supabase.ts";

/** Password of the superuser `postgres` of every local cluster. It listens on 127.0.0.1 only. */
export const LOCAL_DATABASE_PASSWORD = DEMO_DATABASE_PASSWORDS.postgres;

/** Password of `nectar_api`, the login role of the API, in every local cluster. */
export const LOCAL_API_PASSWORD = DEMO_DATABASE_PASSWORDS.nectar_api;

/** The keys of the local Supabase. Fixed, so that a client's settings stay valid after `--fresh`. */
export const LOCAL_SUPABASE_KEYS: SupabaseKeys = {
  publishableKey: "sb_publishable_nectar_local",
  secretKey: DEMO_SECRETS.SUPABASE_SECRET_KEY,
  jwtSecret: DEMO_SECRETS.SUPABASE_JWT_SECRET,
};

/** The bucket of private files. */
export const LOCAL_FILES_BUCKET = "nectar-files";

/** Id and secret of the only key that the local file store accepts. */
export const LOCAL_FILES_KEY = DEMO_SECRETS.S3_SECRET_ACCESS_KEY;

/** The region of that bucket. */
export const LOCAL_FILES_REGION = "us-east-1";
