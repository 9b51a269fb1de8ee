import { AppError, allErrorCodes } from "@nectar/core/errors";
import type { Context } from "hono";
import { z } from "zod";
import { answer } from "./answer.ts";
import type { AppEnv } from "./context.ts";
import { describeFailure } from "./logging.ts";

/** The body of every answer that is an error. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: "One short sentence for a person." }),
    code: z.enum(allErrorCodes()).meta({
      description:
        "Stable machine-readable code, such as journal.not_found. There will be more: treat others by status.",
    }),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "Every problem of the request, when it did not pass validation." }),
  })
  .meta({ id: "Error" });

/** Turns whatever was thrown into an answer; what is not meant for the caller becomes a plain 500 and is logged. */
export function answerError(
  error: unknown,
  c: Context<AppEnv>,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  const problem = asAppError(error);
  if (problem.status >= 500) {
    const { services, requestId } = c.var;
    services.logger.error(
      { request_id: requestId, failure: describeFailure(problem.cause ?? error) },
      "request failed",
    );
  }
  const body: z.infer<typeof ErrorBody> = {
    error: problem.message,
    code: problem.code,
    ...(problem.issues === undefined ? {} : { issues: [...problem.issues] }),
  };
  const { retryAfterSeconds } = problem;
  const headers = retryAfterSeconds === undefined ? undefined : { "retry-after": String(retryAfterSeconds) };
  return answer(c, problem.status, body, { ...headers, ...extraHeaders });
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError("service.unexpected", { cause: error });
}
