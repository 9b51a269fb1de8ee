import { AppError } from "@nectar/core/errors";
import { type ModelStandIn, startModel } from "@nectar/local/stand-ins/model";
import { type AiProvider, openAi } from "@nectar/providers/ai";
import { afterAll, afterEach } from "vitest";

/** The stand-in for the model, for the calling test file, and our provider over it. */
export async function useModel() {
  const model: ModelStandIn = await startModel();
  afterEach(() => {
    model.mode("normal");
    model.requests.length = 0;
  });
  afterAll(() => model.stop());
  const providerOf = (options: { baseUrl?: string; imageModel?: string } = {}): AiProvider =>
    openAi({ apiKey: "local-key", baseUrl: model.url, textModel: "gpt-4o-mini", imageModel: "dall-e-3", ...options });
  return { model, ai: providerOf(), providerOf };
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
