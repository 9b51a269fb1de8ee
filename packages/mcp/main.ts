#!/usr/bin/env node
import { parseArgs } from "node:util";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createNectar } from "@nectar/client";
import { type Choice, GROUPS, serverOf } from "./server.ts";

try {
  const { NECTAR_URL: baseUrl, NECTAR_TOKEN: token } = process.env;
  if (baseUrl === undefined || !/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl) || token === undefined) {
    throw new Error(
      "Set NECTAR_URL to the address of the service, with https:// or http://, and NECTAR_TOKEN to a personal token.",
    );
  }
  const nectar = createNectar({ baseUrl, token: () => token });
  const choice = choiceOf(process.argv.slice(2));
  serveStdio(() => serverOf(nectar, choice));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Reads the arguments. @throws Error for an unknown flag or group */
function choiceOf(args: string[]): Choice {
  const options = { write: { type: "boolean", default: false }, tools: { type: "string" } } as const;
  const { write, tools } = parseArgs({ args, options }).values;
  const groups = tools?.split(",").map((group) => group.trim());
  const unknown = groups?.filter((group) => !GROUPS.has(group)) ?? [];
  if (unknown.length > 0) {
    throw new Error(`--tools: there is no group "${unknown.join()}". There are ${[...GROUPS].join(", ")}.`);
  }
  return { canWrite: write, groups };
}
