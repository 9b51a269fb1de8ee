import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { cameraTime, jpegWith } from "#tests/photos";
import { tokenOf, untilDayHasTime } from "../local/dev-process.ts";
import { clientScript } from "./client-page.ts";
import { useDevPage } from "./dev-page.ts";

const Reference = z.object({ tags: z.array(z.object({ name: z.string() })) });
const dev = useDevPage();

beforeAll(untilDayHasTime);

/** How many of the players have checked in today, by the picture's text. */
async function readProgress(): Promise<{ completed: number; players: number }> {
  const text = await dev.page.getByRole("img", { name: /^\d+ of \d+ have checked in$/ }).getAttribute("alt");
  const [completed = Number.NaN, players = Number.NaN] = (text ?? "").match(/\d+/g)?.map(Number) ?? [];
  return { completed, players };
}

/** The width of the mosaic once it is there, in pixels. */
function imageWidth(): Promise<number> {
  return dev.page.locator(".game img").evaluate(async (image: { decode(): Promise<void>; naturalWidth: number }) => {
    await image.decode();
    return image.naturalWidth;
  });
}

/** Maya of the demo data sets up a window that is open now, and checks in with a photo. */
async function newPlayerChecksIn(): Promise<void> {
  const token = await tokenOf(dev.stack, "maya@nectar.local", "nectar-demo");
  const headers = { authorization: `Bearer ${token}` };
  const now = new Date();
  const hour = (of: number) => `${String(of % 24).padStart(2, "0")}:00`;
  const set = await fetch(`${dev.stack.apiUrl}/api/workout-window/setup`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      activityType: "walk",
      windowStartTime: hour(now.getUTCHours()),
      windowEndTime: hour(now.getUTCHours() + 2),
      timezone: "UTC",
    }),
  });
  expect(set.status).toBe(200);
  const photo = await jpegWith({ taken: cameraTime(now.toISOString()), offset: "+00:00" });
  const form = new FormData();
  form.set("photo", new Blob([new Uint8Array(photo)]), "photo.jpg");
  form.set("activityType", "walk");
  const checkedIn = await fetch(`${dev.stack.apiUrl}/api/workout-window/checkin`, {
    method: "POST",
    headers,
    body: form,
  });
  expect([checkedIn.status, await checkedIn.json()]).toMatchObject([201, { checkin: { status: "verified" } }]);
}

/** Gives a member of a squad another name, past the checks of the API. */
async function rename(fullName: string, newName: string): Promise<void> {
  const port = dev.stack.environment.LOCAL_DB_PORT;
  const client = new pg.Client({ connectionString: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres` });
  await client.connect();
  try {
    await client.query("update nectar.profiles set full_name = $2 where full_name = $1", [fullName, newName]);
  } finally {
    await client.end();
  }
}

describe("the home page", () => {
  test("shows today's mosaic, the running battle and the squads", async () => {
    await dev.page.goto(dev.stack.apiUrl);
    await dev.page.getByRole("heading", { name: "The game today" }).waitFor();
    await dev.page.getByRole("img", { name: /of 6[4-7] have checked in/ }).waitFor();
    expect(await dev.page.getByText(/chips, robot of power \d+, \d+ players/).count()).toBe(2);
    expect(await dev.page.locator(".teams li").count()).toBeGreaterThan(20);
  });

  test("has the same columns in the tables of all topics", async () => {
    type Cell = { getBoundingClientRect(): { x: number } };
    const leftOf = (cells: Cell[]) => [...new Set(cells.map((cell) => Math.round(cell.getBoundingClientRect().x)))];
    expect(await dev.page.locator(".sights table").count()).toBeGreaterThan(3);
    expect(await dev.page.locator(".sights td:nth-child(2)").evaluateAll(leftOf)).toHaveLength(1);
  });

  test("shows a new check-in without being loaded again, and escapes names", async () => {
    await dev.page.evaluate("globalThis.notLoadedAgain = true");
    const before = await readProgress();
    const src = await dev.page.locator(".game img").getAttribute("src");
    await newPlayerChecksIn();
    await expect
      .poll(readProgress, { interval: 500 })
      .toSatisfy(({ completed, players }) => completed > before.completed && players === before.players + 1);
    // Another drawing, and it is there.
    expect(await dev.page.locator(".game img").getAttribute("src")).not.toBe(src);
    expect(await imageWidth()).toBeGreaterThan(8);

    const name = (await dev.page.locator(".teams li span").first().textContent())?.replace(" ★", "") ?? "";
    const hostile = '<img src="x" onerror="globalThis.ran = true"><script>globalThis.ran = true</script>';
    await rename(name, hostile);
    await dev.page.getByText(hostile).first().waitFor();
    expect(await dev.page.locator(".teams img, .teams script").count()).toBe(0);
    await rename(hostile, name);
    expect(await dev.page.evaluate("[globalThis.notLoadedAgain, globalThis.ran]")).toEqual([true, undefined]);
  });

  test("runs no injected script", async () => {
    await dev.page.evaluate(
      `document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="globalThis.ran = true">')`,
    );
    await expect.poll(() => dev.consoleErrors.splice(0).join()).toContain("Content Security Policy");
    expect(await dev.page.evaluate("globalThis.ran")).toBeUndefined();
  });
});

