import type { NotificationType } from "#core/people/notification-texts";
import { readRetryAfter } from "./retry-after.ts";

/** Who takes messages to a device: the push service of a browser, Firebase Cloud Messaging, or Apple. */
export type PushService = "web" | "fcm" | "apns";

/** The address of a device at its push service. */
export type PushTarget =
  | { readonly service: "web"; readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  | { readonly service: "fcm"; readonly token: string }
  /** `app` is one of the configured topics. */
  | { readonly service: "apns"; readonly token: string; readonly app: string };

/** A message for a device of one service. */
export interface PushMessage<Target extends PushTarget = PushTarget> {
  readonly target: Target;
  readonly notification: {
    readonly id: string;
    readonly type: NotificationType;
    readonly title: string;
    readonly body: string;
    readonly data: object;
  };
  /** Replaces an undelivered message of the same topic at the push service; up to 32 characters of base64url. */
  readonly topic: string;
  /** How long the push service keeps it for a device that is offline. */
  readonly ttlSeconds: number;
  /** Whether a phone is woken for the message. */
  readonly isUrgent: boolean;
  /** The person's unread notifications. */
  readonly unread: number;
  readonly timeoutMs: number;
}

/** The result of a message. `gone`: the device has unsubscribed; `refused`: permanently; `unavailable`: try again later. */
export type PushOutcome = "sent" | "gone" | "refused" | "unavailable";

export interface PushResult {
  readonly outcome: PushOutcome;
  /** Since when the push service has known that the device is gone, if it says so. */
  readonly goneSince?: Date;
  /** The push service asked that nothing is sent to it for so long. */
  readonly retryAfterMs?: number;
}

export interface PushProvider<Target extends PushTarget = PushTarget> {
  /** Sends one message. Never throws because of the push service. */
  send(message: PushMessage<Target>): Promise<PushResult>;
}

type TargetOf<Service extends PushService> = Extract<PushTarget, { readonly service: Service }>;

export interface WebPushProvider extends PushProvider<TargetOf<"web">> {
  /** The VAPID key that browsers subscribe with. */
  readonly publicKey: string;
  /** Whether an endpoint belongs to a push service that we call. Checked again before each message. */
  accepts(endpoint: string): boolean;
}

export type FcmProvider = PushProvider<TargetOf<"fcm">>;

export interface ApnsProvider extends PushProvider<TargetOf<"apns">> {
  /** The apps that messages can be sent to; at least one. */
  readonly topics: readonly string[];
}

/** The services that messages can be pushed through. Each is null if it is not configured. */
export interface PushProviders {
  readonly web: WebPushProvider | null;
  readonly fcm: FcmProvider | null;
  readonly apns: ApnsProvider | null;
}

/** The push services limit what a phone gets to so many bytes. */
export const MAX_PHONE_MESSAGE_BYTES = 4_096;

/** The result of a response that says nothing about the device. */
export function resultOf(status: number, retryAfter: string | null | undefined, now: Date): PushResult {
  if (status >= 200 && status < 300) return { outcome: "sent" };
  if (status === 429 || status >= 500) {
    const retryAfterMs = readRetryAfter(retryAfter, now);
    return retryAfterMs === null ? { outcome: "unavailable" } : { outcome: "unavailable", retryAfterMs };
  }
  // 401 and 403 mean that our keys are wrong. An operator has to fix that, and no message may be lost.
  return { outcome: status === 401 || status === 403 ? "unavailable" : "refused" };
}
