import { expect, it } from "vitest";
import { allRoutes, fill, signedInRoutes } from "../../support/access-suite.ts";
import { useApi } from "../../support/api.ts";
import { useFileStore } from "../../support/file-store.ts";
import { useModel } from "../../support/models.ts";
import { beforeTests } from "../../support/prepare.ts";
import { validRequest } from "../../support/valid-request.ts";
import { usePush } from "../notifications/notifying.ts";

const push = await usePush();
const api = useApi({
  environment: { ...(await useFileStore()), ...(await useModel()).environment, ...push.environment },
});
const root = beforeTests(() => api.person({ role: "super_admin" }));

const signedIn = signedInRoutes();
const others = allRoutes().filter(
  ({ method, path }) => !signedIn.some((route) => route.method === method && route.path === path),
);

// The client checks that the reference declares the status, the code and the body. 503: a vendor is not configured here.
it.each(signedIn)("$method $path responds to a valid request as declared", async (route) => {
  const { body, headers } = await validRequest(route, push.service.newDevice);
  const { status } = await api.send(route.method, fill(route.path), { as: root, body, headers });
  expect([401, 405, 413, 415, 500]).not.toContain(status);
});

it.each(others)("$method $path responds to a request without a token as declared", async ({ method, path }) => {
  const { status } = await api.send(method, fill(path), method === "GET" ? {} : { body: {} });
  expect([405, 415, 500]).not.toContain(status);
});
