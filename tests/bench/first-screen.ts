import type { Browser } from "playwright-core";
import type { TestCluster } from "#local/database/test-cluster";
import { launchChromium } from "../browser/launch.ts";
import { newTestStack, startProgram, untilReady } from "../local/dev-process.ts";
import type { Figure } from "./figures.ts";
import { median } from "./processes.ts";
import type { Note } from "./requests.ts";

const LOADS = 7;
const MAX_MS = 2_000;

/** How long the reference page takes in Chromium until its list of operations is shown, against two seconds. */
export async function firstScreenFigures(_: TestCluster, note: Note): Promise<Figure[]> {
  note("first screen of the reference");
  const stack = await newTestStack();
  const dev = startProgram("../../local/main.ts", [], stack.environment);
  try {
    await untilReady(dev);
    const browser = await launchChromium();
    const times: number[] = [];
    try {
      for (let load = 0; load < LOADS; load += 1) times.push(await firstScreenMs(browser, `${stack.apiUrl}/docs`));
    } finally {
      await browser.close();
    }
    const ms = median(times);
    return [
      {
        name: "first screen of the reference in Chromium / 2 s",
        ratio: ms / MAX_MS,
        bar: { atMost: 1 },
        measured: `${ms.toFixed(0)} ms, median of ${LOADS} loads without a cache`,
      },
    ];
  } finally {
    dev.child.kill("SIGINT");
    await dev.ended;
    stack.remove();
  }
}

/** Milliseconds from the request of the page until its first group is visible, in a browser without a cache. */
async function firstScreenMs(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const startedAt = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    await page.locator("[id^=operations-tag-]").first().waitFor();
    return performance.now() - startedAt;
  } finally {
    await context.close();
  }
}
