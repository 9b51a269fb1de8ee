import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createConfig, formatProblems, getTotals, lintFromString } from "@redocly/openapi-core";

/** Operations that take nothing and let everyone in, so that no request to them can be wrong. */
const CANNOT_REFUSE = ["", "~1ready", "~1jobs"].map((check) => `#/paths/~1health${check}/get/responses`);

/**
 * Checks openapi.json against the recommended rules of Redocly: references, security, descriptions, and examples that fit
 * their schemas. Warnings count as well.
 */
const file = fileURLToPath(new URL("../../openapi.json", import.meta.url));
const config = await createConfig({
  extends: ["recommended"],
  // Ids in paths are UUIDs, so `/api/journal/{id}/restore` and `/api/journal/trash/{id}` share no address.
  rules: { "no-ambiguous-paths": "off" },
  telemetry: "off",
});
const source = await readFile(file, "utf8");
const found = await lintFromString({ source, absoluteRef: file, config });
const problems = found.filter(({ ruleId, location }) => {
  const pointers = location.map(({ pointer = "" }) => pointer);
  if (ruleId === "operation-4xx-response") return !pointers.some((pointer) => CANNOT_REFUSE.includes(pointer));
  // Some things are only used by the component that is the same or null; the client's types have their names.
  if (ruleId === "no-unused-components") return !pointers.some((pointer) => source.includes(`"${pointer}OrNull"`));
  return true;
});
const totals = getTotals(problems);
formatProblems(problems, { totals, version: "", format: "codeframe" });
if (totals.errors + totals.warnings > 0) process.exitCode = 1;
