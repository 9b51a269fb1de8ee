import { VARIABLES, type Variable, type VariableName } from "@nectar/config/variables";
import { GROUPS } from "./groups.ts";

const variables: readonly (Variable & { name: VariableName })[] = VARIABLES;

/** The text of `.env.example`: every variable with its meaning, its default and who needs it. */
export function environmentExample(): string {
  const entries = variables.map((variable) =>
    [
      `# ${variable.description}`,
      `# Needed by: ${neededBy(variable)}. Default: ${shownDefault(variable)}.`,
      `${variable.fallback === null ? "" : "# "}${variable.name}=`,
    ].join("\n"),
  );
  return `${HEADER}\n\n${entries.join("\n\n")}\n`;
}

const HEADER = `# Every variable that Nectar reads. This file is generated from packages/config/variables.ts and functions/groups.ts.
# \`npm run dev\` needs none of them: it has a local value for each, and whatever is set in the environment wins.`;

/** The table of the environment in README.md, as Markdown. */
export function environmentTable(): string {
  const rows = variables.map(
    (variable) =>
      `| \`${variable.name}\` | ${variable.description} | ${shownDefault(variable)} | ${neededBy(variable)} |`,
  );
  return `${["| Variable | What it is | Default | Needed by |", "|---|---|---|---|", ...rows].join("\n")}\n`;
}

function shownDefault({ fallback }: Variable): string {
  if (fallback === null) return "none, required";
  return fallback === "" ? "empty" : fallback;
}

function neededBy({ name, kind }: Variable & { name: VariableName }): string {
  if (kind === "local") return "`npm run dev` only";
  const groups = GROUPS.filter((group) => group.environment.some((needed) => needed === name)).map(
    (group) => group.name,
  );
  return groups.length === GROUPS.length ? "every function" : groups.join(", ");
}
