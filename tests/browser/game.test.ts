import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StackPlace, type Started, stackPlace, startProgram, untilReady } from "../local/dev-process.ts";
import { findChromium } from "../support/chromium.ts";

let place: StackPlace;
let dev: Started;
let browser: Browser;
let page: Page;
const strayRequests: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  place = await stackPlace();
  dev = startProgram("../../functions/dev.ts", [], place.environment);
  await untilReady(dev);
  browser = await chromium.launch({
    executablePath: findChromium() ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"],
  });
  page = await browser.newPage();
  page.on("request", (request) => {
    const url = request.url();
    if (/^https?:/.test(url) && !url.startsWith(place.apiUrl)) strayRequests.push(url);
  });
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
});

afterAll(async () => {
  await browser?.close();
  dev?.child.kill("SIGINT");
  await dev?.ended;
  place?.remove();
}, 60_000);

describe("the game's page", () => {
  test("shows today's mosaic, the running battle and the squads, one link from the home page", async () => {
    await page.goto(place.apiUrl);
    await page.getByRole("link", { name: "The game today" }).click();
    await page.waitForURL(`${place.apiUrl}/game`);
    const picture = page.getByRole("img", { name: /of 67 have checked in/ });
    await picture.waitFor();
    const width = await picture.evaluate(async (image: { decode(): Promise<void>; naturalWidth: number }) => {
      await image.decode();
      return image.naturalWidth;
    });
    expect(width).toBeGreaterThan(8);
    expect(await page.getByText(/chips, robot of power \d+, \d+ players/).count()).toBe(2);
    expect(await page.getByText(/The battle of .* ended \d+ to \d+ chips/).count()).toBe(1);
    for (const team of ["red", "blue"]) {
      expect(await page.getByRole("heading", { name: new RegExp(`^${team}: [1-9]\\d* squads$`, "i") }).count()).toBe(1);
    }
    expect(await page.locator(".teams li").count()).toBeGreaterThan(20);
  });

  test("shows a day of the past, whose mosaic it has drawn, and today again for what is no date", async () => {
    await page.locator('a[href^="/game?date="]').nth(2).click();
    await page.getByRole("img", { name: /^[3-6]\d of 67 have checked in/ }).waitFor();
    expect(await page.locator("li.completed").count()).toBeGreaterThan(20);
    const answered = await fetch(`${place.apiUrl}/game?date=<script>`);
    const text = await answered.text();
    expect(text).toContain(`The game on ${new Date().toISOString().slice(0, 10)}`);
    expect(text).not.toContain("<script>");
  });

  test("is drawn anew at each request, and lets nobody reach beyond its images", async () => {
    const [first, second] = [await fetch(`${place.apiUrl}/game`), await fetch(`${place.apiUrl}/game`)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(await first.text()).toContain('http-equiv="refresh"');
    for (const date of ["2001-01-01", "x", "..%2f..%2fetc"]) {
      expect((await fetch(`${place.apiUrl}/game/mosaic/${date}`)).status, date).toBe(404);
    }
  });

  test("asks for nothing outside, and nothing fails on the way", () => {
    expect(strayRequests).toEqual([]);
    expect(errors).toEqual([]);
  });
});
