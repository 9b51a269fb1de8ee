import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installedPackage } from "./installed-package.ts";

/** The API keys of the local Supabase, and the key that it signs access tokens with. */
export interface SupabaseKeys {
  /** For clients; public. */
  publishableKey: string;
  /** For the service; bypasses row-level security. */
  secretKey: string;
  /** Signs access tokens (HS256). At least 32 characters. */
  jwtSecret: string;
}

const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Absolute path of Supabase Lite's command line program. */
export const SUPABASE_CLI = join(installedPackage("@supabase/lite"), "dist", "cli", "index.js");

/**
 * Prepares the folder that Supabase Lite runs in, below the data folder, because it stores uploaded files and caches beside
 * its configuration, which is that of the repository.
 * @returns the folder's absolute path.
 */
export async function supabaseProject(dataFolder: string): Promise<string> {
  const project = join(resolve(dataFolder), "supabase-lite");
  const settings = join(project, "supabase");
  await mkdir(settings, { recursive: true });
  await copyFile(join(REPOSITORY, "supabase", "config.toml"), join(settings, "config.toml"));
  return project;
}

/** What Supabase Lite and its configuration file read from the environment. */
export function supabaseEnvironment(databaseUrl: string, port: number, keys: SupabaseKeys): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TZ: "UTC",
    NO_COLOR: "1",
    LITE_TELEMETRY: "0",
    DO_NOT_TRACK: "1",
    EXPERIMENTAL_STORAGE: "1",
    LOCAL_DATABASE_URL: databaseUrl,
    LOCAL_SUPABASE_PORT: String(port),
    SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
    SUPABASE_SECRET_KEY: keys.secretKey,
    SUPABASE_JWT_SECRET: keys.jwtSecret,
  };
}
