import { createServer } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type MailStandIn, startMail } from "#local/stand-ins/mail";
import { listenLocally } from "#local/support/listen";
import { resendEmail } from "#providers/email";
import { launchChromium, openPage } from "./launch.ts";

/** Paths that were requested from a server that runs for all tests. */
const requested: string[] = [];
let run = "";
/** Requests of the mail of this test from outside of its frame. */
const reached = () => requested.filter((path) => path.startsWith(run)).map((path) => path.slice(run.length));
let beacon: { url: string; stop: () => Promise<void> };
let mail: MailStandIn;
let browser: Browser;
let page: Page;
const messages: string[] = [];

beforeAll(async () => {
  const server = createServer((request, response) => {
    requested.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*");
    response.end("");
  });
  const listening = await listenLocally(server, 0, "The beacon");
  beacon = { url: `http://127.0.0.1:${listening.port}`, stop: listening.stop };
  mail = await startMail({ webhookSecret: `whsec_${btoa("browser")}` });
  browser = await launchChromium();
});
beforeEach(async () => {
  run = `/${crypto.randomUUID()}/`;
  messages.length = 0;
  mail.mails.length = 0;
  await page?.close();
  page = await openPage(browser);
  page.on("console", (message) => messages.push(message.text()));
  page.on("dialog", (dialog) => {
    requested.push(`${run}dialog`);
    void dialog.dismiss();
  });
});
afterAll(async () => {
  await browser?.close();
  await mail?.stop();
  await beacon?.stop();
});

/** Everything that a mail may try, each with an address of its own. */
function hostile(): string {
  const to = (name: string) => `${beacon.url}${run}${name}`;
  return `<h1>Hostile but pretty</h1>
    <script>fetch("${to("script")}"); parent.document.title = "taken"; alert("script")</script>
    <script src="${to("script-src")}"></script>
    <img src="x" onerror="fetch('${to("onerror")}')">
    <img src="${to("img")}">
    <svg onload="fetch('${to("svg")}')"></svg>
    <body onload="fetch('${to("onload")}')">
    <style>body { background: url(${to("background")}); color: rgb(1, 2, 3) } @import url(${to("import")});</style>
    <link rel="stylesheet" href="${to("stylesheet")}">
    <iframe src="${to("iframe")}"></iframe>
    <iframe srcdoc="&lt;script&gt;fetch('${to("srcdoc")}')&lt;/script&gt;"></iframe>
    <object data="${to("object")}"></object><embed src="${to("embed")}">
    <video src="${to("video")}" autoplay></video>
    <meta http-equiv="refresh" content="0; url=${to("refresh")}">
    <base href="${to("base")}/">
    <form id="f" action="${to("form")}" method="post"><button id="send">Send</button></form>
    <a id="js" href="javascript:fetch('${to("javascript")}')">Run</a>
    <a id="top" href="${to("top")}" target="_top">Leave</a>
    <a id="popup" href="${to("popup")}" target="_blank">Open</a>`;
}

async function sendMail(html: string, subject = "A mail"): Promise<void> {
  const provider = resendEmail({
    apiKey: "re_browser",
    baseUrl: mail.url,
    from: "Nectar <hello@nectar.test>",
    unsubscribe: null,
  });
  await provider.send({
    to: "ada@example.test",
    replyTo: "grace@example.test",
    subject,
    html,
    text: null,
    messageId: crypto.randomUUID(),
  });
}

/** Long enough for a script that runs at all to have run. */
const waitForScripts = () => page.waitForTimeout(700);

test("the mail of these tests does harm in a page of its own", async () => {
  await page.setContent(hostile(), { waitUntil: "commit" });
  await expect.poll(reached).toEqual(expect.arrayContaining(["script", "onerror", "img", "dialog"]));
  await expect.poll(() => reached().length).toBeGreaterThan(5);
});

test("a mail in the mailbox is shown with its styles, runs no script and requests nothing", async () => {
  await sendMail(hostile(), `<script>fetch("${beacon.url}${run}subject")</script>`);
  await page.goto(mail.url);
  const frame = page.frameLocator("iframe").first();
  await frame.getByRole("heading", { name: "Hostile but pretty" }).waitFor();
  expect(await frame.locator("body").evaluate("getComputedStyle(document.body).color")).toBe("rgb(1, 2, 3)");
  await waitForScripts();
  expect(reached()).toEqual([]);
  expect(await page.title()).toBe("Mailbox");
  expect(page.url()).toBe(`${mail.url}/`);
  expect(messages.join("\n")).toMatch(/sandbox|Content Security Policy/);
});

test.each(["#js", "#send", "#top"])("clicking %s in a mail leads nowhere", async (selector) => {
  await sendMail(hostile());
  await page.goto(mail.url);
  const target = page.frameLocator("iframe").first().locator(selector);
  await target.waitFor();
  await target.dispatchEvent("click");
  await target.click({ force: true, noWaitAfter: true });
  await waitForScripts();
  expect(reached()).toEqual([]);
  expect(page.url()).toBe(`${mail.url}/`);
  expect(await page.title()).toBe("Mailbox");
});

test("clicking a link in a mail opens no window", async () => {
  await sendMail(hostile());
  await page.goto(mail.url);
  const target = page.frameLocator("iframe").first().locator("#popup");
  await target.waitFor();
  await target.click({ force: true, noWaitAfter: true });
  await waitForScripts();
  expect(reached()).toEqual([]);
  expect(browser.contexts().flatMap((context) => context.pages())).toHaveLength(1);
});

test("the buttons of the mailbox work", async () => {
  await sendMail("<p>Hi</p>");
  await page.goto(mail.url);
  await page.getByRole("button", { name: "Bounce" }).click();
  await page.getByText("sent, bounced").waitFor();
  await page.getByLabel("Subject").fill("To you");
  await page.getByRole("button", { name: "Send to the webhook" }).click();
  await page.waitForURL(`${mail.url}/`);
  expect(mail.mails[0]?.outcomes).toEqual(["sent", "bounced"]);
});
