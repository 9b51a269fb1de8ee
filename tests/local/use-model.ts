import { beforeEach } from "vitest";
import { AppError } from "#core/errors";
import { type ModelStandIn, startModel } from "#local/stand-ins/model";
import { type AiProvider, type OpenAiOptions, openAi } from "#providers/ai";
import { PRICES } from "#tests/models";

/**
 * A stand-in for the model and our provider over it, new for each test: a request that timed out may still reach the server
 * later, and must not count in another test.
 */
export function useModel() {
  let model: ModelStandIn | undefined;
  beforeEach(async () => {
    model = await startModel();
    return model.stop;
  });
  const current = (): ModelStandIn => {
    if (model === undefined) throw new Error("The model exists only inside hooks and tests.");
    return model;
  };
  const providerOf = (options: Partial<OpenAiOptions> = {}): AiProvider =>
    openAi({
      apiKey: "local-key",
      baseUrl: current().url,
      textModel: "gpt-6-luna",
      reasoningEffort: "none",
      imageModel: "gpt-image-2.5-flare",
      prices: PRICES,
      ...options,
    });
  return {
    providerOf,
    get model() {
      return current();
    },
    get ai() {
      return providerOf();
    },
  };
}

/** The AppError that a call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<AppError> {
  const ended = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(ended instanceof AppError)) throw new Error(`Expected an AppError, got ${String(ended)}`);
  return ended;
}

/** Everything an error says, with what caused it. */
export function textOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${error.stack ?? ""} ${textOf(error.cause)}` : "";
}
