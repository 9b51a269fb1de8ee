import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Contract, contractOf, contractText } from "./contract.ts";
import { contractBreaks, mayBreak } from "./contract-breaks.ts";

/**
 * Compares openapi.json with what the last release promised, and fails if it breaks clients while the version does not
 * say so. With `--release` the present contract becomes that of the last release.
 */
const file = fileURLToPath(new URL("released.json", import.meta.url));
const document: unknown = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
const present = contractOf(document);

if (process.argv.includes("--release")) {
  writeFileSync(file, contractText(present));
  console.log(`${present.version} is the released contract now.`);
} else {
  const released = Contract.parse(JSON.parse(readFileSync(file, "utf8")));
  const breaks = contractBreaks(released, present);
  const isAllowed = mayBreak(released.version, present.version);
  if (breaks.length > 0 && isAllowed) {
    console.log(`${present.version} may break clients of ${released.version}, and does so ${breaks.length} times.`);
  }
  if (breaks.length > 0 && !isAllowed) {
    console.error(`${present.version} breaks clients of ${released.version}:`);
    for (const sentence of breaks) console.error(`- ${sentence}`);
    console.error("Keep what was promised, or raise the version as CONTRIBUTING.md says under “Releasing”.");
    process.exitCode = 1;
  }
}
