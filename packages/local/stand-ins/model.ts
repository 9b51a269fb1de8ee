import { type Context, Hono } from "hono";
import { keepLatest, setLatest } from "../latest.ts";
import { drawing } from "./drawing.ts";
import { behaviorRequestedBy, obedientReply, PROSE, replyFor } from "./model-replies.ts";
import { type ImageModelRequest, imageRequestOf, type TextModelRequest, textRequestOf } from "./model-requests.ts";
import { hang, type StandIn, serveStandIn } from "./server.ts";

/**
 * How the model behaves: correctly; never responding; failing; responding with prose instead of the requested shape;
 * refusing; obeying instructions in the text it analyzes; failing, hanging or responding with prose where that text says so;
 * out of credit; failing at every nth request; or refusing the first n requests because of a rate limit.
 */
export type ModelMode =
  | "normal"
  | "hang"
  | "fail"
  | "prose"
  | "refuse"
  | "obey"
  | "as asked"
  | "no credit"
  | { readonly failEvery: number }
  | { readonly busyFor: number };

/** A request to the model. */
export type ModelRequest = TextModelRequest | ImageModelRequest;

/** A running stand-in for a text and image model; its `url` ends with `/v1`, as `AI_PROVIDER_BASE_URL` expects. */
export interface ModelStandIn extends StandIn {
  /** Changes the behavior from the next request on. */
  mode(mode: ModelMode): void;
  /** How many replies the text model has given, which its vendor would charge for. */
  replies(): number;
  /** The latest requests that were well-formed, oldest first; a test may empty it. */
  readonly requests: ModelRequest[];
}

const MAX_REQUESTS = 1_000;
const MAX_DRAWINGS = 100;

/** Starts a server on 127.0.0.1 that speaks the OpenAI protocol; it accepts any key. Port 0, the default, means any free one. */
export async function startModel({ port = 0 }: { port?: number } = {}): Promise<ModelStandIn> {
  let mode: ModelMode = "normal";
  let received = 0;
  let replies = 0;
  const requests: ModelRequest[] = [];
  const drawn = remembering(MAX_DRAWINGS, (prompt) => Buffer.from(drawing(prompt)).toString("base64"));

  /** Responds according to the mode; `reply` is only called for a success. */
  async function respond<T extends ModelRequest>(
    c: Context,
    read: (body: unknown) => T | string,
    reply: (request: T, behavior: ModelMode) => Response,
  ): Promise<Response> {
    if (!/^Bearer \S+$/.test(c.req.header("authorization") ?? "")) {
      return problem(c, 401, "You didn't provide an API key.", "invalid_request_error");
    }
    const request = read(await c.req.json().catch(() => undefined));
    if (typeof request === "string") return problem(c, 400, request, "invalid_request_error");
    received += 1;
    keepLatest(requests, request, MAX_REQUESTS);
    const behavior = mode === "as asked" && request.kind === "text" ? behaviorRequestedBy(request.data) : mode;
    if (behavior === "hang") return hang(c);
    if (behavior === "no credit") return tooMany(c, "insufficient_quota");
    if (typeof behavior === "object" && "busyFor" in behavior && received <= behavior.busyFor) {
      return tooMany(c, "rate_limit_exceeded");
    }
    if (behavior === "fail" || isUnlucky(behavior, received)) {
      return problem(c, 500, "The server had an error while processing your request.", "server_error");
    }
    return reply(request, behavior);
  }

  const app = new Hono();
  app.post("/v1/chat/completions", (c) =>
    respond(c, textRequestOf, (request, behavior) => {
      const reply = request.schemaName === null ? () => PROSE : replyFor(request.schema);
      if (reply === undefined) {
        return problem(c, 400, "This stand-in knows no reply of that shape.", "invalid_request_error");
      }
      replies += 1;
      return c.json(completion(received, request, replyIn(behavior, request.data, reply)));
    }),
  );
  app.post("/v1/images/generations", (c) =>
    respond(c, imageRequestOf, (request) =>
      c.json({ created: Math.floor(Date.now() / 1000), data: [{ b64_json: drawn(request.prompt) }] }),
    ),
  );
  app.notFound((c) => problem(c, 404, "Unknown request URL.", "invalid_request_error"));

  const server = await serveStandIn(app, port, "The local model");
  return {
    ...server,
    url: `${server.url}/v1`,
    mode(next) {
      mode = next;
      received = 0;
    },
    replies: () => replies,
    requests,
  };
}

/** The text of the reply; null is a refusal. */
function replyIn(mode: ModelMode, data: string, reply: (data: string) => string): string | null {
  if (mode === "prose") return PROSE;
  if (mode === "refuse") return null;
  return mode === "obey" ? obedientReply(data, reply) : reply(data);
}

function completion(number: number, request: TextModelRequest, said: string | null) {
  const inputTokens = tokens(request.instructions) + tokens(request.data) + 10;
  const refusal = "I'm sorry, but I can't help with that.";
  const limit = request.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  const wanted = tokens(said ?? refusal);
  // A model that reaches its limit stops in the middle of a word.
  const cutOff = said !== null && wanted > limit;
  const outputTokens = Math.min(wanted, limit);
  return {
    id: `chatcmpl-local-${number}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: cutOff ? said.slice(0, limit * CHARACTERS_PER_TOKEN) : said,
          refusal: said === null ? refusal : null,
        },
        finish_reason: cutOff ? "length" : "stop",
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
  };
}

const CHARACTERS_PER_TOKEN = 4;

function tokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function problem(c: Context, status: 400 | 401 | 404 | 500, message: string, type: string): Response {
  // The SDK waits this long before it retries; a test need not wait for the vendor's half a second.
  return c.json({ error: { message, type, param: null, code: null } }, status, { "retry-after-ms": "10" });
}

/** OpenAI responds with the same status to too many requests and to an account without credit. */
function tooMany(c: Context, code: "rate_limit_exceeded" | "insufficient_quota"): Response {
  const isBusy = code === "rate_limit_exceeded";
  const message = isBusy
    ? "Rate limit reached for requests per min. Please try again in 1s."
    : "You exceeded your current quota, please check your plan and billing details.";
  const error = { message, type: isBusy ? "requests" : code, param: null, code };
  // In fractions of a second, so that a test need not wait for the vendor's minute.
  return c.json({ error }, 429, isBusy ? { "retry-after": "0.02", "retry-after-ms": "20" } : {});
}

function isUnlucky(mode: ModelMode, received: number): boolean {
  return typeof mode === "object" && "failEvery" in mode && received % mode.failEvery === 0;
}

/** A function that remembers its latest results. */
function remembering(max: number, work: (text: string) => string): (text: string) => string {
  const results = new Map<string, string>();
  return (text) => {
    const result = results.get(text) ?? work(text);
    setLatest(results, text, result, max);
    return result;
  };
}
