import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { keepLatest, setLatest } from "../support/latest.ts";
import { mailboxPage, OFFERED_OUTCOMES } from "./mail-pages.ts";
import {
  isProblem,
  type MailProblem,
  type MailRequest,
  mailRequestOf,
  ONE_CLICK,
  oneClickAddress,
  problem,
  type StoredMail,
} from "./mail-requests.ts";
import { closedPage, hang, missingPage, notAcceptedPage, type StandIn, serveStandIn } from "./server.ts";
import { deliverEvent, newSvixId, svixHeaders, type WebhookOptions } from "./webhooks.ts";

/**
 * How the provider behaves: correctly; failing; never responding; accepting the mail without responding; or with a key that
 * may only send.
 */
export type MailMode = "normal" | "fail" | "hang" | "swallow" | "sending access";

/** An event about a sent mail. */
export type MailOutcome =
  | "sent"
  | "delivery_delayed"
  | "failed"
  | "suppressed"
  | "delivered"
  | "bounced"
  | "complained";

/** A mail to the service. */
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
export interface MailStandIn extends StandIn {
  /** Changes the behavior from the next request on. */
  mode(mode: MailMode): void;
  /** Every mail that was accepted, oldest first; a test may empty it. */
  readonly mails: StoredMail[];
  /** Reports the outcome of a mail to the webhook. @returns whether the event was accepted */
  report(mail: StoredMail, outcome: MailOutcome): Promise<boolean>;
  /** Every mail to the service, oldest first; a test may empty it. */
  readonly inbound: StoredInboundMail[];
  /** Keeps a mail to the service and reports it to the webhook. @returns whether the event was accepted */
  receive(mail: InboundMail): Promise<boolean>;
  /** How many requests got a 429 so far. */
  readonly refusals: () => number;
}

/** How the mail provider is set up. */
export interface MailOptions extends WebhookOptions {
  /** Any free one if left out. */
  port?: number;
  /** Requests per second above which there is a 429; no limit if left out. */
  requestsPerSecond?: number;
}

/** Resend's default limit per account. */
export const RESEND_REQUESTS_PER_SECOND = 5;

const MAX_MAILS = 200;

/**
 * Starts a mail provider on 127.0.0.1 that speaks as much of Resend's protocol as we use and shows every mail on a page.
 * Like Resend it reports their outcomes with signed events. Nothing leaves this machine.
 * @throws StartupProblem if the port is in use
 */
export async function startMail(options: MailOptions): Promise<MailStandIn> {
  const { port = 0, requestsPerSecond = Number.POSITIVE_INFINITY } = options;
  let mode: MailMode = "normal";
  let refusals = 0;
  let second = { startedAt: 0, requests: 0 };
  const mails: StoredMail[] = [];
  const inbound: StoredInboundMail[] = [];
  const accepted = new Map<string, { payload: string; id: string }>();
  const deliver = (event: object) => {
    const id = newSvixId();
    return deliverEvent(event, options, (body, secret) => svixHeaders(body, secret, id));
  };

  function report(mail: StoredMail, outcome: MailOutcome): Promise<boolean> {
    mail.outcomes.push(outcome);
    return deliver(eventOf(mail, outcome));
  }
  function receive(mail: InboundMail): Promise<boolean> {
    const stored = { ...mail, id: randomUUID(), createdAt: new Date().toISOString() };
    keepLatest(inbound, stored, MAX_MAILS);
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
    const earlier = key === undefined ? undefined : accepted.get(key);
    if (earlier !== undefined) return earlier.payload === payload ? { id: earlier.id } : REUSED_KEY;
    const mail = { ...request, id: randomUUID(), createdAt: new Date().toISOString(), outcomes: [] };
    if (key !== undefined) setLatest(accepted, key, { payload, id: mail.id }, MAX_MAILS);
    keepLatest(mails, mail, MAX_MAILS);
    void report(mail, "sent");
    return { id: mail.id };
  }

  const app = new Hono();
  app.use("/emails/*", async (c, next) => {
    const authorization = c.req.header("authorization") ?? "";
    if (!authorization.startsWith("Bearer ")) return refuse(c, MISSING_KEY);
    if (!/^Bearer re_\S+$/.test(authorization)) return refuse(c, INVALID_KEY);
    const wait = secondsToWait();
    if (wait !== null) {
      refusals += 1;
      c.header("retry-after", String(Math.ceil(wait)));
      return refuse(c, tooManyRequests(requestsPerSecond));
    }
    if (mode === "hang") return hang(c);
    if (mode === "fail") return refuse(c, UNEXPECTED);
    return next();
  });
  app.get("/emails/receiving/:id", (c) => {
    if (mode === "sending access") return refuse(c, RESTRICTED_KEY);
    const mail = inbound.find(({ id }) => id === c.req.param("id"));
    return mail === undefined ? refuse(c, UNKNOWN_MAIL) : c.json(receivedMail(mail));
  });
  app.post("/emails", async (c) => {
    const key = c.req.header("idempotency-key");
    if (key !== undefined && (key === "" || key.length > 256)) return refuse(c, LONG_KEY);
    const request = mailRequestOf(await c.req.json().catch(() => undefined));
    if (isProblem(request)) return refuse(c, request);
    const taken = take(request, key);
    if ("statusCode" in taken) return refuse(c, taken);
    return mode === "swallow" ? hang(c) : c.json(taken);
  });

  app.get("/", (c) => closedPage(c, mailboxPage(mails.toReversed())));
  app.post("/mails/:id/unsubscribe", async (c) => {
    const mail = mails.find(({ id }) => id === c.req.param("id"));
    const address = mail === undefined ? null : oneClickAddress(mail);
    if (mail === undefined || address === null) return missingPage(c);
    if (!(await unsubscribe(address))) return notAcceptedPage(c);
    mail.outcomes.push("unsubscribed");
    return c.redirect("/", 303);
  });
  app.post("/mails/:id/:outcome", async (c) => {
    const mail = mails.find(({ id }) => id === c.req.param("id"));
    const outcome = OFFERED_OUTCOMES.find(([name]) => name === c.req.param("outcome"))?.[0];
    if (mail === undefined || outcome === undefined) return missingPage(c);
    return (await report(mail, outcome)) ? c.redirect("/", 303) : notAcceptedPage(c);
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
    return taken ? c.redirect("/", 303) : notAcceptedPage(c);
  });
  app.notFound((c) => (c.req.method === "GET" ? missingPage(c) : refuse(c, UNKNOWN_ADDRESS)));

  const server = await serveStandIn(app, port, "The mail provider");
  return {
    ...server,
    mode(next) {
      mode = next;
    },
    mails,
    report,
    inbound,
    receive,
    refusals: () => refusals,
  };
}

