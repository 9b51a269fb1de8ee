/** A browser's subscription to our messages (RFC 8030, RFC 8291). */
export interface PushSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushMessage {
  readonly subscription: PushSubscription;
  /** JSON text; it is encrypted for the device. */
  readonly payload: string;
  /** Replaces an undelivered message of the same topic at the push service; up to 32 characters of base64url. */
  readonly topic: string;
  /** How long the push service keeps it for a device that is offline. */
  readonly ttlSeconds: number;
  readonly timeoutMs: number;
}

/** The result of a message. `gone`: the device has unsubscribed; `refused`: permanently; `unavailable`: try again later. */
export type PushOutcome = "sent" | "gone" | "refused" | "unavailable";

export interface PushProvider {
  /** The VAPID key that browsers subscribe with. */
  readonly publicKey: string;
  /** Whether an endpoint belongs to a push service that we call. Checked again before each message. */
  accepts(endpoint: string): boolean;
  /** Sends one message. Never throws because of the push service. */
  send(message: PushMessage): Promise<PushOutcome>;
}

/** The VAPID identity of the sender. */
export interface WebPushOptions {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly subject: string;
  /** Further origins of push services. */
  readonly extraOrigins: readonly string[];
}

/**
 * The push services of the common browsers. Clients choose the endpoints that we call, so no other hosts are allowed.
 */
const KNOWN_HOSTS =
  /^(fcm\.googleapis\.com|jmt17\.google\.com|updates\.push\.services\.mozilla\.com|([a-z0-9-]+\.)+push\.apple\.com|([a-z0-9-]+\.)+notify\.windows\.com)$/;

/** Web Push with VAPID keys. The library is loaded on first use. */
export function webPush({ publicKey, privateKey, subject, extraOrigins }: WebPushOptions): PushProvider {
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
    async send({ subscription: { endpoint, p256dh, auth }, payload, topic, ttlSeconds, timeoutMs }) {
      if (!accepts(endpoint)) return "gone";
      const { default: library } = await import("web-push");
      const request = detailsOf(() =>
        library.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
          vapidDetails: { subject, publicKey, privateKey },
          TTL: ttlSeconds,
          topic,
        }),
      );
      // The keys of devices are checked when they subscribe, so our keys are wrong, and no device may be lost because of that.
      if (request === null) return "unavailable";
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
        return outcomeOf(response.status);
      } catch {
        return "unavailable";
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

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  // 401 and 403 mean that our keys are wrong. An operator has to fix that, and no message may be lost.
  return status === 401 || status === 403 || status === 429 || status >= 500 ? "unavailable" : "refused";
}
