import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { LONG } from "../../support/long.ts";

describe("memory", () => {
  // The two that need the most memory stand for the others, which the long run examines as well.
  const kinds = ["jpeg-36-progressive", "heic-24-10-bit", ...(LONG ? ["jpeg-12", "heic-12", "heic-24"] : [])];
  it.each(kinds)("stays under 400 MB with eight at the same time: %s", { timeout: 120_000 }, async (kind) => {
    const script = fileURLToPath(new URL("./photo-memory.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, kind]);
    const { examined, peakMb } = JSON.parse(stdout);
    expect(examined).toBe(8);
    expect(peakMb).toBeGreaterThan(50);
    expect(peakMb).toBeLessThan(400);
  });
});
