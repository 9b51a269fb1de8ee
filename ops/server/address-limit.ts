import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { AppError } from "#core/errors";
import { respondOutsideOfGroups } from "#http/endpoint/group-app";
import type { Services } from "#http/services/services";
import type { Fetch } from "./http-server.ts";

/** How many requests of one address a server takes. */
export interface AddressLimit {
  readonly perMinute: number;
  /** How many proxies before the server add an address to `X-Forwarded-For`; 0 if clients connect to it. */
  readonly proxyHops: number;
}

/** The peer and the header of a request, as Node has them. */
type Peer = Pick<IncomingMessage, "headers"> & { readonly socket: { readonly remoteAddress?: string | undefined } };
/** Responds to a request of a peer. */
type PeerFetch = (request: Request, env: { readonly incoming: Peer }) => ReturnType<Fetch>;

/** The most addresses that are counted in a minute, which take about 10 MB of memory. */
const MAX_ADDRESSES = 100_000;
const MINUTE_MS = 60_000;
/** Paths of monitors and of webhooks, whose callers have few addresses. Webhooks are signed. */
const FREE = /^[^/]+\/\/[^/]+\/(?:health(?:\/ready|\/jobs)?|metrics|api\/(?:payment|email)\/webhook)(?=[?#]|$)/;

/**
 * Refuses the requests of an address beyond its limit in a calendar minute with 429, before anything else is looked at. Beyond
 * the maximum number of addresses, the first one of the minute is forgotten for each new one.
 */
export function withAddressLimit(
  services: Services,
  { perMinute, proxyHops }: AddressLimit,
  next: Fetch,
  maxAddresses = MAX_ADDRESSES,
): PeerFetch {
  const { clock } = services;
  const counts = new Map<string, number>();
  let minute = 0;
  const refuse = respondOutsideOfGroups(services, "/*", async () => {
    const leftMs = MINUTE_MS - (clock.now().getTime() % MINUTE_MS);
    throw new AppError("quota.exhausted", { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
  });

  function isWithin(address: string): boolean {
    const current = Math.floor(clock.now().getTime() / MINUTE_MS);
    if (current !== minute) counts.clear();
    minute = current;
    const count = (counts.get(address) ?? 0) + 1;
    const [first] = counts.size < maxAddresses || count > 1 ? [] : counts.keys();
    if (first !== undefined) counts.delete(first);
    counts.set(address, count);
    return count <= perMinute;
  }

  return (request, { incoming }) =>
    FREE.test(request.url) || isWithin(clientOf(incoming, proxyHops)) ? next(request) : refuse(request);
}

/** The client's address: the one that the first of our proxies has added, or the socket's if there is none. */
function clientOf({ headers, socket }: Peer, proxyHops: number): string {
  const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
  const offered = proxyHops === 0 ? undefined : networkOf(forwarded.at(-proxyHops)?.trim() ?? "");
  return offered ?? networkOf(socket.remoteAddress ?? "") ?? "";
}

/** An IPv4 address, or the /64 of an IPv6 address, which one person has; undefined if it is neither. */
export function networkOf(address: string): string | undefined {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  // A URL has the one way to write it, without a zone: lower case, no leading zeros, the longest run of zeros left out.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, "")}]`);
  const [before = "", after] = hostname.slice(1, -1).split("::");
  const [head, tail] = [before, after ?? ""].map((part) => (part === "" ? [] : part.split(":")));
  const groups = [
    ...(head ?? []),
    ...Array<string>(8 - (head?.length ?? 0) - (tail?.length ?? 0)).fill("0"),
    ...(tail ?? []),
  ];
  if (hostname.startsWith("[::ffff:") && groups.slice(0, 5).every((group) => group === "0")) {
    const bytes = groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
    return bytes.join(".");
  }
  return groups.slice(0, 4).join(":");
}
