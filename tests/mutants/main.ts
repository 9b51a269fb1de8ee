import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { fileOf, type Mutant, readMutants } from "./mutants.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Tests that a mutant keeps from ending have found it. */
const MAX_TEST_MS = 15 * 60_000;

const Report = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** Makes a mutant of a folder. */
function change(folder: string, mutant: Mutant): void {
  const { path, text } = fileOf(folder, mutant);
  const mutated = (before: string) => before.replace(mutant.find, () => mutant.replace);
  // The bodies of functions are in the migrations as they are in the schema, the latest in the last one that has them;
  // everything else is generated, which takes longer.
  const migration = globSync(join(folder, "supabase/migrations/*.sql"))
    .toSorted()
    .findLast((file) => readFileSync(file, "utf8").split(mutant.find).length === 2);
  if (path.endsWith(".sql") && migration !== undefined) {
    writeFileSync(migration, mutated(readFileSync(migration, "utf8")));
  } else {
    writeFileSync(path, mutated(text));
    const run = (script: string) => execFileSync("npm", ["run", script], { cwd: folder, stdio: "ignore" });
    const isTool = path.startsWith(join(folder, "tools"));
    if (isTool) run("generate");
    if (isTool || path.endsWith(".sql")) run("migration");
  }
}

/** Runs the tests of a mutant in a folder that has it. @returns the first test that fails; null if all pass */
function failedTest(folder: string, { tests }: Mutant): string | null {
  const report = join(folder, "mutant.json");
  rmSync(report, { force: true });
  const options = ["--maxWorkers=1", "--bail=1", "--reporter=json", `--outputFile=${report}`];
  const { error } = spawnSync("npm", ["test", "--", ...options, ...tests], {
    cwd: folder,
    stdio: "ignore",
    timeout: MAX_TEST_MS,
  });
  if (error !== undefined) return `no end (${error.message})`;
  if (!existsSync(report)) throw new Error("The tests did not run.");
  const { success, testResults } = Report.parse(JSON.parse(readFileSync(report, "utf8")));
  if (success) return null;
  const path = (name: string) => name.replace(`${folder}/`, "");
  const [failed] = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap((test) => (test.status === "failed" ? [`${path(name)}: ${test.fullName}`] : [])),
  );
  // Files that did not run after the first failure count as failed.
  const [broken] = testResults.flatMap(({ name, status }) => (status === "failed" ? [path(name)] : []));
  return failed ?? `a hook of ${broken}`;
}

/**
 * Tries each mutant, or those whose heading contains one of the given texts, in a copy of the last commit, and says which
 * ones the tests of their topic find.
 */
function main(wanted: readonly string[]): void {
  const mutants = readMutants().filter(
    ({ file, name }) => wanted.length === 0 || wanted.some((text) => `${file}: ${name}`.includes(text)),
  );
  for (const mutant of mutants) fileOf(ROOT, mutant);
  const parent = mkdtempSync(join(tmpdir(), "nectar-mutants-"));
  const folder = join(parent, "copy");
  const git = (...parts: string[]) => execFileSync("git", parts, { cwd: ROOT, stdio: "ignore" });
  git("worktree", "add", "--detach", folder, "HEAD");
  let killed = 0;
  try {
    // Links, which take no space; those to the workspaces are relative, and so lead into the copy.
    execFileSync("cp", ["-al", join(ROOT, "node_modules"), join(folder, "node_modules")]);
    for (const mutant of mutants) {
      change(folder, mutant);
      const failed = failedTest(folder, mutant);
      if (failed !== null) killed += 1;
      console.log(`${failed === null ? "SURVIVED" : "killed"}  ${mutant.file}: ${mutant.name}`);
      if (failed !== null) console.log(`          by ${failed}`);
      execFileSync("git", ["checkout", "--quiet", "."], { cwd: folder });
    }
  } finally {
    git("worktree", "remove", "--force", folder);
    rmSync(parent, { recursive: true });
  }
  console.log(`${killed} of ${mutants.length} mutants killed (${Math.round((100 * killed) / mutants.length)} %)`);
}

main(process.argv.slice(2));
