import { describe, expect, test } from "vitest";
import { tokenOf } from "../local/dev-process.ts";
import { useDevPage } from "./dev-page.ts";

const dev = useDevPage();

describe("the home page", () => {
  test("shows accounts, addresses and a link to the reference", async () => {
    await dev.page.goto(dev.stack.apiUrl);
    expect(await dev.page.title()).toContain("Nectar");
    const text = await dev.page.locator("body").textContent();
    for (const needed of ["demo@nectar.local", "admin@nectar.local", dev.stack.supabaseUrl.replace("http://", "")]) {
      expect(text).toContain(needed);
    }
    await dev.page.click('a[href="/docs"]');
    await dev.page.waitForURL(`${dev.stack.apiUrl}/docs`);
  });
});

describe("the reference", () => {
  test("shows every group and calls the API with a pasted token", async () => {
    const token = await tokenOf(dev.stack, "demo@nectar.local");
    await dev.page.goto(`${dev.stack.apiUrl}/docs`);
    await dev.page.getByPlaceholder("Token").first().fill(token);
    for (const group of ["health", "auth", "user", "organizations", "teams", "notebooks", "journal"]) {
      await dev.page
        .getByRole("button", { name: new RegExp(`^${group}(Open|Close)?`) })
        .first()
        .waitFor();
    }
    await dev.page.goto(`${dev.stack.apiUrl}/docs#tag/journal/GET/api/journal`);
    await dev.page.getByRole("heading", { name: "List the entries that you may see" }).waitFor();
    await dev.page.getByText("(get /api/journal)", { exact: true }).locator("xpath=ancestor::button").click();
    const listed = dev.page.waitForResponse((response) => new URL(response.url()).pathname === "/api/journal");
    await dev.page.getByRole("button", { name: /^Send/i }).first().click();
    expect((await listed).status()).toBe(200);
  });
});

describe("the mailbox", () => {
  test("is linked from the home page, shows sent mail, and reports a complaint to the API", async () => {
    const token = await tokenOf(dev.stack, "demo@nectar.local");
    const sent = await fetch(`${dev.stack.apiUrl}/api/email/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ to: "friend@example.test", subject: "From the demo", html: "<p>Seen as it looks</p>" }),
    });
    expect([sent.status, await sent.json()]).toMatchObject([200, { success: true, status: "sent" }]);
    // A page of its own, which may request other addresses than the API's.
    const mailbox = await dev.browser.newPage();
    await mailbox.goto(dev.stack.apiUrl);
    await mailbox.getByRole("link", { name: "Mailbox" }).click();
    await mailbox.getByRole("heading", { name: "From the demo" }).waitFor();
    // The newest first, above those of the demo data.
    const mail = mailbox.getByRole("article").first();
    await mail.frameLocator("iframe").getByText("Seen as it looks").waitFor();
    expect(await mail.locator("dl").textContent()).toContain("demo@nectar.local");
    // After a complaint the address gets no more mail, so the API has accepted the event.
    await mail.getByRole("button", { name: "Complain" }).click();
    await mail.getByText("sent, complained").waitFor();
    await mailbox.close();
    const again = await fetch(`${dev.stack.apiUrl}/api/email/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ to: "Friend@example.test", subject: "Again", text: "Hi" }),
    });
    expect(await again.json()).toMatchObject({ status: "suppressed" });
  });
});

test("neither page requests anything from other servers or has errors", () => {
  expect(dev.strayRequests).toEqual([]);
  expect(dev.pageErrors).toEqual([]);
});
