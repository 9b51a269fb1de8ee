import { text } from "node:stream/consumers";
import type { GuardLine } from "./guard.ts";
import { stopProcess } from "./processes.ts";

/** Milliseconds after which a process that ignores its signal is killed. */
const TIMEOUT_MS = 30_000;

// The text is complete when the process that started this one has ended; it is the only writer.
const lines = (await text(process.stdin)).split("\n").filter((line) => line !== "");
for (const line of lines.reverse()) {
  const { child, signal }: GuardLine = JSON.parse(line);
  await stopProcess(child, signal, TIMEOUT_MS);
}
