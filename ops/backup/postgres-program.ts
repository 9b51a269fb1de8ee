import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectionConfig, type DatabaseAddress } from "#database/connection-config";
import { MigrationProblem } from "../migrate/migration-problem.ts";

/**
 * Runs one of PostgreSQL's programs, which are looked for in the PATH.
 * @param folder where it runs, and where the certificate of the address is written
 * @returns what it printed
 * @throws MigrationProblem if it is missing or fails
 */
export async function runPostgresProgram(folder: string, program: string, ...args: string[]): Promise<string> {
  return run(folder, program, args, {});
}

/** Runs one that connects to a database. @throws MigrationProblem as above */
export async function runOnDatabase(
  address: DatabaseAddress,
  folder: string,
  program: string,
  ...args: string[]
): Promise<string> {
  const url = new URL(connectionConfig(address).connectionString ?? "");
  // PostgreSQL prefers the parameter.
  const password = url.searchParams.get("password") ?? decodeURIComponent(url.password);
  const env: NodeJS.ProcessEnv = { PGPASSWORD: password };
  // Other users of this machine can read the arguments of a program, and an error names them.
  url.searchParams.delete("password");
  url.password = "";
  if (typeof address.ca === "string") {
    const path = join(folder, "ca.pem");
    await writeFile(path, address.ca);
    Object.assign(env, { PGSSLMODE: "verify-full", PGSSLROOTCERT: path });
  }
  return run(folder, program, [...args, `--dbname=${url.href}`], env);
}

function run(cwd: string, program: string, args: string[], variables: NodeJS.ProcessEnv): Promise<string> {
  const env = { PATH: process.env.PATH, ...variables };
  return promisify(execFile)(program, args, { env, cwd, maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout,
    ({ stderr, message }) => Promise.reject(new MigrationProblem(stderr || message)),
  );
}
