import { writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as z from "zod";

// Preloaded into a server: on SIGUSR2 it collects all garbage and writes to MEMORY_FILE how many bytes remain.
const { MEMORY_FILE } = z.object({ MEMORY_FILE: z.string() }).parse(process.env);
setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

process.on("SIGUSR2", () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(MEMORY_FILE, String(heapUsed + external));
});
