import { DEMO_SECRETS, demoServiceAccount } from "#config/demo-secrets";
import { LOCAL_FILES_BUCKET, LOCAL_FILES_KEY, LOCAL_FILES_REGION } from "../settings/local-defaults.ts";
import type { Environment, LocalSettings } from "../settings/local-settings.ts";

/** A vendor of the hosted service for which the local stack has a stand-in. */
export interface Vendor {
  /** For the summary, such as `Payments`. */
  readonly name: string;
  readonly port: keyof LocalSettings["ports"];
  /** The variable that selects the developer's own vendor, or switches the vendor off if it is empty. */
  readonly decidedBy: string;
  /** The variable of the address. If it alone is set, the server at that address is used with our key. */
  readonly addressIn: string;
  /** Address of the stand-in. */
  readonly url: string;
  /** The variables with which the API uses the stand-in. */
  readonly variables: Readonly<Record<string, string>>;
  /** The page of the stand-in, if it has one. */
  readonly page?: { readonly title: string; readonly url: string };
}

/** The secret that the local payments sign their events with. */
export const LOCAL_PAYMENTS_SECRET = DEMO_SECRETS.STRIPE_WEBHOOK_SECRET;

/** The secret that the local mail provider signs its events with. */
export const LOCAL_MAIL_SECRET = DEMO_SECRETS.EMAIL_WEBHOOK_SECRET;

/** The keys that the local stack pushes with (RFC 8292). Fixed, so that a browser stays subscribed after `--fresh`. */
export const LOCAL_PUSH_KEYS = {
  publicKey: "BMyRThXwVP3xN8q9xo4kVxjpYOBFWgXzVwkAL_OT93L4OHadXJZwfjigd-L5UHGWaB_PGeQ2lt1LrjjUQRQSIi8",
  privateKey: DEMO_SECRETS.VAPID_PRIVATE_KEY,
};

/** The key that the local stack pushes to Apple's devices with, and the apps. */
export const LOCAL_APNS = {
  key: DEMO_SECRETS.APNS_KEY,
  keyId: "NECTARKEY1",
  teamId: "NECTARTEAM",
  apps: ["local.nectar.app", "local.nectar.beta"],
  topics: "local.nectar.app,local.nectar.beta@sandbox",
} as const;

/** The variables with which the API pushes through the local push service at this origin. */
export function localPushVariables(url: string) {
  return { ...webPushVariables(url), ...fcmVariables(url), ...apnsVariables(url) };
}

function webPushVariables(url: string) {
  return {
    VAPID_PUBLIC_KEY: LOCAL_PUSH_KEYS.publicKey,
    VAPID_PRIVATE_KEY: LOCAL_PUSH_KEYS.privateKey,
    PUSH_SERVICE_ORIGINS: url,
  };
}

function fcmVariables(url: string) {
  return { FCM_SERVICE_ACCOUNT: JSON.stringify(demoServiceAccount(url)), FCM_URL: url };
}

function apnsVariables(url: string) {
  return {
    APNS_KEY: LOCAL_APNS.key,
    APNS_KEY_ID: LOCAL_APNS.keyId,
    APNS_TEAM_ID: LOCAL_APNS.teamId,
    APNS_TOPICS: LOCAL_APNS.topics,
    APNS_URL: url,
  };
}

/** The vendors of the local stack, by what stands in for them. */
export type Vendors = ReturnType<typeof localVendors>;

