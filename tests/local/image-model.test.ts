import { IMAGE_SIZE } from "@nectar/local/stand-ins/drawing";
import type { DrawingRequest } from "@nectar/providers/ai";
import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { failureOf, textOf, useModel } from "./use-model.ts";

const local = useModel();

/** The image that the model draws. */
async function drawn(request: DrawingRequest): Promise<Uint8Array> {
  const { png } = await local.ai.draw(request);
  if (png === null) throw new Error("There is no image in the reply.");
  return png;
}

describe("the image model", () => {
  test("draws a PNG of 1024x1024, the same for the same prompt", async () => {
    const request = {
      prompt: 'An icon in origami style for the tone "joyful"',
      quality: "standard",
      timeoutMs: 10_000,
    } as const;
    const png = await drawn(request);
    expect(await local.ai.draw(request)).toEqual({ png, model: "dall-e-3", quality: "standard" });
    expect(decode(png)).toMatchObject({ width: 1024, height: 1024 });
    expect(IMAGE_SIZE).toBe(1024);
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
      const png = await drawn({ prompt, quality: "standard", timeoutMs: 10_000 });
      const [red = 0, green = 0, blue = 0] = decode(png).palette?.[60] ?? [];
      expect(red, prompt).toBeGreaterThan(2 * Math.max(green, blue));
    }
  });

  test("gets the quality in the terms of its family", async () => {
    const qualities = async (imageModel: string) => {
      local.model.requests.length = 0;
      const provider = local.providerOf({ imageModel });
      for (const quality of ["standard", "hd"] as const) {
        expect((await provider.draw({ prompt: "calm sea", quality, timeoutMs: 10_000 })).quality).toBe(quality);
      }
      return local.model.requests.map((request) => request.kind === "image" && request.quality);
    };
    expect(await qualities("dall-e-3")).toEqual(["standard", "hd"]);
    expect(await qualities("gpt-image-2")).toEqual(["medium", "high"]);
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
    expect(local.model.requests).toHaveLength(2);
  });
});

describe("an image model that refuses requests with 429", () => {
  const request = { prompt: "calm sea", quality: "standard", timeoutMs: 10_000 } as const;

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

  test("because there is no credit is called once", async () => {
    local.model.mode("no credit");
    expect(await failureOf(local.ai.draw(request))).toMatchObject({ code: "provider.failed" });
    expect(local.model.requests).toHaveLength(1);
  });

  test.each([
    ["dall-e-2", 1_000],
    ["dall-e-3", 4_000],
    ["gpt-image-1", 32_000],
  ])("%s takes prompts of up to %i characters", async (imageModel, max) => {
    const provider = local.providerOf({ imageModel });
    expect((await provider.draw({ ...request, prompt: "x".repeat(max) })).model).toBe(imageModel);
    expect(await failureOf(provider.draw({ ...request, prompt: "x".repeat(max + 1) }))).toMatchObject({
      code: "provider.failed",
    });
  });
});
