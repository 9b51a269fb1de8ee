import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Tx } from "#database/database";
import { hashBody, storedResponse, storeResponse, takeKey } from "#http/request/idempotency";
import { fill, type SignedInRoute, signedInRoutes } from "#tests/access-suite";
import { type ApiResponse, useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { validRequest } from "#tests/valid-request";
import { useVendors } from "./vendors.ts";

const { push, environment } = await useVendors();
const api = useApi({ environment });
const ada = beforeTests(() => api.person({ role: "super_admin" }));

const posts = signedInRoutes().filter(({ method }) => method === "POST");

/** Posts that change nothing: there is nothing to store, and nothing that could run twice. */
const PREVIEWS = [
  "/api/journal/audience-preview",
  "/api/goals/audience-preview",
  "/api/notebooks/{id}/audience-preview",
];
const isPreview = ({ path }: SignedInRoute) => PREVIEWS.includes(path);
const commands = posts.filter((route) => !isPreview(route));

it("is accepted by every POST of signed-in users, which declare 400 and, unless they only read, 409", () => {
  expect(posts.length).toBeGreaterThan(35);
  expect(posts.filter(({ responses }) => !responses.includes("400"))).toEqual([]);
  expect(commands.filter(({ responses }) => !responses.includes("409"))).toEqual([]);
  expect(posts.filter(isPreview)).toHaveLength(PREVIEWS.length);
});

describe.each(posts)("POST $path", (route) => {
  it("responds with 400 if the Idempotency-Key is not valid", async () => {
    const { status, body } = await post(route, fill(route.path, {}, "POST"), "k".repeat(256));
    expect([status, body.code]).toEqual([400, "request.invalid_idempotency_key"]);
  });
});

describe.each(commands)("POST $path", (route) => {
  it("responds with 409 while a request with the same Idempotency-Key runs, and if it was used with another body", async () => {
    const [path, key, used] = [fill(route.path, {}, "POST"), randomUUID(), randomUUID()];
    const running = await api.database.asUser(ada.id, async (tx) => {
      await storeEarlier(tx, path, key, "");
      return post(route, path, key);
    });
    expect([running.status, running.body.code]).toEqual([409, "idempotency.in_progress"]);
    await api.database.asUser(ada.id, (tx) => storeEarlier(tx, path, used, "another body"));
    const reused = await post(route, path, used);
    expect([reused.status, reused.body.code]).toEqual([409, "idempotency.key_reused"]);
  });
});

it("a key of one person is free for another, also while the request of the first runs", async () => {
  const [ben, key] = [await api.person(), randomUUID()];
  await api.database.asUser(ada.id, async (tx) => {
    await storeEarlier(tx, "/api/goals", key, "");
    await api.post("/api/goals", ben, { title: "Run" }, { "idempotency-key": key }).created();
  });
});

/** Stores a response, as an earlier request with this key and body does. */
async function storeEarlier(tx: Tx, path: string, key: string, body: string): Promise<void> {
  const route = `POST ${path.replace(/\?.*/, "")}`;
  const request = { userId: ada.id, route, key, bodyHash: hashBody(body) };
  await takeKey(tx, request);
  await storeResponse(tx, request, storedResponse(200, {}), true);
}

async function post(route: SignedInRoute, path: string, key: string): Promise<ApiResponse> {
  const { body, headers } = await validRequest(route, push.service.newDevice);
  return api.send("POST", path, { as: ada, body, headers: { ...headers, "idempotency-key": key } });
}
