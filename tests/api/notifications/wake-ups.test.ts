import { describe, expect, it } from "vitest";
import { routeToGroups } from "#functions/all";
import { useApi } from "#tests/api";
import { clientOf } from "#tests/client";
import { beforeEachTest } from "#tests/prepare";
import { received, subscribe, usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const api = useApi({ environment });
const ada = beforeEachTest(() => api.person());
const grace = beforeEachTest(() => api.person());
const device = beforeEachTest(() => subscribe(api, service, grace));

const titles = () => received(service, device).map(({ payload }) => payload.title);
const drop = () => ({ recipient_id: grace.id, content: "You can do it." });

describe("a request that notifies", () => {
  it("wakes a worker, which pushes to the recipient's devices", async () => {
    await api.post("/api/encouragement-drops/send", ada, drop()).created();
    await api.idle();
    expect(titles()).toEqual(["A drop for you"]);
  });

  it("wakes a worker for a new member of an organization and of a team", async () => {
    const { organization } = await api.post("/api/organizations", ada, { name: "Bees" }).created();
    await api
      .post(`/api/organizations/${organization.id}/members`, ada, { user_id: grace.id, role: "member" })
      .created();
    const { team } = await api.post("/api/teams", ada, { name: "Hive", org_id: organization.id }).created();
    await api.post(`/api/teams/${team.id}/members`, ada, { user_id: grace.id, role: "member" }).created();
    await api.idle();
    expect(titles().toSorted()).toEqual(["You were added to a team", "You were added to an organization"]);
  });

  it("succeeds if no worker can be woken, and the log says so", async () => {
    const queue = { send: () => Promise.reject(new Error("The queue is away.")) };
    const client = clientOf(routeToGroups({ ...api.services, queue }));
    await client.post("/api/encouragement-drops/send", ada, drop()).created();
    await api.idle();
    expect(titles()).toEqual([]);
    expect(api.logged()).toContain("no worker was woken");
  });

  it("that is refused wakes no worker", async () => {
    const tasks: unknown[] = [];
    const queue = { send: async (sent: readonly unknown[]) => void tasks.push(...sent) };
    const client = clientOf(routeToGroups({ ...api.services, queue }));
    await client
      .post("/api/encouragement-drops/send", ada, { recipient_id: ada.id, content: "Well done." })
      .refused(400, "encouragement.self_send");
    expect(tasks).toEqual([]);
  });
});
