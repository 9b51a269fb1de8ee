import { type Context, Hono } from "hono";
import { keepLatest } from "../support/latest.ts";
import { drawing } from "./drawing.ts";
import { behaviorRequestedBy, obedientReply, PROSE, replyFor } from "./model-replies.ts";
import { type ImageModelRequest, imageRequestOf, type TextModelRequest, textRequestOf } from "./model-requests.ts";
import { SHUTDOWNS } from "./model-shutdowns.ts";
import { hang, type StandIn, serveStandIn } from "./server.ts";

/**
 * How the model behaves: correctly; never responding; failing; responding with prose instead of the requested shape;
 * refusing; obeying instructions in the text it analyzes; failing, hanging or responding with prose where that text says so;
 * out of credit; an organization that is not verified for images; failing at every nth request; refusing the first n
 * requests because of a rate limit; or refusing to draw prompts that contain a text.
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
  | "not verified"
  | { readonly failEvery: number }
  | { readonly busyFor: number }
  | { readonly moderates: string };

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

/** Tokens with which a model reasons before it writes. */
const REASONING_TOKENS = { none: 0, minimal: 64, low: 256, medium: 1_024, high: 4_096, xhigh: 8_192, max: 16_384 };
/** The tokens of an image of 1024x1024 pixels, by its quality. */
const IMAGE_TOKENS = { low: 272, medium: 1_056, high: 4_160, auto: 1_056 };

/** Starts a server on 127.0.0.1 that speaks the OpenAI protocol; it accepts any key. Port 0, the default, means any free one. */
export async function startModel({ port = 0 }: { port?: number } = {}): Promise<ModelStandIn> {
  let mode: ModelMode = "normal";
  let received = 0;
  let replies = 0;
  const requests: ModelRequest[] = [];

  /** Responds according to the mode; `reply` is only called for a success. */
  async function respond<T extends ModelRequest>(
    c: Context,
    read: (body: unknown) => T | string,
    reply: (request: T, behavior: ModelMode) => Response | Promise<Response>,
  ): Promise<Response> {
    if (!/^Bearer \S+$/.test(c.req.header("authorization") ?? "")) {
      return problem(c, 401, "You didn't provide an API key.", "invalid_request_error");
    }
    const request = read(await c.req.json().catch(() => undefined));
    if (typeof request === "string") return problem(c, 400, request, "invalid_request_error");
    if (Date.parse(SHUTDOWNS.get(request.model) ?? "") < Date.now()) {
      const message = `The model \`${request.model}\` does not exist or you do not have access to it.`;
      return problem(c, 404, message, "invalid_request_error", "model_not_found");
    }
    received += 1;
    keepLatest(requests, request, MAX_REQUESTS);
    const behavior = mode === "as asked" && request.kind === "text" ? behaviorRequestedBy(request.data) : mode;
    if (behavior === "hang") return hang(c);
    if (behavior === "no credit") return tooMany(c, "insufficient_quota");
    if (request.kind === "image" && behavior === "not verified") {
      const message = `Your organization must be verified to use the model \`${request.model}\`.`;
      return problem(c, 403, message, "invalid_request_error");
    }
    if (request.kind === "image" && typeof behavior === "object" && "moderates" in behavior) {
      if (request.prompt.includes(behavior.moderates)) {
        const message = "Your request was rejected by the safety system. safety_violations=[violence].";
        return problem(c, 400, message, "image_generation_user_error", "moderation_blocked");
      }
    }
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
    respond(c, imageRequestOf, async (request) =>
      c.json({
        created: Math.floor(Date.now() / 1000),
        data: [{ b64_json: Buffer.from(await drawing(request.prompt)).toString("base64") }],
        usage: imageUsage(tokens(request.prompt), IMAGE_TOKENS[request.quality]),
      }),
    ),
  );
  app.get("/v1/models", (c) => {
    const models = [...SHUTDOWNS].map(([id, shutdown_date]) => ({ id, shutdown_date }));
    const listed = [{ id: "gpt-6-luna", shutdown_date: null }, ...models];
    const data = listed.map((model) => ({ ...model, object: "model", created: 1_700_000_000, owned_by: "openai" }));
    return mode === "fail"
      ? problem(c, 404, "Unknown request URL.", "invalid_request_error")
      : c.json({ object: "list", data });
  });
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
  // A model reasons first, and what is left of its limit is for the reply. One that reaches its limit stops in the middle of
  // a word, or has said nothing.
  const limit = request.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  const reasoned = Math.min(REASONING_TOKENS[request.reasoningEffort], limit);
  const left = limit - reasoned;
  const wanted = tokens(said ?? refusal);
  const cutOff = wanted > left;
  const outputTokens = reasoned + Math.min(wanted, left);
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
          content: cutOff ? (said ?? "").slice(0, left * CHARACTERS_PER_TOKEN) : said,
          refusal: said === null && !cutOff ? refusal : null,
        },
        finish_reason: cutOff ? "length" : "stop",
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      completion_tokens_details: { reasoning_tokens: reasoned },
      total_tokens: inputTokens + outputTokens,
    },
  };
}

function imageUsage(input: number, output: number) {
  return {
    input_tokens: input,
    input_tokens_details: { text_tokens: input, image_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { image_tokens: output, text_tokens: 0 },
    total_tokens: input + output,
  };
}

const CHARACTERS_PER_TOKEN = 4;

function tokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function problem(
  c: Context,
  status: 400 | 401 | 403 | 404 | 500,
  message: string,
  type: string,
  code: string | null = null,
): Response {
  // The SDK waits this long before it retries; a test need not wait for the vendor's half a second.
  return c.json({ error: { message, type, param: null, code } }, status, { "retry-after-ms": "10" });
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
