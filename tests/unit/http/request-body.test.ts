import { Hono } from "hono";
import { expect, it } from "vitest";
import { readTextBody } from "#http/request/request-body";

/** Sends bodies of so many bytes at once. @returns the turn of the event loop in which each had been read */
async function turnsOf(sizes: readonly number[]): Promise<number[]> {
  let turn = 0;
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const app = new Hono().post("/", async (c) => {
    await readTextBody(c, 1024);
    return c.json(turn);
  });
  const responses = sizes.map((size) =>
    app.request("/", { method: "POST", body: JSON.stringify("x".repeat(size - 2)) }),
  );
  const turns = await Promise.all(responses.map(async (response) => Number(await (await response).text())));
  isDone = true;
  return turns;
}

it("looks at one large body in a turn of the event loop, so that other requests come between them", async () => {
  const turns = await turnsOf(Array.from({ length: 8 }, () => 65_537));
  expect(new Set(turns).size).toBe(8);
});

it("does not put off small bodies", async () => {
  const [small = Infinity, ...large] = await turnsOf([65_536, ...Array.from({ length: 8 }, () => 100_000)]);
  expect(small).toBeLessThan(Math.max(...large));
});
