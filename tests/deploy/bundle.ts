import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { GROUPS, TASKS } from "#functions/groups";
import { BUNDLING } from "#ops/deploy/bundling";

export interface Bundle {
  /** Absolute path of the module that Lambda loads. */
  readonly entry: string;
  /** Gzipped bytes of the entry and its static imports, file by file. */
  readonly eagerBytesGz: number;
  /** Absolute paths of all code files, the eager ones first. */
  readonly files: readonly string[];
  /** Paths from the root of the repository of all sources with code in it. */
  readonly inputs: readonly string[];
  /** Minified bytes, before gzip, of each package or folder of ours in the eager files, largest first. */
  readonly weights: readonly { readonly name: string; readonly bytes: number }[];
  /** Installed packages that it imports at run time but does not contain. */
  readonly missing: readonly string[];
  /** Deletes the bundle. */
  remove(): Promise<void>;
}

const root = fileURLToPath(new URL("../../", import.meta.url));

// For the process of esbuild, which otherwise spends a fifth of its time on collecting garbage.
process.env.GOGC ??= "400";

/** Bundles the function of a group into a temporary folder. @param banner code at the beginning of each file */
export function bundleFunction(group: string, banner?: string): Promise<Bundle> {
  return bundleEntry(handlerOf(group), banner);
}

function handlerOf(group: string): string {
  const row = [...GROUPS, TASKS].find(({ name }) => name === group);
  if (row === undefined) throw new Error(`There is no function ${group}.`);
  return join(root, "functions", row.folder, "handler.ts");
}

/** Links packages beside a bundle, where SST would install them. No other package of this repository can be found from there. */
export async function installBeside({ entry }: Bundle, packages: readonly string[]): Promise<void> {
  const folder = join(dirname(entry), "node_modules");
  await mkdir(folder);
  for (const name of packages) await symlink(join(root, "node_modules", name), join(folder, name), "dir");
}

/** Bundles the libraries that every function needs (Hono, zod, pg, kysely, jose), for comparison. */
export function bundleBaseline(): Promise<Bundle> {
  return bundleEntry(join(root, "tests/deploy/baseline.ts"));
}

/**
 * Bundles the functions of all groups at once, in a tenth of the time. They have the same sources as alone, but larger files:
 * modules of several functions stand in files of their own, with all that any of these functions uses.
 */
export async function bundleAll(): Promise<Map<string, Bundle>> {
  const bundles = await bundleEntries(GROUPS.map(({ name }) => handlerOf(name)));
  return new Map([...bundles.values()].map((bundle, index) => [GROUPS[index]?.name ?? "", bundle]));
}

/** Bundles a module into a temporary folder. */
export async function bundleEntry(source: string, banner?: string): Promise<Bundle> {
  const [bundle] = (await bundleEntries([source], banner)).values();
  if (bundle === undefined) throw new Error("esbuild wrote no entry.");
  return bundle;
}

/**
 * Bundles modules as SST bundles a function: with `BUNDLING` and SST's own options. Only the source maps are left out: the
 * code is the same without them, and writing them takes half of the time.
 */
async function bundleEntries(sources: readonly string[], banner = ""): Promise<Map<string, Bundle>> {
  const outdir = await mkdtemp(join(tmpdir(), "nectar-bundle-"));
  const { metafile } = await build({
    entryPoints: [...sources],
    // All in one folder, so that the packages beside it are found from every file.
    entryNames: "[name]-[hash]",
    absWorkingDir: root,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "es2024",
    mainFields: ["module", "main"],
    keepNames: true,
    metafile: true,
    logLevel: "silent",
    banner: { js: SST_BANNER + banner },
    format: BUNDLING.format,
    splitting: BUNDLING.splitting,
    minify: BUNDLING.minify,
    external: BUNDLING.esbuild.external,
  });
  const remove = () => rm(outdir, { recursive: true, force: true });
  const bundles = new Map<string, Bundle>();
  for (const source of sources) {
    // Dynamically imported modules are entries too, so ours is found by its source.
    const entry = Object.keys(metafile.outputs).find(
      (path) => metafile.outputs[path]?.entryPoint === relative(root, source),
    );
    if (entry === undefined) throw new Error(`esbuild wrote nothing for ${source}.`);
    const eager = filesOf(metafile, entry, ["import-statement"]);
    const files = filesOf(metafile, entry, ["import-statement", "dynamic-import"]);
    const sizes = await Promise.all(
      eager.map(async (path) => gzipSync(await readFile(resolve(root, path))).byteLength),
    );
    bundles.set(source, {
      entry: resolve(root, entry),
      eagerBytesGz: sizes.reduce((sum, size) => sum + size, 0),
      files: [...eager, ...files.filter((path) => !eager.includes(path))].map((path) => resolve(root, path)),
      inputs: files.flatMap((file) => {
        const inputs = metafile.outputs[file]?.inputs ?? {};
        return Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0);
      }),
      weights: weightsOf(metafile, eager),
      missing: missingPackages(metafile, files),
      remove,
    });
  }
  return bundles;
}

/** SST's banner for ESM bundles, so that CommonJS packages inside (pg, pino) find `require`. */
const SST_BANNER = `import { createRequire as topLevelCreateRequire } from 'module';
const require = topLevelCreateRequire(import.meta.url);
import { fileURLToPath as topLevelFileUrlToPath, URL as topLevelURL } from "url"
const __filename = topLevelFileUrlToPath(import.meta.url)
const __dirname = topLevelFileUrlToPath(new topLevelURL(".", import.meta.url))
`;

/** The entry and all files that it imports in one of these ways, directly or not. */
function filesOf(metafile: Metafile, entry: string, kinds: readonly string[]): string[] {
  const found = new Set([entry]);
  for (const path of found) {
    for (const imported of metafile.outputs[path]?.imports ?? []) {
      if (kinds.includes(imported.kind) && imported.external !== true) found.add(imported.path);
    }
  }
  return [...found];
}

function missingPackages(metafile: Metafile, files: readonly string[]): string[] {
  const imports = files.flatMap((file) => metafile.outputs[file]?.imports ?? []);
  const packages = imports
    .filter(({ external, path }) => external === true && !isBuiltin(path))
    .flatMap(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(packages)].filter((name) => existsSync(join(root, "node_modules", name))).toSorted();
}

function weightsOf(metafile: Metafile, files: readonly string[]): { name: string; bytes: number }[] {
  const totals = new Map<string, number>();
  for (const file of files) {
    for (const [path, { bytesInOutput }] of Object.entries(metafile.outputs[file]?.inputs ?? {})) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.split("/").slice(0, 2).join("/");
      totals.set(name, (totals.get(name) ?? 0) + bytesInOutput);
    }
  }
  return [...totals].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
}
