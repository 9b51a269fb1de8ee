import { execFile } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as z from "zod";
import { link, type Project } from "./stories.ts";

/** Puts the packed MCP package beside the client of a project. @returns its program */
export async function addMcp({ folder }: Project): Promise<string> {
  const [tarball = ""] = globSync("nectar-mcp-*.tgz", { cwd: folder });
  const target = join(folder, "node_modules/@nectar/mcp");
  mkdirSync(target, { recursive: true });
  await promisify(execFile)("tar", ["-xzf", join(folder, tarball), "--strip-components=1", "-C", target]);
  for (const name of ["server", "core"]) link(folder, `@modelcontextprotocol/${name}`);
  return join(target, "dist/main.js");
}

/** A session of a host that has started the package. */
export async function openSession(program: string, env: Record<string, string>, ...args: string[]): Promise<Client> {
  const client = new Client({ name: "tests", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, ...args], env }));
  return client;
}

/** What the package prints when it does not start. */
export async function refusalOf(program: string, env: Record<string, string>, ...args: string[]): Promise<string> {
  const error: unknown = await promisify(execFile)(process.execPath, [program, ...args], { env }).catch((one) => one);
  return z.object({ code: z.literal(1), stderr: z.string() }).parse(error).stderr;
}

/** Calls a tool. @returns its parsed result, its size, and whether it says that the call failed */
export async function callTool(session: Client, name: string, input: Record<string, unknown> = {}) {
  const { content, isError = false } = await session.callTool({ name, arguments: input });
  const [part] = content;
  if (part?.type !== "text") throw new Error(`${name} returned no text.`);
  const result: unknown = JSON.parse(part.text);
  return { isError, result, bytes: Buffer.byteLength(part.text) };
}
