import { afterAll, expect, test } from "vitest";
import { everyOperationScript, expectedRequests, startEchoingServer } from "#tests/every-operation";
import { launchChromium, openPage } from "./launch.ts";

const [server, browser] = await Promise.all([startEchoingServer(), launchChromium()]);
afterAll(async () => {
  await browser.close();
  server.stop();
});

test("in Chromium, the client calls every operation, and sends and uploads photos", async () => {
  const page = await openPage(browser);
  await page.goto(`${server.url}/page`);
  await page.addScriptTag({ content: await everyOperationScript({ format: "iife", globalName: "app" }) });
  const photos = "{ small: new Blob(['x']), large: new Blob([new Uint8Array(4_000_001)], { type: 'image/jpeg' }) }";
  await page.evaluate(`app.callEveryOperation(location.origin, ${photos})`);
  expect(server.arrived.map(({ request }) => request).toSorted()).toEqual(expectedRequests());
  const uploads = server.arrived.filter(({ request }) => request.startsWith("PUT /files"));
  expect(uploads.map(({ body }) => body.length)).toEqual([4_000_001, 4_000_001]);
});
