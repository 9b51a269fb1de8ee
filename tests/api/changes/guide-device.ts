import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { Nectar } from "#client";
import type { StoredThing, Sync, SyncOptions, Write } from "#client/sync";

/** A device of the guide. What it has is in a file of SQLite. */
interface GuideDevice extends Sync {
  things(): StoredThing[];
  writes(): Write[];
  write(action: Write["action"], type: Write["type"], id: string, input?: Write["input"]): void;
  close(): void;
}
type OpenDevice = (nectar: Nectar, file: string, onConflict: SyncOptions["onConflict"]) => GuideDevice;

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Loads the code of the page `offline.md` over the client of the repository, and a folder for the files of devices. */
export async function loadGuideDevice() {
  const folder = mkdtempSync(join(tmpdir(), "nectar-devices-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const page = readFileSync(join(ROOT, "docs/guide/offline.md"), "utf8");
  const [, code = ""] = /^```ts\n(\/\/ device\.ts\n[\s\S]*?)^```$/m.exec(page) ?? [];
  const file = join(folder, "device.ts");
  writeFileSync(file, code.replace(`"@nectar/client/sync"`, JSON.stringify(join(ROOT, "packages/client/sync.ts"))));
  const { openDevice }: { openDevice: OpenDevice } = await import(file);
  return { lines: code.trim().split("\n").length, folder, openDevice };
}
