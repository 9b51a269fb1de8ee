import { afterAll, beforeEach } from "vitest";
import { imageCostUsd, type Prices, textCostUsd } from "#core/money/pricing";
import { type ModelStandIn, startModel } from "#local/stand-ins/model";
import type { AiProvider } from "#providers/ai";
import type { TestApi } from "./api.ts";
import { asSuperuser, type Person } from "./people.ts";

/** The environment of an API that asks the stand-in, which stops with the test file. */
export async function useModel(): Promise<ModelStandIn & { environment: Record<string, string> }> {
  const model = await startModel();
  afterAll(() => model.stop());
  beforeEach(() => {
    model.mode("normal");
    model.requests.length = 0;
  });
  return { ...model, environment: { AI_PROVIDER_API_KEY: "key-of-the-tests", AI_PROVIDER_BASE_URL: model.url } };
}

/** The services of an API, whose model does something else before each call. */
export function servicesMeanwhile({ services }: TestApi, happening: () => Promise<unknown>): TestApi["services"] {
  const { ai } = services;
  if (ai === null) throw new Error("There is no model.");
  const delayed: AiProvider = {
    ...ai,
    async complete(request) {
      await happening();
      return ai.complete(request);
    },
    async draw(request) {
      await happening();
      return ai.draw(request);
    },
  };
  return { ...services, ai: delayed };
}

/** The specification's prices, whatever the models are called. */
export const PRICES: Prices = { textInput: 150_000, textOutput: 600_000, image: 40_000, hdImage: 80_000 };

/** Cost of recorded tokens of a text model in US dollars. */
export function textCost(usage: Record<string, unknown> | undefined): string {
  return textCostUsd(PRICES, Number(usage?.input_tokens), Number(usage?.output_tokens));
}

/** Costs of the stand-in's drawings in US dollars, one by one. */
export function drawingCosts({ requests }: Pick<ModelStandIn, "requests">, quality: "standard" | "hd"): string[] {
  return requests.flatMap((request) => {
    return request.kind === "image" ? [imageCostUsd(PRICES, quality)] : [];
  });
}

/** Recorded usage of models for a person, oldest first. */
export function usageOf(api: TestApi, person: Person): Promise<Record<string, unknown>[]> {
  return asSuperuser(api.adminUrl, async (client) => {
    const { rows } = await client.query(
      `select usage_type, model, input_tokens, output_tokens, image_count, image_quality, cost_usd, reference_type, reference_id
       from nectar.token_usage where user_id = $1 and has_reply order by created_at, id`,
      [person.id],
    );
    return rows;
  });
}
