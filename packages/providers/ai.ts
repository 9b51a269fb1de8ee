import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "@nectar/core/errors";
import type { ImageQuality } from "@nectar/core/pricing";
import type OpenAI from "openai";
import * as z from "zod";
import { once } from "./once.ts";
import { pauseAfter } from "./retry-after.ts";
import { strictJsonSchema } from "./strict-json-schema.ts";

/** A request to the text model: our instructions, and a user's data, which is never an instruction. */
export interface TextRequest<T> {
  readonly instructions: string;
  readonly data: string;
  /** The schema's name for the vendor: letters, digits, `_` and `-`. */
  readonly schemaName: string;
  /** The schema of the reply; an object. The reply is checked against all of it, bounds included. */
  readonly schema: z.ZodType<T>;
  readonly maxOutputTokens: number;
  /** Timeout of everything together: loading the SDK, the call and its retries. */
  readonly timeoutMs: number;
  /** Further attempts after a temporary failure; 0 by default. */
  readonly retries?: number;
}

/** A reply of the text model. It was paid for, so its tokens count even if it is unusable. */
export interface TextReply<T> {
  /** null if the reply was a refusal, prose, cut off, or does not match the schema. */
  readonly value: T | null;
  /** The configured name of the model. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A request to the image model. */
export interface DrawingRequest {
  readonly prompt: string;
  readonly quality: ImageQuality;
  /** Timeout of everything together. */
  readonly timeoutMs: number;
  /** Runs before the prompt is sent again. An error that it throws ends the drawing. */
  readonly beforeRetry?: () => Promise<void>;
}

/** The reply of the image model. It was paid for, even if it is unusable. */
export interface Drawing {
  /** An image of 1024x1024 pixels; null if the reply contains no PNG. */
  readonly png: Uint8Array | null;
  readonly model: string;
  readonly quality: ImageQuality;
}

/** The text and image models of a vendor with OpenAI's API. */
export interface AiProvider {
  /** The configured names of the models. */
  readonly textModel: string;
  readonly imageModel: string;
  /**
   * Asks the text model for a value that matches a schema.
   * @throws AppError provider.failed if there was no reply in time
   */
  complete<T>(request: TextRequest<T>): Promise<TextReply<T>>;
  /**
   * Draws one image of 1024x1024. Only an attempt that the vendor refused because of its rate limit is repeated: any other
   * may have been paid for.
   * @throws AppError provider.failed if there was no reply in time, or what `beforeRetry` throws
   */
  draw(request: DrawingRequest): Promise<Drawing>;
}

/** The account at the vendor, and its models. */
export interface OpenAiOptions {
  readonly apiKey: string;
  /** The address up to and including `/v1`; null for the vendor's own. */
  readonly baseUrl: string | null;
  readonly textModel: string;
  readonly imageModel: string;
}

const VENDOR_URL = "https://api.openai.com/v1";
/** The first pause after a rate limit without a `retry-after`, in milliseconds. */
const FIRST_PAUSE_MS = 2_000;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The models behind the `openai` SDK, which is loaded by the first call. */
export function openAi(options: OpenAiOptions): AiProvider {
  const client = once(() => loadClient(options));
  return {
    textModel: options.textModel,
    imageModel: options.imageModel,
    complete: (request) => complete(client, options.textModel, request),
    draw: (request) => draw(client, options.imageModel, request),
  };
}

async function loadClient({ apiKey, baseUrl }: OpenAiOptions): Promise<OpenAI> {
  const { OpenAI } = await import("openai");
  return new OpenAI({
    apiKey,
    // The SDK reads what is left out from environment variables that are not ours.
    baseURL: baseUrl ?? VENDOR_URL,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    // At its debug level the SDK logs whole requests, which contain journal text.
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

/** At most what the column of recorded usage can store; an unusable count must not make the reply unusable. */
const tokenCount = z.int().min(0).max(2_147_483_647).catch(0);
const choiceShape = z.object({
  finish_reason: z.string().nullish(),
  message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
});

/** What we need of a reply. A compatible server may return less than the SDK's types promise. */
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

/** The value of a JSON text, or undefined, which matches no schema. */
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
    whileBusy(
      signal,
      async () =>
        (await client()).images.generate(
          { model, prompt: request.prompt, n: 1, size: "1024x1024", ...imageSettings(model, request.quality) },
          { signal, timeout: request.timeoutMs, maxRetries: 0 },
        ),
      request.beforeRetry,
    ),
  );
  const png = Buffer.from(imagesShape.safeParse(images).data?.data[0]?.b64_json ?? "", "base64");
  const isPng = png.subarray(0, pngSignature.length).equals(pngSignature);
  return { png: isPng ? png : null, model, quality: request.quality };
}

const imagesShape = z.object({ data: z.array(z.object({ b64_json: z.string() })) });

/**
 * DALL-E has the same names for qualities, and only returns bytes if asked. The GPT image models call them medium and high,
 * always return bytes, and refuse to be asked for them.
 */
function imageSettings(model: string, quality: ImageQuality) {
  return /^dall-e/i.test(model)
    ? { response_format: "b64_json" as const, quality }
    : { output_format: "png" as const, quality: quality === "hd" ? ("high" as const) : ("medium" as const) };
}

/**
 * Calls the vendor, and again after a pause while it refuses calls because of its rate limit. A pause is as long as the
 * vendor says, else double the last one, because refused calls count against the limit as well.
 */
async function whileBusy<T>(
  signal: AbortSignal,
  call: () => Promise<T>,
  beforeRetry?: () => Promise<void>,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await call();
    } catch (error) {
      const { RateLimitError } = await import("openai");
      // The same status also means an account without credit, where waiting does not help.
      if (!(error instanceof RateLimitError) || error.code === "insufficient_quota") throw error;
      await wait(pauseAfter(error.headers.get("retry-after"), pauseMs), undefined, { signal });
      await beforeRetry?.();
    }
  }
}

/** Runs a call to the vendor. Of its errors only the status is kept, because their messages may repeat the prompt. */
async function called<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (signal.aborted) throw new AppError("provider.failed");
    throw new AppError("provider.failed", { cause: withoutVendorText(error) });
  }
}

function withoutVendorText(error: unknown): Error {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  if (typeof status === "number") return new Error(`The AI provider responded with status ${status}.`);
  return new Error(`The AI provider did not respond (${error instanceof Error ? error.name : "unknown"}).`);
}
