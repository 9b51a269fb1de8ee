import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { listenLocally } from "../listen.ts";
import type { Stoppable } from "../shutdown-plan.ts";
import { mailboxPage, mailboxPolicy, mailMessagePage } from "./mail-pages.ts";
import { isProblem, type MailProblem, type MailRequest, mailRequestOf, type StoredMail } from "./mail-requests.ts";
import { deliverEvent } from "./mail-webhook.ts";

/**
 * How the provider behaves: as it should; failing; never responding; accepting the mail and never saying so; or with a key
 * that may only send.
 */
export type MailMode = "normal" | "fail" | "hang" | "swallow" | "sending access";

/** What can be told of a sent mail. */
export type MailOutcome = "sent" | "delivery_delayed" | "delivered" | "bounced" | "complained";

/** A mail from somebody to the service. */
export interface InboundMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
}

/** A mail to the service as the provider keeps it. */
export interface StoredInboundMail extends InboundMail {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A running stand-in for the mail provider. */
export interface MailStandIn extends Stoppable {
  readonly url: string;
  /** Changes the behaviour from the next request on. */
  mode(mode: MailMode): void;
  /** Every mail that was taken, oldest first; a test may empty it. */
  readonly mails: StoredMail[];
  /** Tells the webhook what became of a mail. @returns whether it was taken */
  tell(mail: StoredMail, outcome: MailOutcome): Promise<boolean>;
  /** Every mail to the service, oldest first; a test may empty it. */
  readonly inbound: StoredInboundMail[];
  /** Keeps a mail to the service and tells the webhook. @returns whether the webhook accepted the event */
  receive(mail: InboundMail): Promise<boolean>;
  /** How many requests the protocol answered with 429 so far. */
  readonly refusals: () => number;
}

/** How the mail provider is set up. */
export interface MailOptions {
  /** Any free one when left out. */
  port?: number;
  /** Where events are sent; nowhere when left out. */
  webhookUrl?: string;
  /** Secret that events are signed with: `whsec_` and base64. */
  webhookSecret: string;
  /** How many requests of one second are answered; all of them when left out. */
  requestsPerSecond?: number;
}

/** What Resend allows an account unless agreed otherwise. */
export const RESEND_REQUESTS_PER_SECOND = 5;

const keptMails = 200;
const outcomesToChoose: readonly MailOutcome[] = ["delivered", "bounced", "complained"];

/**
 * Starts a mail provider on 127.0.0.1 that speaks as much of Resend's protocol as we use and shows every mail on a page.
 * Like Resend it tells of what becomes of them by signed events. Nothing is sent to anybody.
 * @throws StartupProblem when the port cannot be had.
 */
export async function startMail(options: MailOptions): Promise<MailStandIn> {
  const { port = 0, webhookUrl, webhookSecret, requestsPerSecond = Number.POSITIVE_INFINITY } = options;
  let mode: MailMode = "normal";
  let refusals = 0;
  let second = { startedAt: 0, requests: 0 };
  const mails: StoredMail[] = [];
  const inbound: StoredInboundMail[] = [];
  const answered = new Map<string, { payload: string; id: string }>();
  const deliver = (event: object) => deliverEvent(event, webhookUrl, webhookSecret);

  async function tell(mail: StoredMail, outcome: MailOutcome): Promise<boolean> {
    mail.told.push(outcome);
    return deliver(eventOf(mail, outcome));
  }
  async function receive(mail: InboundMail): Promise<boolean> {
    const stored = { ...mail, id: randomUUID(), createdAt: new Date().toISOString() };
    inbound.push(stored);
    if (inbound.length > keptMails) inbound.shift();
    return deliver(receivedEvent(stored));
  }

  /** Counts a request. @returns the seconds to wait when there were too many in this second, else null */
  function secondsToWait(): number | null {
    const now = Date.now();
    if (now - second.startedAt >= 1_000) second = { startedAt: now, requests: 0 };
    second.requests += 1;
    return second.requests > requestsPerSecond ? (second.startedAt + 1_000 - now) / 1_000 : null;
  }

  function take(request: MailRequest, key: string | undefined): { id: string } | MailProblem {
    const payload = JSON.stringify(request);
    const earlier = key === undefined ? undefined : answered.get(key);
    if (earlier !== undefined) {
      if (earlier.payload === payload) return { id: earlier.id };
      const message = "This idempotency key has been used on a request with another payload.";
      return { statusCode: 409, name: "invalid_idempotent_request", message };
    }
    const mail = { ...request, id: randomUUID(), createdAt: new Date().toISOString(), told: [] };
    if (key !== undefined) answered.set(key, { payload, id: mail.id });
    const [oldestKey] = answered.keys();
    if (answered.size > keptMails && oldestKey !== undefined) answered.delete(oldestKey);
    mails.push(mail);
    if (mails.length > keptMails) mails.shift();
    void tell(mail, "sent");
    return { id: mail.id };
  }

  const app = new Hono();
  app.use("/emails/*", async (c, next) => {
    const authorization = c.req.header("authorization") ?? "";
    if (!authorization.startsWith("Bearer ")) return refuse(c, missingKey);
    if (!/^Bearer re_\S+$/.test(authorization)) return refuse(c, invalidKey);
    const wait = secondsToWait();
    if (wait !== null) {
      refusals += 1;
      c.header("retry-after", String(Math.ceil(wait)));
      return refuse(c, tooManyRequests(requestsPerSecond));
    }
    if (mode === "hang") return hangUp(c);
    if (mode === "fail") return refuse(c, unexpected);
    return next();
  });
  app.get("/emails/receiving/:id", (c) => {
    if (mode === "sending access") return refuse(c, restrictedKey);
    const mail = inbound.find(({ id }) => id === c.req.param("id"));
    return mail === undefined ? refuse(c, unknownMail) : c.json(receivedMail(mail));
  });
  app.post("/emails", async (c) => {
    const key = c.req.header("idempotency-key");
    if (key !== undefined && (key === "" || key.length > 256)) {
      const message = "The idempotency key must be between 1 and 256 characters.";
      return refuse(c, { statusCode: 400, name: "invalid_idempotency_key", message });
    }
    const request = mailRequestOf(await c.req.json().catch(() => undefined));
    if (isProblem(request)) return refuse(c, request);
    const taken = take(request, key);
    if ("statusCode" in taken) return refuse(c, taken);
    return mode === "swallow" ? hangUp(c) : c.json(taken);
  });

  app.get("/", (c) => html(c, mailboxPage(mails.toReversed())));
  app.post("/mails/:id/:outcome", async (c) => {
    const mail = mails.find(({ id }) => id === c.req.param("id"));
    const outcome = outcomesToChoose.find((name) => name === c.req.param("outcome"));
    if (mail === undefined || outcome === undefined) return html(c, unknownPage, 404);
    return (await tell(mail, outcome)) ? c.redirect("/", 303) : html(c, untoldPage, 502);
  });
  app.post("/inbound", async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const field = (name: string) => form.get(name) ?? "";
    const taken = await receive({
      from: field("from"),
      to: field("to"),
      subject: field("subject"),
      text: field("text") || null,
      html: field("html") || null,
    });
    return taken ? c.redirect("/", 303) : html(c, untoldPage, 502);
  });
  app.notFound((c) =>
    c.req.method === "GET"
      ? html(c, unknownPage, 404)
      : refuse(c, { statusCode: 404, name: "not_found", message: "The requested endpoint does not exist." }),
  );

