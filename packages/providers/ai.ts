import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "@nectar/core/errors";
import type OpenAI from "openai";
import * as z from "zod";
import { pauseAfter } from "./retry-after.ts";
import { strictJsonSchema } from "./strict-json-schema.ts";

/** How carefully an image is drawn; the price depends on it. */
export type ImageQuality = "standard" | "hd";

/** What is asked of the text model: our instructions, and data of a person that is never an instruction. */
export interface TextRequest<T> {
  readonly instructions: string;
  readonly data: string;
  /** The name the vendor sees for the shape: letters, digits, `_` and `-`. */
  readonly schemaName: string;
  /** The shape of the reply; an object. The reply is checked against all of it, bounds included. */
  readonly schema: z.ZodType<T>;
  readonly maxOutputTokens: number;
  /** Milliseconds for everything together: loading the SDK, the call and its retries. */
  readonly timeoutMs: number;
  /** Further attempts after a failure that may pass; none unless asked for. */
  readonly retries?: number;
}

/** A reply of the text model. It was paid for, so its tokens count even when its value is of no use. */
export interface TextReply<T> {
  /** Null when the reply was a refusal, prose, cut off, or not of the asked shape. */
  readonly value: T | null;
  /** The model that was asked, by its configured name. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What is asked of the image model. */
export interface DrawingRequest {
  readonly prompt: string;
  readonly quality: ImageQuality;
  /** Milliseconds for everything together. */
  readonly timeoutMs: number;
}

/** An image of 1024x1024 pixels. */
export interface Drawing {
  readonly png: Uint8Array;
  readonly model: string;
  readonly quality: ImageQuality;
}

/** The text and image models of a vendor that speaks the OpenAI protocol. */
export interface AiProvider {
  /**
   * Asks the text model for a value of a shape.
   * @throws AppError provider.failed when there was no reply at all: failure, refused key, time over.
   */
  complete<T>(request: TextRequest<T>): Promise<TextReply<T>>;
  /**
   * Draws one image of 1024x1024. A failed attempt is not repeated, for it may have been paid for; one that the vendor
   * refused because there were too many in this minute was not, and is.
   * @throws AppError provider.failed when no PNG came back in time.
   */
  draw(request: DrawingRequest): Promise<Drawing>;
}

/** Where the models are and how they are called. */
export interface OpenAiOptions {
  readonly apiKey: string;
  /** The address up to and including `/v1`; null is the vendor's own. */
  readonly baseUrl: string | null;
  readonly textModel: string;
  readonly imageModel: string;
}

const VENDOR_URL = "https://api.openai.com/v1";
/** The first pause when the vendor is busy and does not say for how long, in milliseconds. */
const FIRST_PAUSE_MS = 2_000;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The models behind the `openai` SDK. The SDK is loaded by the first call, so that a function that makes none stays light. */
export function openAi(options: OpenAiOptions): AiProvider {
  let loading: Promise<OpenAI> | undefined;
  const client = () => {
    loading ??= loadClient(options);
    return loading;
  };
  return {
    complete: (request) => complete(client, options.textModel, request),
    draw: (request) => draw(client, options.imageModel, request),
  };
}

async function loadClient({ apiKey, baseUrl }: OpenAiOptions): Promise<OpenAI> {
  const { OpenAI } = await import("openai");
  return new OpenAI({
    apiKey,
    // Everything is said here: what is left out, the SDK looks up in environment variables that are not ours.
    baseURL: baseUrl ?? VENDOR_URL,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    // At its debug level the SDK writes whole requests, which hold journal text.
    logLevel: "off",
  });
}

async function complete<T>(
  client: () => Promise<OpenAI>,
  model: string,
  request: TextRequest<T>,
): Promise<TextReply<T>> {
  const signal = AbortSignal.timeout(request.timeoutMs);
  const completion = await called(signal, async () =>
    (await client()).chat.completions.create(
      {
        model,
        messages: [
          { role: "system", content: request.instructions },
          { role: "user", content: request.data },
        ],
        response_format: {
          type: "json_schema",
          json_schema: { name: request.schemaName, strict: true, schema: strictJsonSchema(request.schema) },
        },
        max_completion_tokens: request.maxOutputTokens,
        store: false,
      },
      { signal, timeout: request.timeoutMs, maxRetries: request.retries ?? 0 },
    ),
  );
  const reply = replyShape.safeParse(completion).data;
  return {
    value: valueIn(reply?.choices[0], request.schema),
    model,
    inputTokens: reply?.usage.prompt_tokens ?? 0,
    outputTokens: reply?.usage.completion_tokens ?? 0,
  };
}

/** No more than fits the column that it is recorded in: nonsense must not cost the reply that came with it. */
const tokenCount = z.int().min(0).max(2_147_483_647).catch(0);
const choiceShape = z.object({
  finish_reason: z.string().nullish(),
  message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
});

/** What we read of a reply. The SDK's types promise more than a server that merely resembles the vendor may keep. */
const replyShape = z.object({
  choices: z.array(choiceShape).catch([]),
  usage: z
    .object({ prompt_tokens: tokenCount, completion_tokens: tokenCount })
    .catch({ prompt_tokens: 0, completion_tokens: 0 }),
});

function valueIn<T>(choice: z.infer<typeof choiceShape> | undefined, schema: z.ZodType<T>): T | null {
  const content = choice?.message.content;
  if (typeof content !== "string" || choice?.message.refusal || choice?.finish_reason === "content_filter") return null;
  return schema.safeParse(parsed(content)).data ?? null;
}

/** The value of a JSON text, or undefined, which no asked shape allows. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function draw(client: () => Promise<OpenAI>, model: string, request: DrawingRequest): Promise<Drawing> {
  const signal = AbortSignal.timeout(request.timeoutMs);
  const images = await called(signal, () =>
    whileBusy(signal, async () =>
      (await client()).images.generate(
        { model, prompt: request.prompt, n: 1, size: "1024x1024", ...imageSettings(model, request.quality) },
        { signal, timeout: request.timeoutMs, maxRetries: 0 },
      ),
    ),
  );
  const png = Buffer.from(imagesShape.safeParse(images).data?.data[0]?.b64_json ?? "", "base64");
  if (!png.subarray(0, pngSignature.length).equals(pngSignature)) {
    throw new AppError("provider.failed");
  }
  return { png, model, quality: request.quality };
}

const imagesShape = z.object({ data: z.array(z.object({ b64_json: z.string() })) });

/**
 * DALL-E names its qualities as we do and has to be asked for the bytes. The GPT image models always answer with bytes,
 * refuse to be asked for them, and call the same two qualities medium and high.
 */
function imageSettings(model: string, quality: ImageQuality) {
  return /^dall-e/i.test(model)
    ? { response_format: "b64_json" as const, quality }
    : { output_format: "png" as const, quality: quality === "hd" ? ("high" as const) : ("medium" as const) };
}

/**
 * Calls the vendor, again after a pause while it refuses calls because there were too many. Pauses are as long as it says,
 * or double: a refused call counts against the limit as well.
 */
async function whileBusy<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (let otherwise = FIRST_PAUSE_MS; ; otherwise *= 2) {
    try {
      return await call();
    } catch (error) {
      const { RateLimitError } = await import("openai");
      // An account without credit is refused with the same status, and waiting does not help.
      if (!(error instanceof RateLimitError) || error.code === "insufficient_quota") throw error;
      await wait(pauseAfter(error.headers.get("retry-after"), otherwise), undefined, { signal });
    }
  }
}

/** Runs a call to the vendor. What the vendor says of a failure may repeat the prompt, so only its status is kept. */
async function called<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (signal.aborted) throw new AppError("provider.failed");
    throw new AppError("provider.failed", { cause: withoutVendorText(error) });
  }
}

function withoutVendorText(error: unknown): Error {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  if (typeof status === "number") return new Error(`The AI provider answered with status ${status}.`);
  return new Error(`The AI provider's answer did not arrive (${error instanceof Error ? error.name : "unknown"}).`);
}