/** The stand-in for each vendor with these settings. */
export function localVendors({ ports }: LocalSettings) {
  const filesUrl = `http://127.0.0.1:${ports.files}`;
  const modelUrl = `http://127.0.0.1:${ports.model}/v1`;
  const paymentsUrl = `http://127.0.0.1:${ports.payments}`;
  const mailUrl = `http://127.0.0.1:${ports.mail}`;
  const pushUrl = `http://127.0.0.1:${ports.push}`;
  return {
    files: {
      name: "Private files (S3)",
      port: "files",
      decidedBy: "S3_BUCKET",
      addressIn: "S3_ENDPOINT",
      url: filesUrl,
      variables: {
        S3_BUCKET: LOCAL_FILES_BUCKET,
        S3_REGION: LOCAL_FILES_REGION,
        S3_ENDPOINT: filesUrl,
        S3_ACCESS_KEY_ID: LOCAL_FILES_KEY,
        S3_SECRET_ACCESS_KEY: LOCAL_FILES_KEY,
      },
    },
    model: {
      name: "Text and image model",
      port: "model",
      decidedBy: "AI_PROVIDER_API_KEY",
      addressIn: "AI_PROVIDER_BASE_URL",
      url: modelUrl,
      variables: { AI_PROVIDER_API_KEY: DEMO_SECRETS.AI_PROVIDER_API_KEY, AI_PROVIDER_BASE_URL: modelUrl },
    },
    payments: {
      name: "Payments",
      port: "payments",
      decidedBy: "STRIPE_SECRET_KEY",
      addressIn: "STRIPE_BASE_URL",
      url: paymentsUrl,
      variables: {
        STRIPE_SECRET_KEY: DEMO_SECRETS.STRIPE_SECRET_KEY,
        STRIPE_WEBHOOK_SECRET: LOCAL_PAYMENTS_SECRET,
        STRIPE_BASE_URL: paymentsUrl,
      },
    },
    mail: {
      name: "Mail",
      port: "mail",
      decidedBy: "RESEND_API_KEY",
      addressIn: "RESEND_BASE_URL",
      url: mailUrl,
      variables: {
        RESEND_API_KEY: DEMO_SECRETS.RESEND_API_KEY,
        RESEND_BASE_URL: mailUrl,
        EMAIL_WEBHOOK_SECRET: LOCAL_MAIL_SECRET,
        EMAIL_FROM: "Nectar <hello@nectar.local>",
      },
      page: { title: "Mailbox", url: mailUrl },
    },
    push: {
      name: "Push service",
      port: "push",
      decidedBy: "VAPID_PRIVATE_KEY",
      addressIn: "PUSH_SERVICE_ORIGINS",
      url: pushUrl,
      variables: webPushVariables(pushUrl),
      page: { title: "Push messages", url: pushUrl },
    },
    fcm: {
      name: "Push to Android",
      port: "push",
      decidedBy: "FCM_SERVICE_ACCOUNT",
      addressIn: "FCM_URL",
      url: pushUrl,
      variables: fcmVariables(pushUrl),
    },
    apns: {
      name: "Push to iOS",
      port: "push",
      decidedBy: "APNS_KEY",
      addressIn: "APNS_URL",
      url: pushUrl,
      variables: apnsVariables(pushUrl),
    },
  } satisfies Record<string, Vendor>;
}

/** Whether our stand-in is used: no variable from outside names another one. */
export function isStoodIn(vendor: Vendor, outside: Environment): boolean {
  return outside[vendor.decidedBy] === undefined && outside[vendor.addressIn] === undefined;
}

/** Whether an address from outside replaces that of our stand-in, and nothing else does. */
export function isMoved(vendor: Vendor, outside: Environment): boolean {
  // An empty address means the vendor's own, which must never get our key.
  return outside[vendor.decidedBy] === undefined && (outside[vendor.addressIn] ?? "") !== "";
}

/** The pages of the stand-ins that are used. */
export function standInPages(vendors: Vendors, outside: Environment): { title: string; url: string }[] {
  return Object.values(vendors).flatMap((vendor: Vendor) =>
    vendor.page !== undefined && isStoodIn(vendor, outside) ? [vendor.page] : [],
  );
}

/** Describes the location of a vendor. Values from outside are not printed, because they may be secret. */
export function vendorLocation(vendor: Vendor, outside: Environment): string {
  if (isStoodIn(vendor, outside)) return `${vendor.url} (a stand-in)`;
  if (isMoved(vendor, outside)) return `your own (${vendor.addressIn})`;
  return (outside[vendor.decidedBy] ?? "") === "" ? "switched off" : `your own (${vendor.decidedBy})`;
}
