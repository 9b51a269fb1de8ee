import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const root = beforeTests(() => api.person({ role: "super_admin" }));

/** Keys and addresses, which are compared and never shown, may be blank. */
const MAY_BE_BLANK = ["picture_key: blank", "endpoint: blank"];

const routes = signedInRoutes()
  .filter(({ refusedBodies }) => refusedBodies.length > 0)
  .map((route) => ({ ...route, name: `${route.method} ${route.path}` }));

it.each(routes)("$name names the field that is wrong", async ({ method, path, refusedBodies }) => {
  for (const { name, path: field, body } of refusedBodies.filter((one) => !MAY_BE_BLANK.includes(one.name))) {
    const { status, body: refused } = await api.send(method, fill(path), { as: root, body });
    expect.soft([status, refused.code], name).toEqual([400, "request.invalid"]);
    expect
      .soft(
        refused.issues?.map((issue) => issue.path),
        name,
      )
      .toContain(field);
  }
});

const updates = routes.filter(
  ({ method, refusedBodies }) => method === "PUT" && !refusedBodies.some(({ name }) => name.endsWith(": missing")),
);

it.each(updates)("$name needs a field that can be changed", async ({ method, path }) => {
  for (const body of [{}, { id: randomUUID(), created_at: "2020-01-01T00:00:00.000Z" }]) {
    await api.send(method, fill(path), { as: root, body }).refused(400, "request.invalid");
  }
});
