import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "#tests/chromium";

/** Chromium without a window, which sends no requests of its own. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"],
  });
}

/** A page that waits as long as a busy machine may take. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  return page;
}
