import { createHash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { type StandIn, serveStandIn } from "#local/stand-ins/server";

/** Rules of a queue. */
export interface QueueRules {
  /** Milliseconds for which a received message is hidden from other receivers. */
  readonly visibilityMs: number;
  /** A message that was received so often without being deleted goes to the dead letters. */
  readonly maxReceives: number;
  /** Whether Lambda ends a chain of invocations that wake each other through the queue; it does by default. */
  readonly recursiveLoop?: "Allow" | "Terminate";
}

/** A message, as the stand-in keeps it. */
interface Message {
  readonly id: string;
  readonly body: string;
  /** Lambda's trace of the invocations that led to the message; null if none did. */
  readonly trace: string | null;
  receives: number;
  visibleAt: number;
  /** Handle of the latest receiver, who alone can delete it. */
  receipt: string | null;
}

/** Failures to come; each number counts down. */
interface Faults {
  /** Entries of batches that are refused. */
  refusedEntries: number;
  /** Calls that fail with an error of the server. */
  failedCalls: number;
  /** Messages that are queued twice. */
  duplicates: number;
}

/** A running queue. */
export interface QueueStandIn extends StandIn {
  /** Address of the queue. */
  readonly queueUrl: string;
  /** Bodies of the messages that were received too often, oldest first. */
  readonly deadLetters: readonly string[];
  readonly faults: Faults;
  /** Number of messages that are not deleted, hidden ones included. */
  size(): number;
}

const MAX_BATCH = 10;
const MAX_WAIT_SECONDS = 20;
const POLL_MS = 10;
/** Lambda does not start the next invocation of a chain. */
const MAX_CHAIN = 16;

const SendBatch = z.object({
  Entries: z.array(z.object({ Id: z.string(), MessageBody: z.string().min(1) })).min(1),
});
const Receive = z.object({
  MaxNumberOfMessages: z.int().min(1).max(MAX_BATCH).default(1),
  WaitTimeSeconds: z.int().min(0).max(MAX_WAIT_SECONDS).default(0),
});
const Delete = z.object({ ReceiptHandle: z.string() });

/**
 * Starts a queue that speaks the JSON protocol of Amazon SQS on 127.0.0.1: sending in batches, receiving with long polls,
 * and deleting. Like SQS it hides a received message for a while, gives it out again if it was not deleted, and moves it to
 * the dead letters in the end, at once if it would be the 17th of a chain, which Lambda then stops. Requests without a signature are refused; signatures are not checked.
 * @throws StartupProblem if the port is in use
 */
export async function startQueue(rules: QueueRules, port = 0): Promise<QueueStandIn> {
  const messages = new Map<string, Message>();
  const deadLetters: string[] = [];
  const faults: Faults = { refusedEntries: 0, failedCalls: 0, duplicates: 0 };

  function add(body: string, trace: string | null): Message {
    const message = { id: randomUUID(), body, trace, receives: 0, visibleAt: 0, receipt: null };
    messages.set(message.id, message);
    return message;
  }

  function sendBatch(c: Context, { Entries }: z.infer<typeof SendBatch>) {
    if (Entries.length > MAX_BATCH) return refuse(c, "TooManyEntriesInBatchRequest");
    if (new Set(Entries.map(({ Id }) => Id)).size < Entries.length) return refuse(c, "BatchEntryIdsNotDistinct");
    const Successful = [];
    const Failed = [];
    for (const { Id, MessageBody } of Entries) {
      if (takeFault(faults, "refusedEntries")) {
        Failed.push({ Id, SenderFault: false, Code: "InternalError" });
        continue;
      }
      const trace = c.req.header("x-amzn-trace-id") ?? null;
      const { id } = add(MessageBody, trace);
      if (takeFault(faults, "duplicates")) add(MessageBody, trace);
      Successful.push({ Id, MessageId: id, MD5OfMessageBody: md5(MessageBody) });
    }
    return c.json({ Successful, Failed });
  }

  function take(max: number) {
    const now = Date.now();
    const taken = [];
    for (const message of messages.values()) {
      if (taken.length === max) break;
      if (message.visibleAt > now) continue;
      const isStopped = rules.recursiveLoop !== "Allow" && invocationsBefore(message.trace) >= MAX_CHAIN;
      if (isStopped || message.receives === rules.maxReceives) {
        messages.delete(message.id);
        deadLetters.push(message.body);
        continue;
      }
      message.receives += 1;
      message.visibleAt = now + rules.visibilityMs;
      message.receipt = `${message.id}/${randomUUID()}`;
      const { id, body, trace, receipt } = message;
      const Attributes = trace === null ? {} : { AWSTraceHeader: trace };
      taken.push({ MessageId: id, ReceiptHandle: receipt, Body: body, MD5OfBody: md5(body), Attributes });
    }
    return taken;
  }

  async function receive(c: Context, { MaxNumberOfMessages, WaitTimeSeconds }: z.infer<typeof Receive>) {
    const end = Date.now() + WaitTimeSeconds * 1_000;
    for (;;) {
      const taken = take(MaxNumberOfMessages);
      if (taken.length > 0) return c.json({ Messages: taken });
      if (Date.now() >= end || c.req.raw.signal.aborted) return c.json({});
      await pause(POLL_MS);
    }
  }

  function remove(c: Context, { ReceiptHandle }: z.infer<typeof Delete>) {
    const [id = ""] = ReceiptHandle.split("/");
    if (messages.get(id)?.receipt === ReceiptHandle) messages.delete(id);
    return c.json({});
  }

  const app = new Hono();
  app.post("*", async (c) => {
    const authorization = c.req.header("authorization") ?? "";
    if (!authorization.startsWith("AWS4-HMAC-SHA256 ")) return refuse(c, "MissingAuthenticationToken", 403);
    if (takeFault(faults, "failedCalls")) return refuse(c, "InternalError", 500);
    const body: unknown = await c.req.json();
    switch (c.req.header("x-amz-target")) {
      case "AmazonSQS.SendMessageBatch":
        return sendBatch(c, SendBatch.parse(body));
      case "AmazonSQS.ReceiveMessage":
        return receive(c, Receive.parse(body));
      case "AmazonSQS.DeleteMessage":
        return remove(c, Delete.parse(body));
      default:
        return refuse(c, "UnsupportedOperation");
    }
  });
  const server = await serveStandIn(app, port, "The queue");
  return {
    ...server,
    queueUrl: `${server.url}/000000000000/tasks`,
    deadLetters,
    faults,
    size: () => messages.size,
  };
}

/** How many invocations led to a message, by the header with which Lambda counts them. */
export function invocationsBefore(trace: string | null): number {
  return Number(/;Lineage=[^;]*:(\d+)/.exec(trace ?? "")?.[1] ?? 0);
}

function takeFault(faults: Faults, kind: keyof Faults): boolean {
  if (faults[kind] === 0) return false;
  faults[kind] -= 1;
  return true;
}

function refuse(c: Context, code: string, status: 400 | 403 | 500 = 400) {
  return c.json({ __type: `com.amazonaws.sqs#${code}`, message: code }, status);
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}
