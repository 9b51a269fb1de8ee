import { VARIABLES, type Variable } from "#config/variables";

/** The text of `.env.example`: every variable with its description, its default and the functions that get it. */
export function environmentExample(): string {
  const entries = VARIABLES.map((variable) =>
    [
      `# ${variable.description}`,
      `# Needed by: ${variable.neededBy}. Default: ${shownDefault(variable)}.`,
      `${variable.default === null ? "" : "# "}${variable.name}=`,
    ].join("\n"),
  );
  return `${HEADER}\n\n${entries.join("\n\n")}\n`;
}

const HEADER = `# Every variable that Nectar reads. This file is generated from packages/config/variables.ts.
# \`npm run dev\` needs none of them: it has local values for addresses, keys and secrets, and defaults for the others.
# Variables that are set in the environment win.`;

const PAGE_HEADER = `# Environment variables

\`npm run dev\` needs none of these: it has local values for addresses, keys and secrets, and defaults for the others.
Variables that are set in the environment win. A deployed function gets the variables that it needs and no others.
[.env.example](../.env.example) has the same list to copy.

This page is generated from \`packages/config/variables.ts\`.`;

/** The text of `docs/environment.md`. */
export function environmentPage(): string {
  const rows = VARIABLES.map(
    (variable) =>
      `| \`${variable.name}\` | ${variable.description} | ${shownDefault(variable)} | ${variable.neededBy} |`,
  );
  return `${PAGE_HEADER}\n\n${["| Variable | Description | Default | Needed by |", "|---|---|---|---|", ...rows].join("\n")}\n`;
}

function shownDefault(variable: Variable): string {
  if (variable.default === null) return "none, required";
  return variable.default === "" ? "empty" : variable.default;
}
