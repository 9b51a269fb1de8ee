import { AppError, allErrorCodes, type Issue } from "@nectar/core/errors";
import { Uuid } from "@nectar/core/uuid";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { type DescribeRouteOptions, resolver, uniqueSymbol } from "hono-openapi";
import { z } from "zod";
import type { AppContext, AppEnv } from "./context.ts";
import { documented, errorResponse } from "./describe.ts";
import { readJsonBody } from "./request-body.ts";
import { readQuery } from "./request-query.ts";

type Validated<T extends "json" | "query" | "param", Schema extends z.ZodType<object>> = MiddlewareHandler<
  AppEnv,
  string,
  { in: { [K in T]: z.input<Schema> }; out: { [K in T]: z.output<Schema> } }
>;

/**
 * Validates a JSON body. Unknown fields are ignored; every problem is reported at once.
 * @param options `mayBeAbsent`: a request without any body counts as one with an empty object
 */
export function json<Schema extends z.ZodType<object>>(
  schema: Schema,
  { mayBeAbsent = false }: { mayBeAbsent?: boolean } = {},
): Validated<"json", Schema> {
  const handler: MiddlewareHandler<AppEnv> = async (c, next) => {
    const { text, value } = mayBeAbsent && !hasBody(c) ? { text: "", value: {} } : await readJsonBody(c);
    c.set("bodyText", text);
    c.req.addValidatedData("json", check(schema, value));
    await next();
  };
  const documentation: DescribeRouteOptions = {
    requestBody: {
      required: !mayBeAbsent,
      content: { "application/json": { schema: resolver(schema, { io: "input" }) } },
    },
    responses: {
      400: errorResponse("The request is not valid."),
      413: errorResponse("The body is larger than one megabyte."),
      415: errorResponse("The body is not application/json."),
    },
  };
  return documented(documentation, createMiddleware<AppEnv>(handler));
}

/** Validates the query; a parameter may be repeated only where the schema has an array. */
export function query<Schema extends z.ZodObject>(schema: Schema): Validated<"query", Schema> {
  const repeatable = new Set(
    Object.entries(schema.shape)
      .filter(([, field]) => field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodArray)
      .map(([name]) => name),
  );
  const handler: MiddlewareHandler<AppEnv> = async (c, next) => {
    c.req.addValidatedData("query", check(schema, readQuery(c.req.url, repeatable)));
    await next();
  };
  return withParameters("query", schema, handler);
}

/** Validates the parameters of the path. */
export function param<Schema extends z.ZodObject>(schema: Schema): Validated<"param", Schema> {
  const handler: MiddlewareHandler<AppEnv> = async (c, next) => {
    c.req.addValidatedData("param", check(schema, c.req.param()));
    await next();
  };
  return withParameters("param", schema, handler);
}

/** Validates the path parameter `id`. */
export const idParam = param(z.object({ id: Uuid }));

/** Adds the parameters to the reference; the generator adds the answer for those that are not valid. */
function withParameters<Handler extends MiddlewareHandler<AppEnv>>(
  target: "query" | "param",
  schema: z.ZodObject,
  handler: Handler,
): Handler {
  return Object.assign(handler, { [uniqueSymbol]: { ...resolver(schema, { io: "input" }), target, options: {} } });
}

/** Told by the headers, because reading an absent body differs between servers. */
function hasBody(c: AppContext): boolean {
  const length = c.req.header("content-length");
  if (length !== undefined) return length !== "0";
  return c.req.header("content-type") !== undefined || c.req.header("transfer-encoding") !== undefined;
}

function check<Schema extends z.ZodType<object>>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw refusal(result.error.issues);
  return result.data;
}

/** An issue of a schema may name the error that it is, in its `params`; it counts while there are no issues of other kinds. */
const WithError = z.object({ error: z.enum(allErrorCodes()) });

function refusal(problems: readonly z.core.$ZodIssue[]): AppError {
  const issues = problems.map(toIssue);
  const errors = problems.flatMap((problem) =>
    problem.code === "custom" ? (WithError.safeParse(problem.params).data?.error ?? []) : [],
  );
  const [error] = errors;
  if (error === undefined || errors.length < problems.length) return new AppError("request.invalid", { issues });
  return new AppError(error, { issues });
}

function toIssue(issue: z.core.$ZodIssue): Issue {
  return { path: issue.path.map(String).join("."), message: issue.message };
}
