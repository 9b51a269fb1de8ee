#!/usr/bin/env node
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createNectar } from "@nectar/client";
import { serverOf } from "./server.ts";

const { NECTAR_URL: baseUrl, NECTAR_TOKEN: token } = process.env;
if (baseUrl === undefined || token === undefined) {
  console.error("Set NECTAR_URL to the address of the service, and NECTAR_TOKEN to a personal token.");
  process.exit(1);
}
const nectar = createNectar({ baseUrl, token: () => token });
const canWrite = process.argv.includes("--write");
serveStdio(() => serverOf(nectar, canWrite));