describe("the game's page", () => {
  test("shows today's mosaic, the running battle and the squads, and is linked from the home page", async () => {
    await dev.page.goto(dev.stack.apiUrl);
    await dev.page.getByRole("link", { name: "The game today" }).click();
    await dev.page.waitForURL(`${dev.stack.apiUrl}/game`);
    await dev.page.getByRole("img", { name: /of 6[4-8] have checked in/ }).waitFor();
    expect(await imageWidth()).toBeGreaterThan(8);
    expect(await dev.page.getByText(/chips, robot of power \d+, \d+ players/).count()).toBe(2);
    for (const team of ["red", "blue"]) {
      expect(
        await dev.page.getByRole("heading", { name: new RegExp(`^${team}: [1-9]\\d* squads$`, "i") }).count(),
      ).toBe(1);
    }
    expect(await dev.page.locator(".teams li").count()).toBeGreaterThan(20);
  });

  test("shows a date in one line on a phone", async () => {
    const size = dev.page.viewportSize();
    await dev.page.setViewportSize({ width: 390, height: 800 });
    const lines = (time: { getClientRects(): { length: number } }) => time.getClientRects().length;
    expect(await dev.page.locator("h1 time").evaluate(lines)).toBe(1);
    if (size !== null) await dev.page.setViewportSize(size);
  });

  test("shows a past day with its mosaic, and today for an invalid date", async () => {
    await dev.page.locator('a[href^="/game?date="]').nth(2).click();
    await dev.page.getByRole("img", { name: /^[3-6]\d of 6[4-7] have checked in/ }).waitFor();
    expect(await dev.page.locator("li.completed").count()).toBeGreaterThan(20);
    const response = await fetch(`${dev.stack.apiUrl}/game?date=<script>`);
    const text = await response.text();
    expect(text).toContain(`The game on <time>${new Date().toISOString().slice(0, 10)}</time>`);
    expect(text).not.toContain("date=<script>");
  });

  test("is not cached, and serves only mosaics as images", async () => {
    for (const path of ["/game", "/game/parts"]) {
      const response = await fetch(`${dev.stack.apiUrl}${path}`);
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    }
    for (const date of ["2001-01-01", "x", "..%2f..%2fetc"]) {
      expect((await fetch(`${dev.stack.apiUrl}/game/mosaic/${date}`)).status, date).toBe(404);
    }
  });

  test("requests nothing from other servers and has no errors", () => {
    expect(dev.strayRequests).toEqual([]);
    expect([...dev.pageErrors, ...dev.consoleErrors]).toEqual([]);
  });
});

describe("a row of the home page", () => {
  test("opens its response as the demo account, as JSON or as a picture", async () => {
    await dev.page.goto(dev.stack.apiUrl);
    await dev.page.getByRole("link", { name: "Goals in every state" }).click();
    await dev.page.getByText('"goals": [').waitFor();
    await dev.page.getByRole("link", { name: "Home" }).click();
    await dev.page.getByRole("link", { name: "A year of moods" }).click();
    await dev.page.getByRole("img", { name: /^Mood calendar of \d{4} A square for each day\./ }).waitFor();
  });
});

describe("the mail of an invitation", () => {
  test("is in the mailbox of the demo user, with a button that unsubscribes", async () => {
    const mails = await dev.browser.newPage();
    await mails.goto(`http://127.0.0.1:${dev.stack.environment.LOCAL_MAIL_PORT}`);
    const mail = mails.getByRole("article").filter({ hasText: "You are invited to an organization" });
    const token = /\/invitations\/([\w-]{43})\b/.exec(
      (await mail.locator("iframe").last().getAttribute("srcdoc")) ?? "",
    )?.[1];
    const response = await fetch(`${dev.stack.apiUrl}/api/invitations/preview`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await tokenOf(dev.stack, "demo@nectar.local")}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ token }),
    });
    expect(await response.json()).toMatchObject({
      invitation: { organization: { name: "Long Letters" }, role: "member" },
    });
    await mail.getByRole("button", { name: "Unsubscribe" }).click();
    await mail.getByText("sent, delivered, unsubscribed").waitFor();
    await mails.close();
  });
});

