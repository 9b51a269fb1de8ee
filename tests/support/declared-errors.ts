import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import * as z from "zod";
import type { ErrorCode } from "#core/errors";
import { RAISED_ERRORS_FILE } from "./raised-errors.ts";

/** Declared errors that no test need raise, by the code and the operations that do not raise it, with the reason. */
const NOT_RAISED: readonly {
  readonly code: ErrorCode;
  readonly operations: readonly string[] | "all" | "all but those of admins";
  readonly reason: string;
}[] = [
  {
    code: "service.unexpected",
    operations: "all",
    reason: "Only a bug raises it.",
  },
  {
    code: "service.busy",
    operations: "all",
    reason:
      "A transaction that lost every race, or that PostgreSQL ended; whatever it does, it is translated the same.",
  },
  {
    code: "service.query_timeout",
    operations: "all",
    reason: "A statement that took too long; whatever it reads, it is translated the same.",
  },
  {
    code: "quota.too_many_at_once",
    operations: ["listMoods", "readPushKey"],
    reason: "They ask no database. Every operation of signed-in users declares it.",
  },
  {
    code: "auth.forbidden",
    operations: "all but those of admins",
    reason: "A policy refuses a write whose caller lost the right to it after the check; no test can time that.",
  },
  {
    code: "auth.unknown_account",
    operations: ["listMoods", "readPushKey"],
    reason: "Their responses are constant. Everything with a token declares it.",
  },
  {
    code: "service.database_unavailable",
    operations: ["listMoods", "readPushKey", "readHealth", "readUnsubscribePage"],
    reason: "They ask no database. Every operation declares it.",
  },
  {
    code: "service.database_unavailable",
    operations: ["receivePaymentEvent", "receiveEmailEvent"],
    reason: "They respond with an error of their own, after which the event is sent again.",
  },
];

const Reference = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), "x-error-codes": z.array(z.string()) })),
  ),
});
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Collects the errors that operations respond with in a run. If all API tests ran and passed, it fails the run unless they
 * raised every declared error of every operation, except for `NOT_RAISED`.
 */
export default function setup({ vitest }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "nectar-errors-"));
  const file = join(folder, "raised");
  writeFileSync(file, "");
  process.env[RAISED_ERRORS_FILE] = file;
  return () => {
    const raised = new Set(readFileSync(file, "utf8").split("\n"));
    rmSync(folder, { recursive: true });
    const passed = new Set(
      vitest.state
        .getTestModules()
        .filter((module) => module.state() === "passed")
        .map(({ moduleId }) => moduleId),
    );
    const isWhole = globSync("tests/api/**/*.test.ts", { cwd: ROOT }).every((path) => passed.has(join(ROOT, path)));
    if (!isWhole || vitest.getGlobalTestNamePattern() !== undefined) return;
    const missing = declaredErrors().filter((declared) => !raised.has(declared));
    if (missing.length === 0) return;
    console.error(
      `No API test raises these declared errors: ${missing.join(", ")}. Raise them in a test, or do not declare them.`,
    );
    process.exitCode = 1;
  };
}

/** Each declared error that a test must raise, as the operation and the code. */
function declaredErrors(): string[] {
  const { paths } = Reference.parse(JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8")));
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ operationId, "x-error-codes": codes }) =>
      codes.filter((code) => isRaised(code, operationId, path)).map((code) => `${operationId} ${code}`),
    ),
  );
}

function isRaised(code: string, operationId: string, path: string): boolean {
  return !NOT_RAISED.some(({ operations, ...row }) => {
    if (row.code !== code) return false;
    if (operations === "all but those of admins") return !path.includes("/admin/");
    return operations === "all" || operations.includes(operationId);
  });
}
