import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../..");

/** Runs here what the containers `postgres`, `migrate` and `backup` would run. */
const DOCKER = `#!/usr/bin/env bash
set -euo pipefail
[ "$1" = compose ]
command=$2 && shift 2
while [[ \${1:-} == -* ]]; do shift; done
case "$command \${1:-}" in
  "run migrate") exec env DATABASE_ADMIN_URL="$NEW_URL" "$NODE" "$ROOT/ops/migrate/cli.ts" --allow-later ;;
  "exec backup") exec env DATABASE_ADMIN_URL="$OLD_URL" BACKUP_FOLDER="$BACKUPS" "$NODE" "$ROOT/ops/backup/cli.ts" ;;
  "run backup") shift && exec "\${@//\\/backups/$BACKUPS}" ;;
  "exec postgres") shift && exec "$@" ;;
  "stop proxy" | "down " | "build " | "up ") ;;
  *) exit 1 ;;
esac
`;

/** The blocks of commands on a page between two of its texts. */
export function commandsOf(page: string, from: string, to: string): string[] {
  const text =
    readFileSync(join(root, "docs", page), "utf8")
      .split(from)[1]
      ?.split(to)[0] ?? "";
  const blocks = Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = ""]) => block);
  if (blocks.length === 0) throw new Error(`${page} has no commands after "${from}".`);
  return blocks;
}

/** The commands that restore a backup: the first block takes the dump from the volume, the second one loads it. */
export const RESTORE = commandsOf("self-hosting.md", "**To restore**", "PostgreSQL publishes no port.");

/** The databases and the folder that the containers have. */
export interface Containers {
  readonly folder: string;
  /** The folder of the volume `backups`. */
  readonly backups: string;
  /** The database that `backup` saves. */
  readonly oldUrl: string;
  /** The new database, as the role that migrates. */
  readonly newUrl: string;
  /** The same, as the superuser. */
  readonly postgresUrl: string;
  /** A folder of PostgreSQL's programs; those in the PATH if left out. */
  readonly programs?: string;
}

/** Runs commands of a page word for word. @returns what they printed */
export async function runByPage(commands: readonly string[], containers: Containers): Promise<string> {
  const programs = mkdtempSync(join(tmpdir(), "nectar-docker-"));
  writeFileSync(join(programs, "docker"), DOCKER);
  chmodSync(join(programs, "docker"), 0o755);
  const { port, password, pathname } = new URL(containers.postgresUrl);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands.join("\n")], {
    cwd: containers.folder,
    env: {
      PATH: [programs, containers.programs, process.env.PATH].filter(Boolean).join(":"),
      ROOT: root,
      NODE: process.execPath,
      OLD_URL: containers.oldUrl,
      NEW_URL: containers.newUrl,
      BACKUPS: containers.backups,
      PGHOST: "127.0.0.1",
      PGPORT: port,
      PGPASSWORD: password,
      PGDATABASE: pathname.slice(1),
    },
  });
  return stdout;
}
