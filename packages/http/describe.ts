import type { ErrorStatus } from "@nectar/core/errors";
import type { MiddlewareHandler } from "hono";
import { type DescribeRouteOptions, describeRoute, resolver, uniqueSymbol } from "hono-openapi";
import type { z } from "zod";
import type { AppEnv } from "./context.ts";
import { ErrorBody } from "./problem.ts";

type ResponseSpec = NonNullable<DescribeRouteOptions["responses"]>[string];

/** What the reference says about a route. */
export interface RouteDescription {
  readonly summary: string;
  readonly description?: string;
  /** Status of the successful answer; 200 unless given. */
  readonly status?: 200 | 201;
  readonly response: z.ZodType;
  /** Statuses of errors beyond those that guards and validators of the route document themselves. */
  readonly errors?: readonly ErrorStatus[];
}

const MEANINGS: Readonly<Record<ErrorStatus, string>> = {
  400: "The request is not valid.",
  401: "No token, or one that is not good.",
  402: "It costs more drops than there are.",
  403: "Signed in, but not allowed.",
  404: "Not existing, or not visible to the caller.",
  405: "The address does not take that method.",
  409: "Conflicts with the current state.",
  413: "The request is too large.",
  415: "Not a media type that this address takes.",
  429: "Too many for now; Retry-After says when to try again.",
  500: "Something went wrong on our side.",
  503: "The service cannot answer at the moment.",
};

/** Describes a route where it is declared; the reference is generated from this. */
export function describe(route: RouteDescription): MiddlewareHandler<AppEnv> {
  const { status = 200 } = route;
  const responses: Record<string, ResponseSpec> = {
    [status]: {
      description: status === 201 ? "Created." : "Success.",
      content: { "application/json": { schema: resolver(route.response) } },
    },
  };
  for (const error of route.errors ?? []) responses[error] = errorResponse(MEANINGS[error]);
  return describeRoute({
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    responses,
  });
}

/** How an error looks in the reference. */
export function errorResponse(description: string): ResponseSpec {
  return { description, content: { "application/json": { schema: resolver(ErrorBody) } } };
}

/** A middleware that brings its own part of the reference to every route that uses it. */
export function documented<Handler extends MiddlewareHandler<AppEnv>>(
  spec: DescribeRouteOptions,
  handler: Handler,
): Handler {
  return Object.assign(handler, { [uniqueSymbol]: { spec } });
}
