import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUNDLING } from "@nectar/deploy/bundling";
import { build } from "esbuild";
import * as z from "zod";
import { GROUPS, type Group } from "./groups.ts";

/** The platform of deployed functions, for which unbundled packages are installed. */
const DEPLOYED_ON = { os: "linux", cpu: "arm64", libc: "glibc" };

const LockedPackage = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
});
const Lock = z.object({ packages: z.record(z.string(), LockedPackage) });
type Lock = z.infer<typeof Lock>;

/** A package that is deployed. */
interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly isBeside: boolean;
  /** Text of its license files; null for packages of one platform, which are not installed on every machine. */
  readonly text: string | null;
}

/** Notices that a license requires in addition to its text. */
const REMARKS: Readonly<Record<string, string>> = {
  "libheif-js":
    "A WebAssembly build of [libheif](https://github.com/strukturag/libheif) and [libde265](https://github.com/strukturag/libde265), both under the LGPL 3.0; [how it is built](https://github.com/catdad-experiments/libheif-emscripten). It is not part of a bundle: replace the folder `node_modules/libheif-js` of the function's package to use another version.",
  "@img/sharp-libvips-linux-arm64":
    "[libvips and the libraries in it](https://github.com/lovell/sharp-libvips/blob/main/THIRD-PARTY-NOTICES.md), as a shared library beside the bundle, which can be replaced like any file.",
};

/**
 * The text of `THIRD_PARTY.md`: every package that is in a bundle, or installed beside one, with its license. It depends only
 * on the sources and the lock file, so it is the same on every machine.
 * @param root absolute path of the repository
 */
export async function thirdPartyNotices(root: string): Promise<string> {
  const lock = Lock.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const groups: readonly Group[] = GROUPS;
  const beside = new Set(
    groups
      .flatMap(({ unbundledPackages = [] }) => unbundledPackages)
      .flatMap((name) => [...withDependencies(lock, `node_modules/${name}`)]),
  );
  const described = [...new Set([...(await bundledFolders(root)), ...beside])].map((folder) =>
    describePackage(root, lock, folder, beside.has(folder)),
  );
  // A package can be installed in several folders, also in the same version.
  const shipped = [...new Map(described.map((one) => [`${one.name} ${one.version}`, one])).values()].toSorted(
    (one, other) => compare(one.name, other.name) || compare(one.version, other.version),
  );
  return `${[HEADING, table(shipped), remarks(shipped), texts(shipped)].join("\n\n")}\n`;
}

const HEADING = `# Third-party software

The packages in deployed functions and in the server of \`npm start\`: inside their bundles, or installed beside them in
\`node_modules\`. Generated from the bundles and \`package-lock.json\` by \`npm run generate\`. Development tools are not
listed, because they are not deployed.`;

/** The folders of all packages with code in a bundle. */
async function bundledFolders(root: string): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [
      "functions/start.ts",
      "functions/tasks/handler.ts",
      ...GROUPS.map(({ name }) => `functions/${name}/handler.ts`),
    ],
    absWorkingDir: root,
    outdir: "nothing-is-written",
    write: false,
    bundle: true,
    metafile: true,
    platform: "node",
    target: "es2024",
    mainFields: ["module", "main"],
    format: BUNDLING.format,
    splitting: BUNDLING.splitting,
    external: BUNDLING.esbuild.external,
    logLevel: "silent",
  });
  const sources = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  return new Set(sources.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
}

/** A package and all packages that are installed with it for deployed functions. */
function withDependencies(lock: Lock, folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found;
  const { os, cpu, libc, dependencies, optionalDependencies } = entryOf(lock, folder);
  const fits = (wanted: readonly string[] | undefined, is: string) => wanted === undefined || wanted.includes(is);
  if (!fits(os, DEPLOYED_ON.os) || !fits(cpu, DEPLOYED_ON.cpu) || !fits(libc, DEPLOYED_ON.libc)) return found;
  found.add(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    withDependencies(lock, resolveFrom(lock, folder, name), found);
  }
  return found;
}

/** The folder of the package that a name resolves to from another package's folder. */
function resolveFrom(lock: Lock, folder: string, name: string): string {
  for (let from = folder; from !== ""; from = from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/")))) {
    const nested = `${from}/node_modules/${name}`;
    if (lock.packages[nested] !== undefined) return nested;
  }
  return `node_modules/${name}`;
}

function entryOf(lock: Lock, folder: string): Lock["packages"][string] {
  const entry = lock.packages[folder];
  if (entry === undefined) throw new Error(`${folder} is not in package-lock.json.`);
  return entry;
}

function describePackage(root: string, lock: Lock, folder: string, isBeside: boolean): Shipped {
  const { version, license, os } = entryOf(lock, folder);
  const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
  if (version === undefined || license === undefined) throw new Error(`${name} has no license in package-lock.json.`);
  return { name, version, license, isBeside, text: os === undefined ? licenseText(join(root, folder)) : null };
}

/** The concatenated license files of an installed package; null if there are none. */
function licenseText(folder: string): string | null {
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file) && !/\.(js|ts)$/.test(file))
    .toSorted(compare);
  const parts = files.map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  return parts.length === 0 ? null : parts.join("\n\n");
}

function table(shipped: readonly Shipped[]): string {
  const rows = shipped.map(
    ({ name, version, license, isBeside }) =>
      `| [${name}](https://www.npmjs.com/package/${name}/v/${version}) | ${version} | ${license} | ${isBeside ? "beside the bundle" : "in bundles"} |`,
  );
  return ["| Package | Version | License | Where |", "|---|---|---|---|", ...rows].join("\n");
}

function remarks(shipped: readonly Shipped[]): string {
  const lines = shipped.flatMap(({ name }) => (REMARKS[name] === undefined ? [] : [`- **${name}**: ${REMARKS[name]}`]));
  return ["## Remarks", "", ...lines].join("\n");
}

/** Every license text once, with its packages. */
function texts(shipped: readonly Shipped[]): string {
  const owners = new Map<string, string[]>();
  for (const { name, version, text } of shipped) {
    if (text !== null) owners.set(text, [...(owners.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...owners].map(([text, names]) => `### ${names.join(", ")}\n\n\`\`\`\`text\n${text}\n\`\`\`\``);
  const without = shipped.filter(({ text }) => text === null).map(({ name }) => name);
  return [
    "## License texts",
    `Copied from the packages. For ${without.join(", ")} see the links above.`,
    ...parts,
  ].join("\n\n");
}

/** Compares by code units, so that the order does not depend on the locale. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
