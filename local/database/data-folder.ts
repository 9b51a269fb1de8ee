import { rmSync } from "node:fs";
import { join } from "node:path";
import { removePostgres } from "./postgres.ts";

/** The files of the local stack beside the cluster; other files in its data folder are left alone. */
const ENTRIES = ["logs", "supabase-lite", "files", "demo-data.json"];

/** File that exists once the demo data is complete. */
export function demoDataMark(dataFolder: string): string {
  return join(dataFolder, "demo-data.json");
}

/** Folder of the private files. */
export function filesFolder(dataFolder: string): string {
  return join(dataFolder, "files");
}

/** Removes all local data, and stops a PostgreSQL that a crash has left on it. */
export async function removeLocalData(dataFolder: string): Promise<void> {
  await removePostgres(dataFolder);
  for (const entry of ENTRIES) rmSync(join(dataFolder, entry), { recursive: true, force: true });
}
