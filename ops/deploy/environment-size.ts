import type { Capability } from "#config/capabilities";
import { VARIABLES } from "#config/variables";
import { functionVariables, type Values } from "./function-environment.ts";
import { componentName } from "./names.ts";

/** Bytes of all variables of a function, as the JSON that Lambda measures. */
export const MAX_ENVIRONMENT_BYTES = 4_096;
const QUEUE_URL = `https://sqs.ap-southeast-1.amazonaws.com/000000000000/${"q".repeat(80)}`;
/** Values that are known later, as long as AWS's addresses of queues and names of buckets get. */
const KNOWN_LATER = {
  TASK_QUEUE_URL: QUEUE_URL,
  RANGE_QUEUE_URL: QUEUE_URL,
  IMPORT_QUEUE_URL: QUEUE_URL,
  S3_BUCKET: "b".repeat(63),
  S3_REGION: "ap-southeast-1",
};
/** Variables that SST adds for itself. */
const ADDED_BY_SST = {
  SST_RESOURCE_App: JSON.stringify({ name: "nectar", stage: "s".repeat(32) }),
  SST_KEY: "k".repeat(44),
  SST_KEY_FILE: "resource.enc",
};

/** A function, with what it can do. */
interface Row {
  readonly name: string;
  readonly capabilities: readonly Capability[];
}

/**
 * Checks before anything is created that Lambda takes the variables of every function.
 * @param settings the deployer's environment, in which SST puts secrets as `SST_SECRET_<Name>`
 * @throws Error that names the first function with too many bytes, and its largest variables
 */
export function checkEnvironmentSizes(rows: readonly Row[], settings: Values<string>["settings"]): void {
  const secrets = new Map(
    VARIABLES.filter(({ isSecret }) => isSecret).map((secret) => [
      secret.name,
      settings[`SST_SECRET_${componentName(secret.name)}`] ?? (secret.default || "?"),
    ]),
  );
  for (const { name, capabilities } of rows) {
    const chosen = functionVariables(capabilities, { settings: { ...settings, ...KNOWN_LATER }, secrets });
    const knownLater = Object.entries(chosen.settings).filter(([variable]) => variable in KNOWN_LATER);
    const environment = { ...Object.fromEntries(knownLater), ...chosen.secrets, ...ADDED_BY_SST };
    const bytes = sizeOf(environment);
    if (bytes <= MAX_ENVIRONMENT_BYTES) continue;
    const largest = Object.entries(environment)
      .map(([variable, value]) => ({ variable, bytes: sizeOf(value) }))
      .toSorted((one, other) => other.bytes - one.bytes)
      .slice(0, 3)
      .map((found) => `${found.variable} (${found.bytes})`);
    throw new Error(
      `The variables of the function "${name}" take up to ${bytes} bytes, and Lambda takes ${MAX_ENVIRONMENT_BYTES}. The largest are ${largest.join(", ")}.`,
    );
  }
}

function sizeOf(value: object | string): number {
  return Buffer.byteLength(JSON.stringify(value));
}
