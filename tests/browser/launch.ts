import { type Browser, chromium } from "playwright-core";
import { findChromium } from "#tests/chromium";

/** Chromium without a window, which sends no requests of its own. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"],
  });
}
