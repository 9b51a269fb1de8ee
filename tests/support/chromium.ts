import { existsSync } from "node:fs";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of Chromium, or null; `CHROMIUM_PATH` names another one. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  return [...(named === undefined ? [] : [named]), ...PATHS].find((path) => existsSync(path)) ?? null;
}
