import { spawnSync } from "node:child_process";
import packageJson from "../package.json" with { type: "json" };

/** `npm run check`: runs all parts, each of which is a script `check:<part>`, and prints what came of each. */
const ELSEWHERE = ["check:deploy"];
const parts = Object.keys(packageJson.scripts).filter((name) => name.startsWith("check:") && !ELSEWHERE.includes(name));
const failed: string[] = [];

for (const part of parts) {
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", part], { encoding: "utf8" });
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${part} (${seconds} s)`);
  if (status === 0) continue;
  failed.push(part);
  console.log(`${stdout}${stderr}`.trimEnd());
}

if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(", ")}.`);
  process.exitCode = 1;
}
