import { createServer } from "node:http";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { listenLocally } from "#local/support/listen";
import { openAi } from "#providers/ai";
import { PRICES, textCost } from "#tests/models";

/** The token count of the model's response, as JSON text. */
let counted = "0";
const vendor = await listenLocally(
  createServer((_, response) => {
    const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: '{"word":"calm"}' } };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(
        `{"choices":[${JSON.stringify(choice)}],"usage":{"prompt_tokens":${counted},"completion_tokens":${counted}}}`,
      );
  }),
  0,
  "The vendor",
);
afterAll(() => vendor.kill());
const ai = openAi({
  apiKey: "key",
  baseUrl: `http://127.0.0.1:${vendor.port}/v1`,
  textModel: "small",
  reasoningEffort: null,
  imageModel: "none",
  prices: PRICES,
});

it.each([
  ["17", 17],
  ["2147483647", 2_147_483_647],
  ["2147483648", 0],
  ["3000000000", 0],
  ["1e300", 0],
  ["-1", 0],
  ["1.5", 0],
  ['"many"', 0],
  ["null", 0],
])("a count of %s tokens is recorded as %i, and the reply is accepted", async (said, used) => {
  counted = said;
  const reply = await ai.complete({
    instructions: "Name a mood.",
    data: "{}",
    schemaName: "mood",
    schema: z.object({ word: z.string() }),
    maxOutputTokens: 10,
    timeoutMs: 5_000,
  });
  expect(reply).toEqual({
    value: { word: "calm" },
    model: "small",
    inputTokens: used,
    outputTokens: used,
    costUsd: textCost({ input_tokens: used, output_tokens: used }),
  });
});