/** Does what mail programs do for their button. @returns whether the service accepted it */
async function unsubscribe(address: string): Promise<boolean> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(address, { method: "POST", headers, body: ONE_CLICK, redirect: "manual" }).catch(
    () => undefined,
  );
  return response?.ok === true;
}

function refuse(c: Context, problem: MailProblem) {
  return c.json(problem, problem.statusCode);
}

function eventOf({ id, from, to, subject, tags, createdAt }: StoredMail, outcome: MailOutcome) {
  return {
    type: `email.${outcome}`,
    created_at: new Date().toISOString(),
    data: { ...idsOf({ id, createdAt }), from, to, subject, tags, ...DETAILS[outcome] },
  };
}

/** Fields that the events of some outcomes have beside the mail. */
const DETAILS: Readonly<Partial<Record<MailOutcome, object>>> = {
  bounced: {
    bounce: {
      type: "Permanent",
      subType: "General",
      message: "There is no such mailbox.",
      diagnosticCode: ["smtp; 550 5.1.1 There is no such mailbox."],
    },
  },
  failed: { failed: { reason: "reached_daily_quota" } },
  suppressed: {
    suppressed: { type: "OnAccountSuppressionList", message: "The address is on the account's suppression list." },
  },
};

/** The event about a mail to the service: like Resend's it has no text. */
function receivedEvent(mail: StoredInboundMail) {
  return {
    type: "email.received",
    created_at: new Date().toISOString(),
    data: { ...idsOf(mail), ...receivedFields(mail) },
  };
}

/** A mail to the service, as `GET /emails/receiving/:id` responds. */
function receivedMail(mail: StoredInboundMail) {
  const { id, from, to, subject, text, html } = mail;
  const { email_id: _, ...ids } = idsOf(mail);
  const headers = { from, to, subject };
  return { object: "email", id, ...ids, ...receivedFields(mail), headers, reply_to: [], raw: null, text, html };
}

function idsOf({ id, createdAt }: { id: string; createdAt: string }) {
  return { email_id: id, created_at: createdAt, message_id: `<${id}@nectar.local>` };
}

function receivedFields({ from, to, subject }: StoredInboundMail) {
  return { from, to: [to], cc: [], bcc: [], received_for: [to], subject, attachments: [] };
}

const MISSING_KEY = problem(401, "missing_api_key", "Missing API key in the authorization header.");
const INVALID_KEY = problem(403, "invalid_api_key", "API key is invalid.");
const RESTRICTED_KEY = problem(401, "restricted_api_key", "This API key is restricted to only send emails.");
const UNKNOWN_MAIL = problem(404, "not_found", "Email not found");
const UNEXPECTED = problem(500, "application_error", "An unexpected error occurred.");
const UNKNOWN_ADDRESS = problem(404, "not_found", "The requested endpoint does not exist.");
const LONG_KEY = problem(400, "invalid_idempotency_key", "The idempotency key must be between 1 and 256 characters.");
const REUSED_KEY = problem(
  409,
  "invalid_idempotent_request",
  "This idempotency key has been used on a request with another payload.",
);

function tooManyRequests(perSecond: number): MailProblem {
  const message = `Too many requests. You can only make ${perSecond} requests per second. See rate limit response headers for more information.`;
  return problem(429, "rate_limit_exceeded", message);
}
