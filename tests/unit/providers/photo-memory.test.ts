import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { LONG } from "../../support/long.ts";

describe("the memory of a process", () => {
  // The two kinds that need the most memory. Four photos would need more than that at the same time. The long run has all
  // kinds, and eight photos.
  const kinds = ["jpeg-36-progressive", "heic-24-10-bit", ...(LONG ? ["jpeg-12", "heic-12", "heic-24"] : [])];
  const count = LONG ? 8 : 4;
  it.each(kinds)(`stays under 400 MB while it examines ${count} photos: %s`, { timeout: 120_000 }, async (kind) => {
    const script = fileURLToPath(new URL("./photo-memory.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, kind, String(count)]);
    const { examined, peakMb } = JSON.parse(stdout);
    expect(examined).toBe(count);
    expect(peakMb).toBeGreaterThan(50);
    expect(peakMb).toBeLessThan(400);
  });
});
