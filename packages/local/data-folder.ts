import { rmSync } from "node:fs";
import { join } from "node:path";
import { removeCluster } from "./postgres-location.ts";

/** What the local stack writes into its data folder beside the cluster; other files are left alone. */
const ENTRIES = ["logs", "supabase-lite", "files", "demo-data.json"];

/** File that exists once the demo data is complete. */
export function demoDataMark(dataFolder: string): string {
  return join(dataFolder, "demo-data.json");
}

/** Folder of the private files. */
export function filesFolder(dataFolder: string): string {
  return join(dataFolder, "files");
}

/** Removes all local data. Nothing may be running on it. */
export function removeLocalData(dataFolder: string): void {
  removeCluster(dataFolder);
  for (const entry of ENTRIES) rmSync(join(dataFolder, entry), { recursive: true, force: true });
}
