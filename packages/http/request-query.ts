import { AppError, type Issue } from "@nectar/core/errors";
import { textProblem } from "@nectar/core/text";

/**
 * Reads the query of a URL. A parameter may occur once, except the repeatable ones, which become arrays.
 * @param repeatable names of the parameters that may occur several times
 * @throws AppError 400 with an issue for every parameter that is repeated, wrongly encoded or contains impossible characters
 */
export function readQuery(url: string, repeatable: ReadonlySet<string>): Record<string, string | string[]> {
  const start = url.indexOf("?");
  if (start === -1) return {};
  const values = new Map<string, string[]>();
  const issues: Issue[] = [];
  for (const pair of url.slice(start + 1).split("&")) {
    if (pair === "") continue;
    const [rawName = "", ...rest] = pair.split("=");
    const name = decodePart(rawName);
    const value = decodePart(rest.join("="));
    if (name === null || value === null) {
      issues.push({ path: name ?? "", message: "must be valid percent-encoded UTF-8" });
      continue;
    }
    const problem = textProblem(name) ?? textProblem(value);
    if (problem !== null) issues.push({ path: name.replaceAll("\u0000", ""), message: problem });
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, [value]);
    else if (repeatable.has(name)) earlier.push(value);
    else issues.push({ path: name, message: "must be given only once" });
  }
  if (issues.length > 0) throw new AppError("request.invalid", { issues });
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, all] of values) query[name] = repeatable.has(name) ? all : (all[0] ?? "");
  return query;
}

function decodePart(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded.replaceAll("+", " "));
  } catch {
    return null;
  }
}
