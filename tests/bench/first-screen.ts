import type { Browser } from "playwright-core";
import { launchChromium } from "../browser/launch.ts";
import { newTestStack, startProgram, untilReady } from "../local/dev-process.ts";
import { type Figure, median, type Run, sized, timed, within } from "./figures.ts";

/** How long the reference page takes in Chromium until its list of operations is shown. */
export async function firstScreenFigures({ note }: Run): Promise<Figure[]> {
  note("the reference in Chromium");
  const stack = await newTestStack();
  const dev = startProgram("../../local/main.ts", [], stack.environment);
  await using started = new AsyncDisposableStack();
  started.defer(async () => {
    dev.child.kill("SIGINT");
    await dev.ended;
    await stack.remove();
  });
  await untilReady(dev);
  const browser = await launchChromium();
  started.defer(() => browser.close());
  const times: number[] = [];
  for (let load = 0; load < sized(7); load += 1) times.push(await firstScreenMs(browser, `${stack.apiUrl}/docs`));
  return [within("first screen of the reference in Chromium, without a cache", median(times), 2_000, "ms")];
}

/** Milliseconds from the request of the page until its first group is visible, in a browser without a cache. */
async function firstScreenMs(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const ms = await timed(async () => {
    await page.goto(url, { waitUntil: "commit" });
    await page.locator("[id^=operations-tag-]").first().waitFor();
  });
  await context.close();
  return ms;
}
