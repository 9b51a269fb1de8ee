import { describe, expect, test } from "vitest";
import { runProgram } from "../local/dev-process.ts";
import { useDevPage } from "./dev-page.ts";

const dev = useDevPage();

describe("the home page", () => {
  test("shows the way to everything: reference, accounts, addresses", async () => {
    await dev.page.goto(dev.place.apiUrl);
    expect(await dev.page.title()).toContain("Nectar");
    const text = await dev.page.locator("body").textContent();
    for (const needed of ["demo@nectar.local", "admin@nectar.local", dev.place.supabaseUrl.replace("http://", "")]) {
      expect(text).toContain(needed);
    }
    await dev.page.click('a[href="/docs"]');
    await dev.page.waitForURL(`${dev.place.apiUrl}/docs`);
  });
});

describe("the reference", () => {
  test("shows every group and calls the API with a pasted token", async () => {
    const { output } = await runProgram(
      "../../packages/local/token-cli.ts",
      ["demo@nectar.local"],
      dev.place.environment,
    );
    await dev.page.goto(`${dev.place.apiUrl}/docs`);
    const token = dev.page.getByPlaceholder("Token").first();
    await token.fill(output.trim());
    for (const group of ["health", "auth", "user", "organizations", "teams", "notebooks", "journal"]) {
      await dev.page
        .getByRole("button", { name: new RegExp(`^${group}(Open|Close)?`) })
        .first()
        .waitFor();
    }
    await dev.page.goto(`${dev.place.apiUrl}/docs#tag/journal/GET/api/journal`);
    await dev.page.getByRole("heading", { name: "List the entries that you may see" }).waitFor();
    await dev.page.getByText("(get /api/journal)", { exact: true }).locator("xpath=ancestor::button").click();
    const answered = dev.page.waitForResponse((response) => new URL(response.url()).pathname === "/api/journal");
    await dev.page.getByRole("button", { name: /^Send/i }).first().click();
    expect((await answered).status()).toBe(200);
  });
});

describe("the mailbox", () => {
  test("is a link away from the home page and shows what was sent, and the API hears of it", async () => {
    const { output } = await runProgram(
      "../../packages/local/token-cli.ts",
      ["demo@nectar.local"],
      dev.place.environment,
    );
    const sent = await fetch(`${dev.place.apiUrl}/api/email/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${output.trim()}`, "content-type": "application/json" },
      body: JSON.stringify({ to: "friend@example.test", subject: "From the demo", html: "<p>Seen as it looks</p>" }),
    });
    expect([sent.status, await sent.json()]).toMatchObject([200, { success: true, status: "sent" }]);
    // A page of its own: this one may leave the API's address.
    const mailbox = await dev.browser.newPage();
    await mailbox.goto(dev.place.apiUrl);
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
    const again = await fetch(`${dev.place.apiUrl}/api/email/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${output.trim()}`, "content-type": "application/json" },
      body: JSON.stringify({ to: "Friend@example.test", subject: "Again", text: "Hi" }),
    });
    expect(await again.json()).toMatchObject({ status: "suppressed" });
  });
});

test("neither page asks for anything outside, nor fails on the way", () => {
  expect(dev.strayRequests).toEqual([]);
  expect(dev.pageErrors).toEqual([]);
});
