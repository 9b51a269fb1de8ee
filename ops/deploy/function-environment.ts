import type { Capability } from "#config/capabilities";
import { VARIABLES } from "#config/variables";

/** Settings come from the deployer's environment, secrets from SST's store. */
export interface Values<Text> {
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly secrets: ReadonlyMap<string, Text>;
}

/** What a function finds in its environment. */
export interface FunctionVariables<Text> {
  /** Written into its bundle. */
  readonly settings: Readonly<Record<string, string>>;
  /** Its variables on Lambda. */
  readonly secrets: Readonly<Record<string, Text>>;
}

/**
 * The variables of one function: those of its capabilities and no others. A setting that is not set is left out, so that
 * the function applies its own default.
 * @throws Error for a required variable that is not set
 */
export function functionVariables<Text>(
  capabilities: readonly Capability[],
  { settings, secrets }: Values<Text>,
): FunctionVariables<Text> {
  const chosen: { settings: Record<string, string>; secrets: Record<string, Text> } = { settings: {}, secrets: {} };
  for (const { name, capability, isSecret, default: fallback, mayBeEmpty = false } of VARIABLES) {
    if (capability === null || !capabilities.includes(capability)) continue;
    const setting = isSecret ? undefined : settings[name];
    const secret = isSecret ? secrets.get(name) : undefined;
    if (setting !== undefined && (setting !== "" || mayBeEmpty)) chosen.settings[name] = setting;
    else if (secret !== undefined && (secret !== "" || mayBeEmpty)) chosen.secrets[name] = secret;
    else if (fallback === null) throw new Error(`Set ${name} in the environment before deploying.`);
  }
  return chosen;
}

/**
 * The variables of a function that decodes photos. With an arena for each thread, glibc keeps up to 100 MB more of what
 * decoding has freed.
 */
export const PHOTO_ENVIRONMENT = { MALLOC_ARENA_MAX: "2" } as const;
