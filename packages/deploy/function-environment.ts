/** A variable as far as deploying it matters. */
export interface DeployedVariable {
  readonly name: string;
  readonly fallback: string | null;
  readonly kind: "setting" | "secret" | "local";
}

/** Where the values come from: settings from the deployer's environment, secrets from SST's store. */
export interface Values<Text> {
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly secrets: ReadonlyMap<string, Text>;
}

/**
 * The environment of one function: the variables it names and no other. A setting that is not given and has a default is
 * left out, so that the function applies its own default.
 * @throws Error for a name that is no variable of a deployed function, and for a required setting that is not given
 */
export function functionEnvironment<Text>(
  names: readonly string[],
  variables: readonly DeployedVariable[],
  values: Values<Text>,
): Record<string, string | Text> {
  const environment: Record<string, string | Text> = {};
  for (const name of names) {
    const variable = variables.find((candidate) => candidate.name === name);
    if (variable === undefined || variable.kind === "local") throw new Error(`${name} is not for a deployed function.`);
    const value = variable.kind === "secret" ? values.secrets.get(name) : values.settings[name];
    if (value !== undefined && value !== "") environment[name] = value;
    else if (variable.fallback === null) throw new Error(`Set ${name} in the environment before deploying.`);
  }
  return environment;
}