  const server = createServer(getRequestListener(app.fetch));
  const listening = await listenLocally(server, port, "The mail provider");
  return {
    url: `http://127.0.0.1:${listening.port}`,
    mode(next) {
      mode = next;
    },
    mails,
    tell,
    inbound,
    receive,
    refusals: () => refusals,
    stop() {
      const stopped = listening.stop();
      // Requests that hang on purpose would keep the server waiting.
      listening.kill();
      return stopped;
    },
    kill: listening.kill,
  };
}

const unknownPage = mailMessagePage("Nothing here", "This mail is not known, or the mail provider was restarted.");
const untoldPage = mailMessagePage("Not taken", "The API did not take the news at its webhook; see its log.");

function html(c: Context, page: string, status: 200 | 404 | 502 = 200) {
  return c.html(page, status, { "content-security-policy": mailboxPolicy, "cache-control": "no-store" });
}

function refuse(c: Context, problem: MailProblem) {
  return c.json(problem, problem.statusCode);
}

function eventOf(mail: StoredMail, outcome: MailOutcome) {
  const { id, from, to, subject, tags, createdAt } = mail;
  return {
    type: `email.${outcome}`,
    created_at: new Date().toISOString(),
    data: {
      email_id: id,
      created_at: createdAt,
      message_id: `<${id}@nectar.local>`,
      from,
      to,
      subject,
      tags,
      ...(outcome === "bounced"
        ? { bounce: { type: "Permanent", subType: "General", message: "There is no such mailbox." } }
        : {}),
    },
  };
}

/** The event about a mail to the service: like Resend's it has no text. */
function receivedEvent({ id, createdAt, from, to, subject }: StoredInboundMail) {
  return {
    type: "email.received",
    created_at: new Date().toISOString(),
    data: {
      email_id: id,
      created_at: createdAt,
      message_id: `<${id}@nectar.local>`,
      from,
      to: [to],
      cc: [],
      bcc: [],
      received_for: [to],
      subject,
      attachments: [],
    },
  };
}

/** A mail to the service, as `GET /emails/receiving/:id` responds. */
function receivedMail({ id, createdAt, from, to, subject, html: body, text }: StoredInboundMail) {
  return {
    object: "email",
    id,
    to: [to],
    from,
    created_at: createdAt,
    subject,
    html: body,
    text,
    headers: { from, to, subject },
    bcc: [],
    cc: [],
    reply_to: [],
    received_for: [to],
    message_id: `<${id}@nectar.local>`,
    raw: null,
    attachments: [],
  };
}

const missingKey: MailProblem = {
  statusCode: 401,
  name: "missing_api_key",
  message: "Missing API key in the authorization header.",
};
const invalidKey: MailProblem = { statusCode: 403, name: "invalid_api_key", message: "API key is invalid." };
const restrictedKey: MailProblem = {
  statusCode: 401,
  name: "restricted_api_key",
  message: "This API key is restricted to only send emails.",
};
const unknownMail: MailProblem = { statusCode: 404, name: "not_found", message: "Email not found" };
const unexpected: MailProblem = {
  statusCode: 500,
  name: "application_error",
  message: "An unexpected error occurred.",
};

function tooManyRequests(perSecond: number): MailProblem {
  const message = `Too many requests. You can only make ${perSecond} requests per second. See rate limit response headers for more information.`;
  return { statusCode: 429, name: "rate_limit_exceeded", message };
}

/** Holds a request until its caller gives up. */
function hangUp(c: Context): Promise<Response> {
  const { signal } = c.req.raw;
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(c.body(null, 204)), { once: true });
  });
}
