import { resultOf, type WebPushProvider } from "./push.ts";

/** The VAPID identity of the sender. */
export interface WebPushOptions {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly subject: string;
  /** Further origins of push services. */
  readonly extraOrigins: readonly string[];
  readonly clock: { now(): Date };
}

/**
 * The push services of the common browsers. Clients choose the endpoints that we call, so no other hosts are allowed.
 */
const KNOWN_HOSTS =
  /^(fcm\.googleapis\.com|jmt17\.google\.com|updates\.push\.services\.mozilla\.com|([a-z0-9-]+\.)+push\.apple\.com|([a-z0-9-]+\.)+notify\.windows\.com)$/;

/**
 * Web Push with VAPID keys. The library is loaded on first use. Push services limit the encrypted message to 4,096 bytes;
 * ours has at most 3 KB, because the database limits `data` to 1 KB, and title and body repeat no more than that.
 */
export function webPush({ publicKey, privateKey, subject, extraOrigins, clock }: WebPushOptions): WebPushProvider {
  const accepts = (endpoint: string) => {
    const url = URL.parse(endpoint);
    if (url === null || url.username !== "" || url.password !== "") return false;
    return (
      (url.protocol === "https:" && url.port === "" && KNOWN_HOSTS.test(url.hostname)) ||
      extraOrigins.includes(url.origin)
    );
  };
  return {
    publicKey,
    accepts,
    async send({ target: { endpoint, p256dh, auth }, notification, topic, ttlSeconds, timeoutMs }) {
      if (!accepts(endpoint)) return { outcome: "gone" };
      const { default: library } = await import("web-push");
      const { id, type, title, body, data } = notification;
      const request = detailsOf(() =>
        library.generateRequestDetails(
          { endpoint, keys: { p256dh, auth } },
          JSON.stringify({ id, type, title, body, data }),
          { vapidDetails: { subject, publicKey, privateKey }, TTL: ttlSeconds, topic },
        ),
      );
      // The keys of devices are checked when they subscribe, so our keys are wrong, and no device may be lost because of that.
      if (request === null) return { outcome: "unavailable" };
      try {
        const response = await fetch(request.endpoint, {
          method: "POST",
          headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
          body: new Uint8Array(request.body),
          // A redirect could lead to a host that is not allowed.
          redirect: "manual",
          signal: AbortSignal.timeout(timeoutMs),
        });
        // The rest of the response does not matter: the message was accepted.
        response.body?.cancel().catch(() => undefined);
        if (response.status === 404 || response.status === 410) return { outcome: "gone" };
        return resultOf(response.status, response.headers.get("retry-after"), clock.now());
      } catch {
        return { outcome: "unavailable" };
      }
    },
  };
}

function detailsOf<Details>(make: () => Details): Details | null {
  try {
    return make();
  } catch {
    return null;
  }
}