describe("the reference", () => {
  test("is linked from the home page, which shows accounts and addresses", async () => {
    await dev.page.goto(dev.stack.apiUrl);
    expect(await dev.page.title()).toContain("Nectar");
    const text = await dev.page.locator("body").textContent();
    for (const needed of ["demo@nectar.local", "admin@nectar.local", dev.stack.supabaseUrl.replace("http://", "")]) {
      expect(text).toContain(needed);
    }
    await dev.page.click('a[href="/docs"]');
    await dev.page.waitForURL(`${dev.stack.apiUrl}/docs`);
  });

  test("shows every group", async () => {
    const reference = Reference.parse(await (await fetch(`${dev.stack.apiUrl}/openapi.json`)).json());
    for (const { name } of reference.tags) await dev.page.locator(`#operations-tag-${name}`).waitFor();
  });

  test("authorizes as a demo account with one click, and sends the example of an operation", async () => {
    await dev.page.getByRole("button", { name: "Authorize as demo@nectar.local" }).click();
    await dev.page.getByText("Authorized as demo@nectar.local").waitFor();
    await dev.page.locator("#operations-tag-journal").click();
    const operation = dev.page.locator("#operations-journal-createJournalEntry");
    await operation.getByText("Write an entry").click();
    const sent = dev.page.waitForResponse((response) => new URL(response.url()).pathname === "/api/journal");
    await operation.getByRole("button", { name: "Execute" }).click();
    expect((await sent).status()).toBe(201);
    await operation.locator(".live-responses-table").getByText("201").first().waitFor();
  });

  test("opens an operation by its address, with the schema of what it returns", async () => {
    await dev.page.goto(dev.stack.apiUrl);
    await dev.page.goto(`${dev.stack.apiUrl}/docs#/journal/readJournalEntry`);
    const operation = dev.page.locator("#operations-journal-readJournalEntry");
    await operation.getByText('"content_hidden": false').first().waitFor();
    await operation.getByRole("tab", { name: "Schema" }).first().click();
    await operation.getByText("Expand all").first().click();
    await operation.getByText("effective_content_visibility").first().waitFor();
  });

  test("follows the color scheme of the system", async () => {
    const isDark = () => dev.page.locator("html.dark-mode").count();
    await dev.page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(isDark).toBe(1);
    await dev.page.emulateMedia({ colorScheme: "light" });
    await expect.poll(isDark).toBe(0);
  });

  test("gives no token for another account", async () => {
    for (const email of ["maya@nectar.local", undefined]) {
      const body = JSON.stringify({ email });
      expect((await fetch(`${dev.stack.apiUrl}/docs/token`, { method: "POST", body })).status).toBe(404);
    }
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
    await mailbox.getByRole("link", { name: "Mailbox", exact: true }).click();
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

test("no page requests anything from other servers or has errors", () => {
  expect(dev.strayRequests).toEqual([]);
  expect([...dev.pageErrors, ...dev.consoleErrors]).toEqual([]);
});

describe("the client", () => {
  test("runs in a page of another origin, and sees the id of a refused request", async () => {
    const page = await dev.browser.newPage();
    await page.addScriptTag({ content: await clientScript() });
    const token = await tokenOf(dev.stack, "demo@nectar.local");
    const read = await page.evaluate(`(async () => {
      const nectar = nectarClient.createNectar({
        baseUrl: ${JSON.stringify(dev.stack.apiUrl)},
        token: () => ${JSON.stringify(token)},
      });
      const { goal } = await nectar.goals.create({ title: "From a page" });
      const titles = [];
      for await (const { title } of nectar.goals.list({ limit: 1 })) titles.push(title);
      await nectar.goals.delete({ id: goal.id });
      const refused = await nectar.goals.read({ id: goal.id }).catch((error) => error);
      return { newest: titles[0], count: titles.length, code: refused.code, hasRequestId: refused.requestId !== null };
    })()`);
    expect(read).toEqual({
      newest: "From a page",
      count: expect.any(Number),
      code: "goal.not_found",
      hasRequestId: true,
    });
    expect(read).not.toMatchObject({ count: 1 });
    await page.close();
  });
});
