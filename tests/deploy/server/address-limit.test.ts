import { beforeEach, describe, expect, it } from "vitest";
import { readServerSettings } from "#config/config";
import { routeToGroups } from "#functions/all";
import { GROUPS } from "#functions/groups";
import { networkOf, withAddressLimit } from "#ops/server/address-limit";
import { closeServer, createPublicServer, listen } from "#ops/server/http-server";
import { useApi } from "#tests/api";

const api = useApi();
const SOCKET = "198.51.100.1";
beforeEach(() => api.at("2027-06-15T12:00:20Z"));

/** A server that takes two requests of an address in a minute, and the statuses of requests in their order. */
function serve(proxyHops: number, maxAddresses?: number) {
  const fetch = withAddressLimit(api.services, { perMinute: 2, proxyHops }, routeToGroups(api.services), maxAddresses);
  const send = (forwarded: string | undefined, path = "/api/moods", remoteAddress = SOCKET) => {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    return fetch(new Request(`http://nectar.test${path}`), { incoming: { headers, socket: { remoteAddress } } });
  };
  const statuses = async (...forwarded: (string | undefined)[]) => {
    const seen: number[] = [];
    for (const header of forwarded) seen.push((await send(header)).status);
    return seen;
  };
  return { send, statuses };
}

describe("the limit per address", () => {
  it("refuses with 429 before a token is read, until the next minute", async () => {
    const { send, statuses } = serve(1);
    expect(await statuses("203.0.113.5", "203.0.113.5")).toEqual([401, 401]);
    const refused = await send("203.0.113.5");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "40"]);
    const error = "You have reached the limit for now; try again later.";
    expect(await refused.json()).toEqual({ error, code: "quota.exhausted" });
    expect(await statuses("203.0.113.6")).toEqual([401]);
    api.at("2027-06-15T12:01:00Z");
    expect(await statuses("203.0.113.5")).toEqual([401]);
  });

  it("counts by what the first of the trusted proxies has added, whatever a client writes before it", async () => {
    const two = serve(2);
    expect(await two.statuses("1.1.1.1, 203.0.113.5, 10.0.0.1", "2.2.2.2,203.0.113.5 ,10.0.0.2")).toEqual([401, 401]);
    expect(await two.statuses("3.3.3.3, 203.0.113.5, 10.0.0.1", "203.0.113.5, 10.0.0.9")).toEqual([429, 429]);
    expect(await two.statuses("203.0.113.5, 203.0.113.9, 10.0.0.1")).toEqual([401]);
  });

  it.each([[undefined], [""], ["203.0.113.5"], ["unknown, 10.0.0.1"], ["203.0.113.05, 10.0.0.1"], [", 10.0.0.1"]])(
    "counts by the socket's address if the header of two proxies is %j",
    async (header) => {
      const { send, statuses } = serve(2);
      expect(await statuses(header, header, header)).toEqual([401, 401, 429]);
      expect((await send(header, "/api/moods", "198.51.100.2")).status).toBe(401);
    },
  );

  it("reads no header without a proxy", async () => {
    expect(await serve(0).statuses("203.0.113.5", "203.0.113.6", "203.0.113.7")).toEqual([401, 401, 429]);
  });

  it("counts IPv6 by /64, and IPv4 in IPv6 as IPv4", async () => {
    const { statuses } = serve(1);
    const [one, other] = ["2001:db8:1:2::1", "2001:DB8:1:2:ffff:0:0:9"];
    expect(await statuses(one, other, "2001:0db8:0001:0002::7", "2001:db8:1:3::1")).toEqual([401, 401, 429, 401]);
    expect(await statuses("203.0.113.5", "::ffff:203.0.113.5", "::FFFF:cb00:7105")).toEqual([401, 401, 429]);
  });

  it.each([
    ["::", "0:0:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4"],
    ["1::8", "1:0:0:0"],
    ["64:ff9b::1.2.3.4", "64:ff9b:0:0"],
    ["::ffff:255.0.1.2", "255.0.1.2"],
    ["::ffff:0:1:2", "0:0:0:0"],
    ["1.2.3.4:80", undefined],
    ["[::1]", undefined],
  ])("takes %s for the network %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it("counts few addresses at a time, and forgets the first one for a new one", async () => {
    const { statuses } = serve(1, 3);
    const first = "203.0.113.1";
    expect(await statuses(first, first, first)).toEqual([401, 401, 429]);
    expect(await statuses("203.0.113.2", "203.0.113.3", first)).toEqual([401, 401, 429]);
    expect(await statuses("203.0.113.4", first)).toEqual([401, 401]);
  });

  it("lets health checks, metrics and webhooks pass, and nothing that looks like them", async () => {
    const { send, statuses } = serve(1);
    await statuses("203.0.113.5", "203.0.113.5");
    const webhooks = GROUPS.filter(({ name }) => name.endsWith("-webhook")).flatMap(({ paths }) => [...paths]);
    expect(webhooks).toHaveLength(2);
    for (const path of ["/health", "/health/ready", "/health/jobs?x", "/metrics", ...webhooks]) {
      expect.soft((await send("203.0.113.5", path)).status, path).not.toBe(429);
    }
    for (const path of [
      "/health/cron/housekeeping",
      "/healthy",
      "/%68ealth",
      "/api/email/webhook/../../user/profile",
    ]) {
      expect.soft((await send("203.0.113.5", path)).status, path).toBe(429);
    }
  });

  it("is that of the socket's address on a real server", async () => {
    const limited = withAddressLimit(api.services, { perMinute: 2, proxyHops: 0 }, routeToGroups(api.services));
    const server = createPublicServer(limited);
    const base = `http://127.0.0.1:${await listen(server, "127.0.0.1", 0)}`;
    const seen: number[] = [];
    for (const path of ["/nowhere", "/health", "/nowhere", "/nowhere"]) seen.push((await fetch(base + path)).status);
    await closeServer(server, 1_000);
    expect(seen).toEqual([404, 200, 404, 429]);
  });
});

it("a server does not start with a limit if it is not said how many proxies there are", () => {
  const required = { DATABASE_URL: "postgres://a:b@c/d", SUPABASE_URL: "https://p.supabase.co" };
  const limitOf = (more: Record<string, string>) => readServerSettings({ ...required, ...more }).addressLimit;
  expect(() => limitOf({ ADDRESS_LIMIT_PER_MINUTE: "600" })).toThrow(
    "ADDRESS_LIMIT_PER_MINUTE: needs TRUSTED_PROXY_HOPS",
  );
  expect(() => limitOf({ TRUSTED_PROXY_HOPS: "11" })).toThrow("TRUSTED_PROXY_HOPS: must be a number from 0 to 10");
  expect(limitOf({ TRUSTED_PROXY_HOPS: "1" })).toBeNull();
  expect(limitOf({ ADDRESS_LIMIT_PER_MINUTE: "600", TRUSTED_PROXY_HOPS: "0" })).toEqual({
    perMinute: 600,
    proxyHops: 0,
  });
});
