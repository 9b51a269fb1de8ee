import { expect, it } from "vitest";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const root = beforeTests(() => api.person({ role: "super_admin" }));

const numbers = signedInRoutes().flatMap(({ method, path, numbers }) =>
  numbers.map((number) => ({ ...number, method, address: path, name: `${method} ${path} ${number.path}` })),
);

it("every integer of every body has bounds, but for a seed, which is stored as text", () => {
  const unbounded = numbers.filter(({ minimum, maximum }) => minimum === undefined || maximum === undefined);
  expect(unbounded.map(({ name }) => name)).toEqual(["POST /api/workout-window/admin/ai-users/generate config.seed"]);
  expect(numbers.length).toBeGreaterThan(30);
});

it.each(numbers)("$name is refused outside of its bounds, and never an error of ours", async (number) => {
  const { method, address, path, isInteger, minimum, maximum, sampleWith } = number;
  const send = (value: number) => api.send(method, fill(address), { as: root, body: sampleWith(value) });
  for (const value of [minimum ?? 0, maximum ?? 0]) {
    // 503: no file store is configured here.
    expect([200, 201, 400, 402, 404, 409, 413, 503]).toContain((await send(value)).status);
  }
  for (const beyond of [2 ** 31, 2 ** 53, 1e308]) {
    for (const value of [beyond, -beyond, ...(isInteger ? [0.5] : [])]) {
      const isWithin = value >= (minimum ?? Number.MIN_SAFE_INTEGER) && value <= (maximum ?? Number.MAX_SAFE_INTEGER);
      const { status, body } = await send(value);
      if (isWithin && Number.isInteger(value)) expect(status).toBeLessThan(500);
      else expect(body.issues?.map((issue) => issue.path)).toContain(path);
    }
  }
});
