import type { Capability } from "#config/capabilities";
import { VARIABLES } from "#config/variables";

/** Settings come from the deployer's environment, secrets from SST's store. */
export interface Values<Text> {
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly secrets: ReadonlyMap<string, Text>;
}

/**
 * The environment of one function: the variables of its capabilities and no others. A setting that is not set is left
 * out, so that the function applies its own default.
 * @throws Error for a required variable that is not set
 */
export function functionEnvironment<Text>(
  capabilities: readonly Capability[],
  { settings, secrets }: Values<Text>,
): Record<string, string | Text> {
  const environment: Record<string, string | Text> = {};
  for (const { name, capability, isSecret, default: fallback, mayBeEmpty = false } of VARIABLES) {
    if (capability === null || !capabilities.includes(capability)) continue;
    const value = isSecret ? secrets.get(name) : settings[name];
    if (value !== undefined && (value !== "" || mayBeEmpty)) environment[name] = value;
    else if (fallback === null) throw new Error(`Set ${name} in the environment before deploying.`);
  }
  return environment;
}

/**
 * The variables of a function that decodes photos. With an arena for each thread, glibc keeps up to 100 MB more of what
 * decoding has freed.
 */
export const PHOTO_ENVIRONMENT = { MALLOC_ARENA_MAX: "2" } as const;
