import { setTimeout as wait } from "node:timers/promises";
import type OpenAI from "openai";
import * as z from "zod";
import { AppError } from "#core/errors";
import { type ImageQuality, imageCostUsd, type Prices, textCostUsd } from "#core/money/pricing";
import { parsedJson } from "#core/text/json";
import { once } from "./once.ts";
import { pauseAfter } from "./retry-after.ts";
import { strictJsonSchema } from "./strict-json-schema.ts";
import { VendorFailure } from "./vendor-failure.ts";

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
  /** Includes tokens for reasoning. */
  readonly outputTokens: number;
  /** A decimal with six places. */
  readonly costUsd: string;
}

/** Why a reply is unusable: its limit of tokens ended it, the model refused, or it does not match the schema. */
export interface UnusableReply {
  readonly problem: "cut_off" | "refused" | "malformed";
  readonly reasoningTokens: number;
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
  /** A decimal with six places. */
  readonly costUsd: string;
}

/** When a configured model is shut down. */
export interface Shutdown {
  readonly model: string;
  readonly date: Date;
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
   * @throws AppError provider.failed if there was no reply in time, ai.refused if the vendor's moderation stopped it, or what
   *   `beforeRetry` throws
   */
  draw(request: DrawingRequest): Promise<Drawing>;
  /**
   * When the configured models are shut down, as far as the vendor has announced it.
   * @throws AppError provider.failed, also if the vendor does not list its models
   */
  listShutdowns(): Promise<Shutdown[]>;
}

/** The account at the vendor, and its models. */
export interface OpenAiOptions {
  readonly apiKey: string;
  /** The address up to and including `/v1`; null for the vendor's own. */
  readonly baseUrl: string | null;
  readonly textModel: string;
  /** How much the text model reasons; null leaves it out, because other models refuse it. */
  readonly reasoningEffort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
  readonly imageModel: string;
  readonly prices: Prices;
  /** Called for a reply that was paid for and is not usable. */
  readonly onUnusable?: (reply: UnusableReply) => void;
}

const VENDOR_URL = "https://api.openai.com/v1";
/** Timeout of listing the models. */
const LISTING_MS = 10_000;
/** The first pause after a rate limit without a `retry-after`, in milliseconds. */
const FIRST_PAUSE_MS = 2_000;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The models behind the `openai` SDK, which is loaded by the first call. */
export function openAi(options: OpenAiOptions): AiProvider {
  const client = once(() => loadClient(options));
  return {
    textModel: options.textModel,
    imageModel: options.imageModel,
    complete: (request) => complete(client, options, request),
    draw: (request) => draw(client, options, request),
    listShutdowns: () => listShutdowns(client, [options.textModel, options.imageModel]),
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
  { textModel: model, reasoningEffort, prices, onUnusable }: OpenAiOptions,
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
        // It counts what the model reasons with as well.
        max_completion_tokens: request.maxOutputTokens,
        ...(reasoningEffort === null ? {} : { reasoning_effort: reasoningEffort }),
        store: false,
      },
      { signal, timeout: request.timeoutMs, maxRetries: request.retries ?? 0 },
    ),
  );
  const reply = replyShape.safeParse(completion).data;
  const choice = reply?.choices[0];
  const value = valueIn(choice, request.schema);
  const usage = reply?.usage ?? NO_USAGE;
  if (value === null) {
    onUnusable?.({
      problem: problemOf(choice),
      reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    });
  }
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  return { value, model, inputTokens, outputTokens, costUsd: textCostUsd(prices, inputTokens, outputTokens) };
}

/** At most what the column of recorded usage can store; an unusable count must not make the reply unusable. */
const tokenCount = z.int().min(0).max(2_147_483_647).catch(0);
const choiceShape = z.object({
  finish_reason: z.string().nullish(),
  message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
});

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, completion_tokens_details: undefined };

/** The fields of a reply that we need. A compatible server may return less than the SDK's types promise. */
const replyShape = z.object({
  choices: z.array(choiceShape).catch([]),
  usage: z
    .object({
      prompt_tokens: tokenCount,
      completion_tokens: tokenCount,
      completion_tokens_details: z.object({ reasoning_tokens: tokenCount }).optional().catch(undefined),
    })
    .catch(NO_USAGE),
});

type Choice = z.infer<typeof choiceShape> | undefined;

function valueIn<T>(choice: Choice, schema: z.ZodType<T>): T | null {
  const content = choice?.message.content;
  if (typeof content !== "string" || problemOf(choice) !== "malformed") return null;
  return schema.safeParse(parsedJson(content)).data ?? null;
}

/** Why a reply is unusable, if it is. */
function problemOf(choice: Choice): UnusableReply["problem"] {
  if (choice?.finish_reason === "length") return "cut_off";
  return choice?.message.refusal || choice?.finish_reason === "content_filter" ? "refused" : "malformed";
}

async function draw(
  client: () => Promise<OpenAI>,
  { imageModel: model, prices }: OpenAiOptions,
  request: DrawingRequest,
): Promise<Drawing> {
  const signal = AbortSignal.timeout(request.timeoutMs);
  const images = await called(signal, () =>
    unlessModerated(
      signal,
      async () =>
        (await client()).images.generate(
          {
            model,
            prompt: request.prompt,
            n: 1,
            size: "1024x1024",
            output_format: "png",
            quality: request.quality === "hd" ? "high" : "medium",
          },
          { signal, timeout: request.timeoutMs, maxRetries: 0 },
        ),
      request.beforeRetry,
    ),
  );
  const reply = imagesShape.safeParse(images).data;
  const png = Buffer.from(reply?.data?.[0]?.b64_json ?? "", "base64");
  const isPng = png.subarray(0, pngSignature.length).equals(pngSignature);
  const { quality } = request;
  return { png: isPng ? png : null, model, quality, costUsd: imageCostUsd(prices, quality) };
}

const imagesShape = z.object({
  data: z
    .array(z.object({ b64_json: z.string() }))
    .optional()
    .catch(undefined),
});

async function listShutdowns(client: () => Promise<OpenAI>, models: readonly string[]): Promise<Shutdown[]> {
  const signal = AbortSignal.timeout(LISTING_MS);
  const { data } = await called(signal, async () => (await client()).models.list({ signal, timeout: LISTING_MS }));
  return modelsShape.parse(data).flatMap(({ id, shutdown_date }) => {
    const date = new Date(shutdown_date ?? Number.NaN);
    return models.includes(id) && !Number.isNaN(date.getTime()) ? [{ model: id, date }] : [];
  });
}

const modelsShape = z.array(z.object({ id: z.string(), shutdown_date: z.string().nullish().catch(null) })).catch([]);

/** Drawings that the vendor's moderation stops are not tried again: the same prompt is refused each time. */
async function unlessModerated<T>(
  signal: AbortSignal,
  call: () => Promise<T>,
  beforeRetry?: () => Promise<void>,
): Promise<T> {
  try {
    return await whileBusy(signal, call, beforeRetry);
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "moderation_blocked") throw new AppError("ai.refused");
    throw error;
  }
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
    throw new AppError("provider.failed", { cause: new VendorFailure(error) });
  }
}
