import { readFileSync } from "node:fs";
import type { Capability } from "#config/capabilities";
import { VARIABLES } from "#config/variables";
import type { Bundle } from "./bundle.ts";

const ROOT = new URL("../../", import.meta.url);
const sourceOf = (path: string) => readFileSync(new URL(path, ROOT), "utf8");

/** Code of every function. What it reads depends on the group's guards and jobs, which variables.test.ts is about. */
const SHARED = "packages/http/";

/** The variables that each field of the configuration is made of, as its source says. */
const VARIABLES_OF = new Map(
  sourceOf("packages/config/config.ts")
    .split(/^ {4}(?=\w+:)/m)
    .slice(1)
    .map((field): [string, string[]] => [
      field.slice(0, field.indexOf(":")),
      Array.from(field.matchAll(/values\.([A-Z0-9_]+)/g), ([, name = ""]) => name),
    ]),
);

/** Variables that the code of a function reads, by the files in its bundle, although its capabilities do not give them. */
export function missingVariables({ inputs }: Pick<Bundle, "inputs">, capabilities: readonly Capability[]): string[] {
  const given = new Set(
    VARIABLES.filter(({ capability }) => capability === null || capabilities.includes(capability)).map(
      ({ name }) => name,
    ),
  );
  return inputs
    .filter((path) => /^(functions|packages)\//.test(path) && !path.startsWith(SHARED))
    .flatMap((path) =>
      fieldsReadIn(sourceOf(path)).flatMap((field) =>
        (VARIABLES_OF.get(field) ?? []).filter((name) => !given.has(name)).map((name) => `${name} in ${path}`),
      ),
    );
}

/** Fields of the configuration that a source reads, as `config.field` or `const { field } = config`. */
function fieldsReadIn(source: string): string[] {
  const direct = Array.from(source.matchAll(/\bconfig\.(\w+)/g), ([, field = ""]) => field);
  const taken = Array.from(source.matchAll(/\{([^{}]*)\} = (?:services\.)?config;/g), ([, fields = ""]) =>
    fields.split(",").map((field) => field.trim().replace(/[:=].*/, "")),
  );
  return [...direct, ...taken.flat()];
}
