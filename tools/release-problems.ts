import * as z from "zod";

const Manifest = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()).default({}) });

/**
 * What keeps the present version from being released: versions that differ, and a tag without its changes.
 * @param read returns the text of a file of the repository
 * @param tag the tag of the release, such as `v1.2.3`, if it has one already
 */
export function releaseProblems(read: (file: string) => string, tag?: string): string[] {
  const manifest = (file: string) => Manifest.parse(JSON.parse(read(file)));
  const { version } = manifest("package.json");
  const mcp = manifest("packages/mcp/package.json");
  const versions = {
    "packages/client": manifest("packages/client/package.json").version,
    "packages/mcp": mcp.version,
    "the client of packages/mcp": mcp.dependencies["@nectar/client"],
  };
  const problems = Object.entries(versions)
    .filter(([, other]) => other !== version)
    .map(([name, other]) => `The version of ${name} is ${other}, and not ${version}.`);
  if (tag === undefined) return problems;
  if (tag !== `v${version}`) problems.push(`The tag ${tag} is not v${version}.`);
  const headings = [...read("CHANGELOG.md").matchAll(/^## (\S+)/gm)].map(([, heading]) => heading);
  if (!headings.includes(version)) problems.push(`CHANGELOG.md has no heading for ${version}.`);
  return problems;
}
