import { beforeAll, describe, it } from "vitest";
import { fill, signedInRoutes } from "../../support/access-suite.ts";
import { useApi } from "../../support/api.ts";
import { useFileStore } from "../../support/file-store.ts";
import { useMail } from "../../support/mail.ts";
import { useModel } from "../../support/models.ts";
import { beforeTests } from "../../support/prepare.ts";
import { validRequest } from "../../support/valid-request.ts";
import { usePush } from "../notifications/notifying.ts";

const push = await usePush();
const model = await useModel();
const api = useApi({
  environment: {
    ...(await useFileStore()),
    ...model.environment,
    ...(await useMail()).environment,
    // Nothing listens there: a call to the payment processor would end with 500.
    STRIPE_SECRET_KEY: "sk_test_tests",
    STRIPE_BASE_URL: "http://127.0.0.1:9",
    ...push.environment,
  },
});
const ghost = beforeTests(() => api.person({ role: "super_admin" }));
beforeAll(() => api.query`delete from auth.users where id = ${ghost.id}`);

/** Their responses are the same for everyone and need no database. */
const CONSTANT = ["GET /api/moods", "GET /api/notifications/push-key"];
const routes = signedInRoutes().filter(({ method, path }) => !CONSTANT.includes(`${method} ${path}`));

describe("the token of a deleted account", () => {
  it.each(routes)("is 401 for $method $path", async (route) => {
    const { body, headers } = await validRequest(route, push.service.newDevice);
    await api.send(route.method, fill(route.path), { as: ghost, body, headers }).refused(401, "auth.unknown_account");
  });

  it("is 401 for POST /api/auth/verify", async () => {
    await api.post("/api/auth/verify", undefined, { token: ghost.token }).refused(401, "auth.unknown_account");
  });
});
