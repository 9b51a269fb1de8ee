import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawMoodCalendar } from "#journal/mood-calendar";
import { launchChromium, openPage } from "./launch.ts";

const SVG = drawMoodCalendar(2026, [
  { date: "2026-03-01", entries: 2, mood: "joyful" },
  { date: "2026-03-02", entries: 1, mood: "</title><script>globalThis.ran = true</script>" },
]);

let browser: Browser;
/** One page for all tests: opening one takes longer than they do. */
let page: Page;
const requested: string[] = [];
beforeAll(async () => {
  browser = await launchChromium();
  page = await openPage(browser);
  page.on("request", (request) => requested.push(request.url()));
  await page.route("http://calendar.test/", (route) =>
    route.fulfill({
      contentType: "image/svg+xml",
      headers: { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
      body: SVG,
    }),
  );
});
afterAll(() => browser?.close());

/** Opens the picture as a document of its own. */
async function open({ colorScheme = "light", width = 900 }: { colorScheme?: "light" | "dark"; width?: number } = {}) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  requested.length = 0;
  await page.goto("http://calendar.test/");
}

describe("the calendar of moods in a browser", () => {
  test.each([
    ["light", "rgb(255, 255, 255)", "rgb(11, 122, 117)"],
    ["dark", "rgb(13, 17, 23)", "rgb(45, 212, 191)"],
  ] as const)("follows the %s scheme", async (colorScheme, background, positive) => {
    await open({ colorScheme });
    const fill = (selector: string) => page.evaluate(`getComputedStyle(document.querySelector("${selector}")).fill`);
    expect(await fill("svg > rect")).toBe(background);
    expect(await fill("#positive > rect")).toBe(positive);
  });

  test.each([320, 360, 900])("fits into a window of %i pixels without scrolling to the side", async (width) => {
    await open({ width });
    const drawn = await page.evaluate("document.documentElement.getBoundingClientRect().width");
    expect(drawn).toBe(Math.min(width, 446));
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  test("has a name and a description for those who do not see it", async () => {
    await open();
    await page
      .getByRole("img", { name: /^Mood calendar of 2026 A square for each day\. .*March: 1 positive/ })
      .waitFor();
  });

  test("runs nothing and requests nothing, whatever a mood says", async () => {
    await open();
    expect(await page.evaluate("globalThis.ran")).toBeUndefined();
    expect(await page.locator("script").count()).toBe(0);
    expect(requested).toEqual(["http://calendar.test/"]);
  });
});
