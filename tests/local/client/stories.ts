import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PORT_VARIABLES, readLocalSettings } from "#local/settings/local-settings";
import type { TestStack } from "../dev-process.ts";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const run = promisify(execFile);
/** The types of modules that only apps install. */
const APP_MODULES = "expo-modules.d.ts";

/** A page of the documentation whose TypeScript is one program, from its first block to its last. */
export interface Story {
  /** Path from the root of the repository. */
  readonly page: string;
  readonly code: string;
  /** Blocks whose first line is the comment `// <name>.ts`: files that other pages import. */
  readonly modules: readonly { readonly file: string; readonly code: string }[];
}

/** The pages that have TypeScript for the client. */
export function readStories(): Story[] {
  const pages = ["packages/client/README.md", ...globSync("docs/guide/*.md", { cwd: ROOT }).sort()];
  return pages.map((page) => ({ page, ...codeIn(page, "ts") })).filter(({ code }) => code.includes("import "));
}

/** The page for apps. Its code needs a phone, so only its types are checked. */
export function readAppPage(): Story {
  const page = "docs/guide/apps.md";
  return { page, ...codeIn(page, "tsx") };
}

function codeIn(page: string, language: "ts" | "tsx"): Pick<Story, "code" | "modules"> {
  const markdown = readFileSync(join(ROOT, page), "utf8");
  const fences = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  const blocks = [...markdown.matchAll(fences)].map(([, code = ""]) => code);
  const modules = blocks.flatMap((code) => {
    const file = /^\/\/ (\w+\.ts)\n/.exec(code)?.[1];
    return file === undefined ? [] : [{ file, code }];
  });
  const story = blocks.filter((code) => !modules.some((module) => module.code === code));
  return { code: story.join("\n"), modules };
}

/** The lines that a story prints by its comments: `console.log(title); // A walk`. Dots (`…`) stand for anything. */
export function expectedLines({ code }: Story): RegExp[] {
  return [...code.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm)].map(
    ([, text = ""]) => new RegExp(`^${text.split("…").map(escaped).join(".*")}$`),
  );
}

/** A pattern for exactly this text. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** An otherwise empty project that has installed the packed client. */
export interface Project {
  readonly folder: string;
  /** The paths in the package. */
  readonly packed: readonly string[];
  remove(): void;
}

/** Packs both packages with the command of the guide, and installs the client in an empty folder. */
export async function newProject(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), "nectar-client-"));
  const [pack = ""] = /^npm pack .*$/m.exec(readFileSync(join(ROOT, "docs/guide/README.md"), "utf8")) ?? [];
  await npm(pack.replace("~/my-app", folder).split(" ").slice(1), ROOT);
  const [tarball = ""] = globSync("nectar-client-*.tgz", { cwd: folder });
  const { stdout } = await run("tar", ["-tzf", join(folder, tarball)]);
  const packed = [...stdout.matchAll(/^package\/(.+)$/gm)].map(([, path = ""]) => path);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "story", private: true, type: "module" }));
  await npm(["install", "--offline", "--no-audit", "--no-fund", `./${tarball}`], folder);
  // Packages that the pages install as well, without downloading them again.
  for (const name of ["@supabase/supabase-js", "@types/node", "sharp"]) link(folder, name);
  return { folder, packed, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs npm in a folder, without the variables of the test run. */
function npm(args: string[], cwd: string) {
  return run("npm", args, { cwd, env: { PATH: process.env.PATH, HOME: process.env.HOME } });
}

/** Gives a project a package of the repository. */
export function link(folder: string, name: string): void {
  const target = join(folder, "node_modules", name);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) symlinkSync(join(ROOT, "node_modules", name), target);
}

/**
 * Checks the types of all stories in a project, as strictly as supabase-js allows.
 * @returns what the compiler says, empty if nothing
 */
export async function checkTypes({ folder }: Project, stories: readonly Story[]): Promise<string> {
  const files = stories.flatMap((story) => [fileOf(story), ...story.modules.map(({ file }) => file)]);
  copyFileSync(join(import.meta.dirname, APP_MODULES), join(folder, APP_MODULES));
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: true },
    ...{ target: "es2022", module: "nodenext", lib: ["es2022", "dom", "dom.iterable"], types: ["node"] },
    ...{ noEmit: true, moduleDetection: "force", allowImportingTsExtensions: true },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [...files, APP_MODULES] }));
  try {
    await run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", folder]);
    return "";
  } catch (error) {
    return String(Object(error).stdout);
  }
}

/** Writes all stories into a project, with the addresses of a stack in place of the documented ones. */
export function writeStories({ folder }: Project, stories: readonly Story[], stack: TestStack): void {
  for (const story of stories) {
    const sources = [{ file: fileOf(story), code: story.code }, ...story.modules];
    for (const { file, code } of sources) writeFileSync(join(folder, file), atStack(code, stack));
  }
}

/** Runs a story that was written into a project. @returns the printed lines */
export async function tell({ folder }: Project, story: Story): Promise<string[]> {
  const { stdout } = await run(process.execPath, [join(folder, fileOf(story))], { cwd: folder });
  return stdout.split("\n").slice(0, -1);
}

/** Code with the addresses of a stack in place of the documented ones. */
export function atStack(code: string, stack: TestStack): string {
  const { ports } = readLocalSettings({});
  const documented = new Map(
    Object.entries(PORT_VARIABLES).map(([name, variable]) => [
      String(Object.entries(ports).find(([key]) => key === name)?.[1]),
      stack.environment[variable],
    ]),
  );
  return code.replace(/\b(?:localhost|127\.0\.0\.1):(\d+)/g, (text, port: string) => {
    const actual = documented.get(port);
    return actual === undefined ? text : `127.0.0.1:${actual}`;
  });
}

function fileOf({ page }: Story): string {
  return `${page.replace(/\.md$/, "").replaceAll("/", "-")}.ts`;
}
