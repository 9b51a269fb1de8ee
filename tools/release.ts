import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { releaseProblems } from "./release-problems.ts";

/**
 * `npm run release` makes the present contract and migrations the released ones. With `--dry` it makes what a release
 * publishes and publishes nothing: both packages, the server, and the image where Docker is; `--tag` is then the tag that
 * all versions must have.
 */
const { values } = parseArgs({ options: { dry: { type: "boolean", default: false }, tag: { type: "string" } } });

/** The same as in .github/workflows/release.yml. */
const IMAGE = ["buildx", "build", "--platform", "linux/amd64,linux/arm64", "--sbom=true", "--provenance=true"];

if (values.dry) dryRun();
else {
  run("npm", "run", "check:contract", "--", "--release");
  run("npm", "run", "migration", "--", "--release");
}

function dryRun(): void {
  const problems = releaseProblems((file) => readFileSync(join(import.meta.dirname, "..", file), "utf8"), values.tag);
  if (problems.length > 0) {
    console.error(problems.join("\n"));
    process.exit(1);
  }
  const folder = mkdtempSync(join(tmpdir(), "nectar-release-"));
  try {
    run("npm", "pack", "-w", "packages/client", "-w", "packages/mcp", "--pack-destination", folder);
    run("npm", "run", "build", "--", "--to", join(folder, "server"));
    if (spawnSync("docker", ["buildx", "version"]).status === 0) {
      run("docker", ...IMAGE, "--output", `type=oci,dest=${join(folder, "image.tar")}`, ".");
    } else console.log("Docker with buildx is not installed here, so the image was not built.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command and shows what it prints. @throws Error if it fails */
function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed.`);
}
