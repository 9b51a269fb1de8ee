import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { demoSights } from "#local/demo/data";
import { newTestStack, type Started, startProgram, type TestStack, tokenOf, untilReady } from "./dev-process.ts";

// What the README promises: `npm run dev`, sign up with supabase-js, write and share.
let stack: TestStack;
let dev: Started;

beforeAll(async () => {
  stack = await newTestStack();
  dev = startProgram("../../local/main.ts", [], stack.environment);
  await untilReady(dev);
});

afterAll(async () => {
  dev?.child.kill("SIGINT");
  await dev?.ended;
  await stack?.remove();
});

/** Signs up with supabase-js and returns how to call the API as that person. */
async function newcomer(email: string) {
  const supabase = createClient(stack.supabaseUrl, "sb_publishable_nectar_local", { auth: { persistSession: false } });
  const { data, error } = await supabase.auth.signUp({
    email,
    password: "a good password",
    options: { data: { full_name: "New Comer" } },
  });
  expect(error).toBeNull();
  return caller(data.session?.access_token ?? "", data.user?.id ?? "");
}

function caller(token: string, id: string) {
  return {
    id,
    async call(method: string, path: string, body?: unknown) {
      const response = await fetch(`${stack.apiUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: z.record(z.string(), z.json()).parse(await response.json()) };
    },
  };
}

const idIn = (body: Record<string, unknown>, noun: string) => z.object({ id: z.string() }).parse(body[noun]).id;

describe("a newcomer", () => {
  test("signs up, has 50 drops, and shares entries that the team sees and others do not", async () => {
    const ada = await newcomer("ada@newcomer.test");
    const ben = await newcomer("ben@newcomer.test");
    const cleo = await newcomer("cleo@newcomer.test");

    const { body } = await ada.call("GET", "/api/user/profile");
    expect(body.profile).toMatchObject({ email: "ada@newcomer.test", full_name: "New Comer", drops_balance: 50 });

    const org = idIn((await ada.call("POST", "/api/organizations", { name: "Hive" })).body, "organization");
    const team = idIn((await ada.call("POST", "/api/teams", { name: "Comb", org_id: org })).body, "team");
    for (const path of [`/api/organizations/${org}/members`, `/api/teams/${team}/members`]) {
      expect((await ada.call("POST", path, { user_id: ben.id })).status).toBe(201);
    }
    const shared = { metadata_visibility: "team", team_id: team };
    const open = (
      await ada.call("POST", "/api/journal", {
        title: "Open",
        content: "All of it",
        ...shared,
        content_visibility: "team",
      })
    ).body;
    const half = (await ada.call("POST", "/api/journal", { title: "Half", content: "Only mine", ...shared })).body;
    const own = (await ada.call("POST", "/api/journal", { title: "Own", content: "Mine alone" })).body;

    const seenBy = async (person: typeof ada, written: Record<string, unknown>) => {
      const response = await person.call("GET", `/api/journal/${idIn(written, "entry")}`);
      return response.status === 200
        ? z.object({ content: z.string().nullable() }).parse(response.body.entry).content
        : response.status;
    };
    expect(await Promise.all([open, half, own].map((entry) => seenBy(ada, entry)))).toEqual([
      "All of it",
      "Only mine",
      "Mine alone",
    ]);
    expect(await Promise.all([open, half, own].map((entry) => seenBy(ben, entry)))).toEqual(["All of it", null, 404]);
    expect(await Promise.all([open, half, own].map((entry) => seenBy(cleo, entry)))).toEqual([404, 404, 404]);
  });

  test("subscribes a device, which shows a drop that is sent", async () => {
    const ada = await newcomer("ada@devices.test");
    const ben = await newcomer("ben@devices.test");
    const pushUrl = `http://127.0.0.1:${stack.environment.LOCAL_PUSH_PORT}`;
    const page = await fetch(`${pushUrl}/devices`, { method: "POST" });
    const example = (await page.text()).replaceAll("&quot;", '"').replaceAll("&#39;", "'");
    const device = z.json().parse(JSON.parse(/-d '(.+)'/.exec(example)?.[1] ?? ""));
    expect((await ada.call("POST", "/api/notifications/push-subscriptions", device)).status).toBe(201);

    const drop = { recipient_id: ada.id, content: "Words that stay between the two." };
    expect((await ben.call("POST", "/api/encouragement-drops/send", drop)).status).toBe(201);
    const { notifications } = (await ada.call("GET", "/api/notifications")).body;
    const [notification] = z.array(z.object({ type: z.string(), title: z.string() })).parse(notifications);
    expect(notification?.type).toBe("drop_received");
    // A worker delivers it after the response.
    const messages = async () => (await fetch(pushUrl)).text();
    await expect.poll(messages).toContain("&quot;type&quot;:&quot;drop_received&quot;");
    expect(await messages()).not.toContain("Words that stay");
  });

  test("finds the demo data and its super admin", async () => {
    const demo = caller(await tokenOf(stack, "demo@nectar.local"), "");
    const list = z
      .array(z.object({ content_hidden: z.boolean() }))
      .parse((await demo.call("GET", "/api/journal")).body.entries);
    expect(list.length).toBeGreaterThan(40);
    expect(list.some((entry) => entry.content_hidden)).toBe(true);
    const admin = caller(await tokenOf(stack, "admin@nectar.local"), "");
    expect((await admin.call("GET", "/api/user/profile")).body.profile).toMatchObject({ role: "super_admin" });
  });

  test("opens every row of the home page, as pretty JSON or a picture", async () => {
    const html = await (await fetch(stack.apiUrl)).text();
    const rows = [...html.matchAll(/href="(\/see\/\d+)"/g)].map(([, path]) => path);
    expect(rows).toHaveLength(demoSights.length);
    for (const [number, path] of rows.entries()) {
      const response = await fetch(`${stack.apiUrl}${path}`);
      const shown = response.headers.get("content-type")?.startsWith("image/") ? ": 200" : await response.text();
      expect(response.status, demoSights[number]?.path).toBe(200);
      expect(shown, demoSights[number]?.path).toContain(": 200");
    }
  });

  test("takes the tour of moods, tone packs and payments", async () => {
    const dora = await newcomer("dora@newcomer.test");
    const written = await dora.call("POST", "/api/journal", {
      title: "The last bridge",
      content: "Priya waited for me. I am so grateful, and a little tired.",
    });
    expect(written.body.entry).toMatchObject({ mood: "grateful", mood_source: "ai" });

    const offers = z
      .array(z.object({ id: z.string(), name: z.string(), price_drops: z.number() }))
      .parse((await dora.call("GET", "/api/tone-packs")).body.public);
    const pack = offers.find(({ name }) => name === "Four Strings");
    expect(pack?.price_drops).toBe(25);
    const bought = await dora.call("POST", `/api/tone-packs/${pack?.id}/purchase`, { expected_price_drops: 25 });
    expect(bought).toMatchObject({ status: 201, body: { balance: 25 } });
    expect((await dora.call("POST", `/api/tone-packs/${pack?.id}/activate`)).status).toBe(200);
    const active = await dora.call("GET", "/api/tone-packs/active?mood=Content");
    const image = await fetch(z.string().parse(active.body.image_url));
    expect(image.status).toBe(200);
    expect(image.headers.get("content-type")).toBe("image/png");
    await image.body?.cancel();

    const checkout = await dora.call("POST", "/api/payment/create-checkout-session", {
      priceId: "price_premium",
      successUrl: stack.apiUrl,
      cancelUrl: stack.apiUrl,
    });
    const paid = await fetch(`${z.string().parse(checkout.body.url)}/pay`, { method: "POST", redirect: "manual" });
    expect(paid.status).toBe(303);
    expect((await dora.call("GET", "/api/payment/subscription")).body.subscription).toMatchObject({ status: "active" });
    expect((await dora.call("GET", "/api/user/profile")).body.profile).toMatchObject({ is_premium: true });
  });

  test("cancels the subscription of the demo data in the portal", async () => {
    const maya = caller(await tokenOf(stack, "maya@nectar.local", "nectar-demo"), "");
    const { body } = await maya.call("POST", "/api/payment/create-portal-session", { returnUrl: stack.apiUrl });
    const page = await (await fetch(z.string().parse(body.url))).text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    const ended = await fetch(new URL(action ?? "", z.string().parse(body.url)), {
      method: "POST",
      redirect: "manual",
    });
    expect(ended.status).toBe(303);
    expect((await maya.call("GET", "/api/payment/subscription")).body.subscription).toMatchObject({
      status: "canceled",
    });
  });
});
