import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { newTestStack, type Started, startProgram, type TestStack, untilReady } from "../local/dev-process.ts";
import { launchChromium, openPage } from "./launch.ts";

/** The service with its demo data as `npm run dev` starts it, and a page of Chromium. */
export interface DevPage {
  readonly stack: TestStack;
  readonly browser: Browser;
  readonly page: Page;
  readonly output: () => string;
  /** Every address that the page requested outside of the API under test. */
  readonly strayRequests: string[];
  readonly pageErrors: string[];
  /** Errors of the browser, refused requests included. */
  readonly consoleErrors: string[];
}

/** Starts the service and opens a page for the calling test file. One file has all tests of it: starting takes longer than they do. */
export function useDevPage(): DevPage {
  let stack: TestStack | undefined;
  let dev: Started | undefined;
  let opened: { browser: Browser; page: Page } | undefined;
  const seen = { strayRequests: [] as string[], pageErrors: [] as string[], consoleErrors: [] as string[] };

  beforeAll(async () => {
    stack = await newTestStack();
    const { apiUrl } = stack;
    dev = startProgram("../../local/main.ts", [], stack.environment);
    await untilReady(dev);
    const browser = await launchChromium();
    const page = await openPage(browser);
    opened = { browser, page };
    page.on("request", (request) => {
      const url = request.url();
      if (/^https?:/.test(url) && !url.startsWith(apiUrl)) seen.strayRequests.push(url);
    });
    page.on("pageerror", (error) => seen.pageErrors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") seen.consoleErrors.push(message.text());
    });
  });

  afterAll(async () => {
    await opened?.browser.close();
    dev?.child.kill("SIGINT");
    await dev?.ended;
    stack?.remove();
  });

  const there = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error("The service and its page exist only inside hooks and tests.");
    return thing;
  };
  return {
    get stack() {
      return there(stack);
    },
    get browser() {
      return there(opened).browser;
    },
    get page() {
      return there(opened).page;
    },
    output: () => there(dev).output(),
    ...seen,
  };
}
