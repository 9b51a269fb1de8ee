import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawMoodCalendar } from "#journal/mood-calendar";
import { launchChromium } from "./launch.ts";

const SVG = drawMoodCalendar(2026, [
  { date: "2026-03-01", entries: 2, mood: "joyful" },
  { date: "2026-03-02", entries: 1, mood: "</title><script>globalThis.ran = true</script>" },
]);

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** Opens the picture as a document of its own. */
async function open(options: { colorScheme?: "light" | "dark"; width?: number } = {}) {
  const { colorScheme = "light", width = 900 } = options;
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.route("http://calendar.test/", (route) =>
    route.fulfill({
      contentType: "image/svg+xml",
      headers: { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
      body: SVG,
    }),
  );
  await page.goto("http://calendar.test/");
  return { page, requested };
}

describe("the calendar of moods in a browser", () => {
  test.each([
    ["light", "rgb(255, 255, 255)", "rgb(11, 122, 117)"],
    ["dark", "rgb(13, 17, 23)", "rgb(45, 212, 191)"],
  ] as const)("follows the %s scheme", async (colorScheme, background, positive) => {
    const { page } = await open({ colorScheme });
    const fill = (selector: string) => page.evaluate(`getComputedStyle(document.querySelector("${selector}")).fill`);
    expect(await fill("svg > rect")).toBe(background);
    expect(await fill("#positive > rect")).toBe(positive);
    await page.close();
  });

  test.each([320, 360, 900])("fits into a window of %i pixels without scrolling to the side", async (width) => {
    const { page } = await open({ width });
    const drawn = await page.evaluate("document.documentElement.getBoundingClientRect().width");
    expect(drawn).toBe(Math.min(width, 446));
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.close();
  });

  test("has a name and a description for those who do not see it", async () => {
    const { page } = await open();
    await page
      .getByRole("img", { name: /^Mood calendar of 2026 A square for each day\. .*March: 1 positive/ })
      .waitFor();
    await page.close();
  });

  test("runs nothing and requests nothing, whatever a mood says", async () => {
    const { page, requested } = await open();
    expect(await page.evaluate("globalThis.ran")).toBeUndefined();
    expect(await page.locator("script").count()).toBe(0);
    expect(requested).toEqual(["http://calendar.test/"]);
    await page.close();
  });
});
