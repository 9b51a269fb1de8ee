import * as z from "zod";
import { AppError, allErrorCodes, type Issue } from "#core/errors";
import { REVIEW_KINDS } from "#core/time/waiting-reviews";
import type { AppContext } from "../services/context.ts";
import { describeFailure } from "../telemetry/logging.ts";
import { jsonResponse } from "./json-response.ts";

/** The maximum number of problems in a response, so that it is never as large as its request. */
const MAX_ISSUES = 20;
const MAX_PATH_LENGTH = 100;
const MAX_MESSAGE_LENGTH = 200;

/** A kind of review whose oldest one has waited for an admin for too long. */
export const WaitingReviewBody = z.object({
  kind: z.enum(REVIEW_KINDS),
  hours: z.int().meta({ description: "Whole hours that the oldest one has waited." }),
});

/** The body of every error response. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: "One short sentence for people. It may change." }),
    code: z.enum(allErrorCodes()).meta({
      description:
        "A stable machine-readable code, such as journal.not_found. New codes may be added; fall back to the HTTP status.",
    }),
    issues: z
      .array(
        z.object({
          path: z
            .string()
            .meta({ description: "Where the problem is, such as `tags.3`; empty for the whole request." }),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: `All problems of a request that did not pass validation, or the first ${MAX_ISSUES}.` }),
    late: z
      .array(z.string())
      .optional()
      .meta({ description: "The names of the late jobs, only with service.jobs_late and service.reviews_waiting." }),
    waiting: z.array(WaitingReviewBody).optional().meta({
      description:
        "Kinds of reviews whose oldest one has waited for an admin for too long, only with service.jobs_late and service.reviews_waiting.",
    }),
  })
  .meta({ id: "Error" });

/** Turns a thrown value into a response. Anything but an `AppError` becomes a plain 500 and is logged. */
export function errorResponse(
  error: unknown,
  c: AppContext,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  const problem = asAppError(error);
  if (problem.status >= 500) {
    const failure = { request_id: c.requestId, failure: describeFailure(problem.cause ?? error) };
    c.services.logger.error(failure, "request failed");
  }
  const body: z.infer<typeof ErrorBody> = {
    error: problem.message,
    code: problem.code,
    ...(problem.issues === undefined ? {} : { issues: problem.issues.slice(0, MAX_ISSUES).map(shortened) }),
    ...(problem.late === undefined ? {} : { late: [...problem.late] }),
    ...(problem.waiting === undefined ? {} : { waiting: [...problem.waiting] }),
  };
  const { retryAfterSeconds } = problem;
  const headers = retryAfterSeconds === undefined ? undefined : { "retry-after": String(retryAfterSeconds) };
  return jsonResponse(c, problem.status, body, { ...headers, ...extraHeaders });
}

/** A path may contain names of fields that the caller made up, and so may a message of zod. */
function shortened({ path, message }: Issue): Issue {
  return { path: cut(path, MAX_PATH_LENGTH), message: cut(message, MAX_MESSAGE_LENGTH) };
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError("service.unexpected", { cause: error });
}
