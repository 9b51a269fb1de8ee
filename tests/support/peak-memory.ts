import { readFileSync } from "node:fs";

/**
 * The most memory that this process has had resident, in bytes. `process.resourceUsage()` says at least as much as the
 * process had that started this one.
 */
export function peakMemory(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}
