import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { demoServiceAccount } from "#config/demo-secrets";
import { keepLatest, setLatest } from "../support/latest.ts";
import { serveWithHttp2 } from "../support/listen-http2.ts";
import { apnsApp } from "./push-apns.ts";
import { type DeviceSecrets, decryptPush } from "./push-decryption.ts";
import { fcmApp } from "./push-fcm.ts";
import {
  type Device,
  type DeviceMode,
  devicePage,
  type ExampleApi,
  messagesPage,
  type Phone,
  type ReceivedPush,
} from "./push-pages.ts";
import { problemWithSender } from "./push-vapid.ts";
import { closedPage, hang, missingPage, type StandIn, serveStandIn } from "./server.ts";
import { LOCAL_APNS } from "./vendors.ts";

/** A running push service. */
export interface PushStandIn extends StandIn {
  /** Creates a browser with keys of its own. */
  newDevice(): Device;
  /** Creates a phone. @param app of an iPhone; the first one if left out */
  newPhone(service: Phone["service"], app?: string): Phone;
  /** Changes how it behaves for a device from the next message on. @param address its endpoint, or the token of a phone */
  mode(address: string, mode: DeviceMode): void;
  /** The latest messages that were accepted, oldest first; a test may empty it. */
  readonly messages: ReceivedPush[];
}

/** How the push service is set up. */
export interface PushStandInOptions {
  /** Any free one if left out. */
  readonly port?: number;
  /** The key that its devices are subscribed with (`VAPID_PUBLIC_KEY`). */
  readonly publicKey: string;
  readonly api?: ExampleApi;
  /** Milliseconds since 1970, by which the tokens of senders to phones expire; the system's time by default. */
  readonly now?: () => number;
}

const EXAMPLE: ExampleApi = { url: "http://localhost:3000", email: "someone@example.com" };
const MAX_MESSAGES = 5_000;
const MAX_DEVICES = 5_000;
const MAX_MESSAGE_BYTES = 4_096;
const [FIRST_APP] = LOCAL_APNS.apps;

/**
 * Starts a push service on 127.0.0.1 that speaks Web Push (RFC 8030), FCM and APNs: it checks who is sending, decrypts
 * each message of a browser with the key of its device, and shows all on a page. It keeps everything in memory.
 * @throws StartupProblem if the port is in use
 */
export async function startPush({
  port = 0,
  publicKey,
  api = EXAMPLE,
  now = Date.now,
}: PushStandInOptions): Promise<PushStandIn> {
  const devices = new Map<string, { device: Device; secrets: DeviceSecrets; mode: DeviceMode }>();
  const phones = new Map<string, Phone & { mode: DeviceMode; readonly app: string; readonly createdAt: number }>();
  const messages: ReceivedPush[] = [];
  const app = new Hono();
  const server = await serveStandIn(app, port, "The local push service", serveWithHttp2);
  const { url } = server;
  const receive = (message: ReceivedPush) => keepLatest(messages, message, MAX_MESSAGES);
  const phoneOf = (service: Phone["service"], token: string) => {
    const phone = phones.get(token);
    return phone?.service === service ? phone : null;
  };

  function newDevice(): Device {
    const ecdh = createECDH("prime256v1");
    const secrets = { publicKey: ecdh.generateKeys(), privateKey: ecdh.getPrivateKey(), auth: randomBytes(16) };
    const device = {
      endpoint: `${url}/push/${randomUUID()}`,
      keys: { p256dh: secrets.publicKey.toString("base64url"), auth: secrets.auth.toString("base64url") },
    };
    setLatest(devices, device.endpoint, { device, secrets, mode: "normal" }, MAX_DEVICES);
    return device;
  }

  function newPhone(service: Phone["service"], app = FIRST_APP): Phone {
    const token = randomBytes(32).toString("hex");
    setLatest(phones, token, { service, token, app, mode: "normal", createdAt: now() }, MAX_DEVICES);
    return { service, token };
  }

  const account = demoServiceAccount(url);
  const fcm = fcmApp({
    url,
    privateKey: account.private_key,
    clientEmail: account.client_email,
    projectId: account.project_id,
    now,
    modeOf: (token) => phoneOf("fcm", token)?.mode ?? null,
    receive,
  });
  app.route("/", fcm);
  const apns = apnsApp({
    ...LOCAL_APNS,
    key: LOCAL_APNS.key.replaceAll("\\n", "\n"),
    now,
    deviceOf: (token) => phoneOf("apns", token),
    receive,
  });
  app.route("/", apns);

  app.post("/push/:device", async (c) => {
    const body = new Uint8Array(await c.req.arrayBuffer());
    const sender = { publicKey, audience: url };
    const problem = await problemWithSender(c.req.header("authorization"), sender, Date.now());
    if (problem !== null) return refuse(c, 403, problem);
    const endpoint = `${url}/push/${c.req.param("device")}`;
    const known = devices.get(endpoint);
    if (known === undefined || known.mode === "unknown") return refuse(c, 404, "There is no such device.");
    if (known.mode === "gone") return refuse(c, 410, "The device has unsubscribed.");
    const ttl = c.req.header("ttl") ?? "";
    const topic = c.req.header("topic") ?? null;
    if (!/^\d+$/.test(ttl)) return refuse(c, 400, "A message needs its time to live.");
    if (topic !== null && !/^[\w-]{1,32}$/.test(topic)) return refuse(c, 400, "The topic is not base64url.");
    if (body.length > MAX_MESSAGE_BYTES) return refuse(c, 413, "The message is too large.");
    if (c.req.header("content-encoding") !== "aes128gcm") return refuse(c, 415, "Messages are aes128gcm.");
    if (known.mode === "busy") return refuse(c, 429, "Too many messages.");
    if (known.mode === "fail") return refuse(c, 500, "Something went wrong.");
    if (known.mode === "hang") return hang(c);
    receive({ endpoint, at: new Date(), text: read(body, known.secrets), topic, ttlSeconds: Number(ttl) });
    return c.body(null, 201, { location: `${url}/message/${randomUUID()}` });
  });

  app.get("/", (c) => closedPage(c, messagesPage(messages.slice(-100).reverse(), devices.size + phones.size)));
  app.post("/devices", async (c) => {
    const { service } = await c.req.parseBody();
    if (service === "fcm" || service === "apns") return c.redirect(`/devices/${newPhone(service).token}`, 303);
    return c.redirect(new URL(newDevice().endpoint).pathname.replace("/push/", "/devices/"), 303);
  });
  app.get("/devices/:device", (c) => {
    const name = c.req.param("device");
    const phone = phones.get(name);
    const device =
      devices.get(`${url}/push/${name}`)?.device ?? (phone && { service: phone.service, token: phone.token });
    return device === undefined ? missingPage(c) : closedPage(c, devicePage(device, api));
  });

  return {
    ...server,
    newDevice,
    newPhone,
    mode(address, mode) {
      const known = devices.get(address) ?? phones.get(address);
      if (known === undefined) throw new Error("There is no such device.");
      known.mode = mode;
    },
    messages,
  };
}

function read(body: Uint8Array, secrets: DeviceSecrets): string | null {
  try {
    return decryptPush(body, secrets);
  } catch {
    return null;
  }
}

function refuse(c: Context, status: 400 | 403 | 404 | 410 | 413 | 415 | 429 | 500, message: string) {
  return c.json({ message }, status);
}
