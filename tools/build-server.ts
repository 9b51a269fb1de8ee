import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import * as z from "zod";
import { BUNDLING, UNBUNDLED_PACKAGES } from "#ops/deploy/bundling";
import { olderDocument } from "./reference/older-document.ts";

/** `npm run build`: writes the complete server of `npm start`, the programs of `npm run migrate` and `npm run backup`, and the reference as OpenAPI 3.0 into the folder `dist`, or into that of `--to`. */

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({ options: { to: { type: "string", default: join(root, "dist") } } });
const folder = resolve(values.to);

/** An older Node, such as that of a Debian, would fail later without a reason. CommonJS packages (pg, pino) need `require`. */
const BANNER = `import { createRequire } from "node:module";
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error("Nectar needs Node 24 or newer, and this is Node " + process.versions.node + ".");
  process.exit(1);
}
const require = createRequire(import.meta.url);`;

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default("see below"),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const readManifest = (folder: string) => Manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));

/** The folders of all packages that are in a bundle or beside it. */
const packages = new Set<string>();

/** The name, version and license of a package with the texts that its license asks to be passed on. */
function noticeOf(folder: string): string {
  const { name, version, license } = readManifest(join(root, folder));
  const files = readdirSync(join(root, folder)).filter((file) =>
    /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i.test(file),
  );
  const texts = files.map((file) => readFileSync(join(root, folder, file), "utf8").trim());
  return [`# ${name} ${version} (${license})`, `https://www.npmjs.com/package/${name}`, ...texts].join("\n\n");
}

/** Copies an installed package with its dependencies; those of other platforms are not installed. */
function copyPackage(name: string): void {
  const [from, to] = [join(root, "node_modules", name), join(folder, "node_modules", name)];
  if (!existsSync(from) || existsSync(to)) return;
  cpSync(from, to, { recursive: true });
  packages.add(`node_modules/${name}`);
  const manifest = readManifest(from);
  for (const next of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) copyPackage(next);
}

rmSync(folder, { recursive: true, force: true });
// A build for each, because shared code would be in a folder from which the migrations are not found.
for (const program of ["functions/start.ts", "ops/migrate/cli.ts", "ops/backup/cli.ts"]) {
  const { metafile } = await build({
    entryPoints: [program],
    absWorkingDir: root,
    outdir: join(folder, dirname(program)),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    metafile: true,
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    banner: { js: BANNER },
    format: BUNDLING.format,
    splitting: BUNDLING.splitting,
    external: BUNDLING.esbuild.external,
    logLevel: "warning",
  });
  for (const path of Object.keys(metafile.inputs)) {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    if (folder !== undefined) packages.add(folder);
  }
}
for (const path of ["supabase/roles.sql", "supabase/migrations", "supabase/seeds", "LICENSE"]) {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  cpSync(join(root, path), join(folder, path), { recursive: true });
}
const reference: unknown = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
writeFileSync(join(folder, "openapi-3.0.json"), `${JSON.stringify(olderDocument(reference), null, 2)}\n`);
writeFileSync(join(folder, "package.json"), `{ "name": "nectar-server", "private": true, "type": "module" }\n`);
for (const name of Object.keys(UNBUNDLED_PACKAGES)) copyPackage(name);
writeFileSync(join(folder, "THIRD_PARTY.md"), [...packages].sort().map(noticeOf).join("\n\n"));
