import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import type { DrawingRequest } from "#providers/ai";
import { failureOf, textOf, useModel } from "./use-model.ts";

const local = useModel();
/** For images that are drawn while other tests use all processors, in milliseconds. */
const PATIENT_MS = 120_000;

async function drawn(request: DrawingRequest): Promise<Uint8Array> {
  const { png } = await local.ai.draw(request);
  if (png === null) throw new Error("There is no image in the reply.");
  return png;
}

/** The average of a channel, over all pixels. */
function averageOf(data: ArrayLike<number>, channels: number, channel: number): number {
  let sum = 0;
  for (let at = channel; at < data.length; at += channels) sum += data[at] ?? 0;
  return sum / (data.length / channels);
}

describe("the image model", () => {
  test("draws a PNG of 1024x1024, the same for the same prompt", async () => {
    const request = {
      prompt: 'An icon in origami style for the tone "joyful"',
      quality: "standard",
      timeoutMs: PATIENT_MS,
    } as const;
    const png = await drawn(request);
    const drawing = { png, model: "gpt-image-2.5-flare", quality: "standard", costUsd: "0.040000" };
    expect(await local.ai.draw(request)).toEqual(drawing);
    expect(decode(png)).toMatchObject({ width: 1024, height: 1024 });
    expect(png.length).toBeLessThan(1_000_000);
    const other = await drawn({ ...request, prompt: 'An icon in origami style for the tone "angry"' });
    expect(Buffer.compare(png, other)).not.toBe(0);
    expect(local.model.requests.map(({ kind }) => kind)).toEqual(["image", "image", "image"]);
  });

  test("takes the tone from the mood or from the text in the prompt", async () => {
    const prompts = [
      'A background, abstract, with calm colors. {"mood":"angry","content":"I had a day"}',
      'A background, abstract, with calm colors. {"content":"I was furious, so angry"}',
    ];
    for (const prompt of prompts) {
      const png = await drawn({ prompt, quality: "standard", timeoutMs: PATIENT_MS });
      const { data, channels } = decode(png);
      const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => averageOf(data, channels, channel));
      expect(red, prompt).toBeGreaterThan(2 * Math.max(green, blue));
    }
  });

  test("gets the quality in its own terms", async () => {
    for (const quality of ["standard", "hd"] as const) {
      expect((await local.ai.draw({ prompt: "calm sea", quality, timeoutMs: PATIENT_MS })).quality).toBe(quality);
    }
    expect(local.model.requests).toMatchObject([{ quality: "medium" }, { quality: "high" }]);
  });

  test.each([
    ["because of its moderation", { moderates: "blood" }, "ai.refused", undefined],
    ["because of its moderation, for another prompt", { moderates: "the sea" }, null, undefined],
    ["without a verified organization", "not verified", "provider.failed", { status: 403, code: undefined }],
    ["without credit", "no credit", "provider.failed", { status: 429, code: "insufficient_quota" }],
  ] as const)("that refuses %s: mode %o is %s", async (_, mode, code, cause) => {
    local.model.mode(mode);
    const request = { prompt: "blood and secret words", quality: "standard", timeoutMs: PATIENT_MS } as const;
    if (code === null) {
      expect((await drawn(request)).length).toBeGreaterThan(0);
      return;
    }
    const failure = await failureOf(local.ai.draw(request));
    expect(failure.code).toBe(code);
    if (cause === undefined) expect(failure.cause).toBeUndefined();
    else expect(failure.cause).toMatchObject(cause);
    expect(textOf(failure)).not.toContain("secret words");
    expect(local.model.requests).toHaveLength(1);
  });

  test("that was shut down is not found", async () => {
    const provider = local.providerOf({ imageModel: "dall-e-3" });
    const failure = await failureOf(provider.draw({ prompt: "calm sea", quality: "hd", timeoutMs: PATIENT_MS }));
    expect(failure.cause).toMatchObject({ status: 404, code: "model_not_found" });
  });

  test("that hangs or fails is called once", async () => {
    const request = { prompt: "secret words", quality: "hd", timeoutMs: 300 } as const;
    local.model.mode("hang");
    const late = await failureOf(local.ai.draw(request));
    // A failure has the vendor's error as its cause, a timeout has none.
    expect([late.code, late.cause]).toEqual(["provider.failed", undefined]);
    local.model.mode("fail");
    const failed = await failureOf(local.ai.draw(request));
    expect(failed.code).toBe("provider.failed");
    expect(textOf(failed)).not.toContain("secret words");
    // On a busy machine the first may be late before it arrives.
    expect(local.model.requests.length).toBeLessThanOrEqual(2);
  });
});

describe("an image model that refuses requests with 429", () => {
  const request = { prompt: "calm sea", quality: "standard", timeoutMs: PATIENT_MS } as const;

  test("because there were too many is called again after a pause", async () => {
    local.model.mode({ busyFor: 3 });
    expect((await drawn(request)).length).toBeGreaterThan(0);
    expect(local.model.requests).toHaveLength(4);
  });

  test("and continues to refuse fails after the time limit", async () => {
    local.model.mode({ busyFor: Number.POSITIVE_INFINITY });
    const late = await failureOf(local.ai.draw({ ...request, timeoutMs: 300 }));
    expect([late.code, late.cause]).toEqual(["provider.failed", undefined]);
  });

  test("takes prompts of up to 32,000 characters", async () => {
    const max = 32_000;
    expect((await drawn({ ...request, prompt: "x".repeat(max) })).length).toBeGreaterThan(0);
    const failure = await failureOf(local.ai.draw({ ...request, prompt: "x".repeat(max + 1) }));
    expect(failure).toMatchObject({ code: "provider.failed", cause: { status: 400 } });
  });
});
