import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestStack } from "../dev-process.ts";
import { atStack, escaped, ROOT } from "./stories.ts";

const run = promisify(execFile);

/** A shell command of a page (`$ curl ...`), and the lines below it. */
export interface Command {
  readonly command: string;
  readonly output: string;
}

/** The commands of a page, in their order. A line that ends with a backslash continues on the next one. */
export function readCommands(page: string): Command[] {
  const blocks = [...readFileSync(join(ROOT, page), "utf8").matchAll(/^```\n(\$ [\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, block = ""]) =>
    [...block.matchAll(/^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command = "", output = ""]) => ({
      command,
      output,
    })),
  );
}

/** Runs commands in one shell, against a stack. @returns the output of each */
export async function runCommands(commands: readonly Command[], stack: TestStack): Promise<string[]> {
  const script = commands.map(({ command }) => `${command}\nprintf '\\0'`).join("\n");
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...stack.environment };
  const { stdout } = await run("bash", ["-euc", atStack(script, stack)], { cwd: ROOT, env });
  return stdout.split("\0").slice(0, -1).map(withoutSpace);
}

/** A pattern for an output without its white space. Three dots stand for anything. */
export function expectedOutput({ output }: Command): RegExp {
  return new RegExp(`^${output.split("...").map(withoutSpace).map(escaped).join(".*")}$`, "s");
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
