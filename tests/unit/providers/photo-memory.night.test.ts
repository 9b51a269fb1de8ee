import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { PHOTO_ENVIRONMENT } from "#ops/deploy/function-environment";

describe("the memory of a process", () => {
  // The two kinds that need the most memory. Several photos would need more than that at the same time.
  it.each([
    ["jpeg-36-progressive", 8, 400],
    ["heic-49-10-bit", 8, 700],
  ] as const)("for %s, %i at once, stays under %i MB", async (kind, count, maxMb) => {
    const script = fileURLToPath(new URL("./photo-memory.ts", import.meta.url));
    const env = { ...process.env, ...PHOTO_ENVIRONMENT };
    const { stdout } = await promisify(execFile)(process.execPath, [script, kind, String(count)], { env });
    const { examined, peakMb } = JSON.parse(stdout);
    expect(examined).toBe(count);
    expect(peakMb).toBeGreaterThan(50);
    expect(peakMb).toBeLessThan(maxMb);
  });
});
