import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { usageOf, useModel } from "#tests/models";
import { beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";

const model = await useModel();
const api = useApi({ environment: model.environment });
const plain = useApi();
const ada = beforeTests(() => api.person());
const analyze = (body: object, as = ada, headers = {}) => api.post("/api/ai/analyze-tone", as, body, headers);

describe("POST /api/ai/analyze-tone", () => {
  it("returns the tones of a text, highest score first, and records the use of the model", async () => {
    const ben = await api.person();
    const body = await analyze({ content: "Happy and joyful, a bit tired.", title: "A day" }, ben).ok();
    expect(body).toMatchObject({ primaryTone: "joyful", sentiment: expect.any(String) });
    expect(body.tones.map(({ tone }) => tone)).toEqual(["joyful", "tired"]);
    expect(body.confidence).toBeGreaterThan(0.5);
    expect(await usageOf(api, ben)).toMatchObject([{ usage_type: "tone_analysis", reference_type: null }]);
  });

  it.each([
    ["fail", 0, 2],
    ["prose", 1, 1],
    ["refuse", 1, 1],
  ] as const)(
    "is 500 if the model would %s, and records the use of the model if it was paid for",
    async (mode, paid, calls) => {
      model.mode(mode);
      const ben = await api.person();
      await analyze({ content: "Calm" }, ben).refused(500, "provider.failed");
      expect(await usageOf(api, ben)).toHaveLength(paid);
      expect(model.requests).toHaveLength(calls);
    },
  );

  it("is 429 once the person has used up their quota", async () => {
    const ben = await api.person();
    await leaveQuota(api.adminUrl, ben, "tone_analysis", 1);
    await analyze({ content: "Calm" }, ben).ok();
    const refused = await analyze({ content: "Calm" }, ben);
    expect(refused).toMatchObject({ status: 429, body: { code: "ai.quota_exhausted" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await analyze({ content: "Calm" }).ok();
  });
});

it("without a model it is 503", async () => {
  const cleo = await plain.person();
  await plain.post("/api/ai/analyze-tone", cleo, { content: "Calm" }).refused(503, "provider.not_configured");
});
