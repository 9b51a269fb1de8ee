import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  runProgram,
  type StackPlace,
  type Started,
  stackPlace,
  startProgram,
  untilReady,
} from "../local/dev-process.ts";
import { launchChromium } from "./launch.ts";

let place: StackPlace;
let dev: Started;
let browser: Browser;
let page: Page;
/** Every address that a page asked for outside the API under test. */
const strayRequests: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  place = await stackPlace();
  dev = startProgram("../../functions/dev.ts", [], place.environment);
  await untilReady(dev);
  browser = await launchChromium();
  page = await browser.newPage();
  page.on("request", (request) => {
    const url = request.url();
    if (/^https?:/.test(url) && !url.startsWith(place.apiUrl)) strayRequests.push(url);
  });
  page.on("pageerror", (error) => errors.push(error.message));
});

afterAll(async () => {
  await browser?.close();
  dev?.child.kill("SIGINT");
  await dev?.ended;
  place?.remove();
}, 60_000);

describe("the home page", () => {
  test("shows the way to everything: reference, accounts, addresses", async () => {
    await page.goto(place.apiUrl);
    expect(await page.title()).toContain("Nectar");
    const text = await page.locator("body").textContent();
    for (const needed of ["demo@nectar.local", "admin@nectar.local", place.supabaseUrl.replace("http://", "")]) {
      expect(text).toContain(needed);
    }
    await page.click('a[href="/docs"]');
    await page.waitForURL(`${place.apiUrl}/docs`);
  });
});

describe("the reference", () => {
  test("shows every group and calls the API with a pasted token", async () => {
    const { output } = await runProgram("../../packages/local/token-cli.ts", ["demo@nectar.local"], place.environment);
    await page.goto(`${place.apiUrl}/docs`);
    const token = page.getByPlaceholder("Token").first();
    await token.fill(output.trim());
    for (const group of ["health", "auth", "user", "organizations", "teams", "notebooks", "journal"]) {
      await page
        .getByRole("button", { name: new RegExp(`^${group}(Open|Close)?`) })
        .first()
        .waitFor();
    }
    await page.goto(`${place.apiUrl}/docs#tag/journal/GET/api/journal`);
    await page.getByRole("heading", { name: "List entries that the caller may see" }).waitFor();
    await page.getByText("(get /api/journal)", { exact: true }).locator("xpath=ancestor::button").click();
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/journal");
    await page.getByRole("button", { name: /^Send/i }).first().click();
    expect((await answered).status()).toBe(200);
  });
});

describe("the mailbox", () => {
  test("is a link away from the home page and shows what was sent, and the API hears of it", async () => {
    const { output } = await runProgram("../../packages/local/token-cli.ts", ["demo@nectar.local"], place.environment);
    const sent = await fetch(`${place.apiUrl}/api/email/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${output.trim()}`, "content-type": "application/json" },
      body: JSON.stringify({ to: "friend@example.test", subject: "From the demo", html: "<p>Seen as it looks</p>" }),
    });
    expect([sent.status, await sent.json()]).toMatchObject([200, { success: true, status: "sent" }]);
    // A page of its own: this one may leave the API's address.
    const mailbox = await browser.newPage();
    await mailbox.goto(place.apiUrl);
    await mailbox.getByRole("link", { name: "Mailbox" }).click();
    await mailbox.getByRole("heading", { name: "From the demo" }).waitFor();
    // The newest is the first; below it are those of the demo data.
    const mail = mailbox.getByRole("article").first();
    await mail.frameLocator("iframe").getByText("Seen as it looks").waitFor();
    expect(await mail.locator("dl").textContent()).toContain("demo@nectar.local");
    // Who complains gets no more, which shows that the API believed the mailbox.
    await mail.getByRole("button", { name: "Complain" }).click();
    await mail.getByText("sent, complained").waitFor();
    await mailbox.close();
    const again = await fetch(`${place.apiUrl}/api/email/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${output.trim()}`, "content-type": "application/json" },
      body: JSON.stringify({ to: "Friend@example.test", subject: "Again", text: "Hi" }),
    });
    expect(await again.json()).toMatchObject({ status: "suppressed" });
  });
});

test("neither page asks for anything outside, nor fails on the way", () => {
  expect(strayRequests).toEqual([]);
  expect(errors).toEqual([]);
});
