import type { Env, Hono, Schema } from "hono";
import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import { SCHEDULE_SOURCE } from "./scheduled-event.ts";

/**
 * The entry point of a deployed function. An HTTP caller gets every response. The scheduler reads none: a failed job must
 * fail the invocation, or Lambda would neither retry it nor put it into the queue of failed jobs.
 * @returns a handler that throws when a scheduled job responds with anything but 2xx; the message has only path and status
 */
export function lambdaHandler<E extends Env, S extends Schema, BasePath extends string>(app: Hono<E, S, BasePath>) {
  const respond = handle(app);
  return async (event: LambdaEvent, context?: LambdaContext) => {
    const result = await respond(event, context);
    if ("source" in event && event.source === SCHEDULE_SOURCE && (result.statusCode < 200 || result.statusCode > 299)) {
      const path = "rawPath" in event ? event.rawPath : "";
      throw new Error(`The scheduled job at ${path} responded ${result.statusCode}.`);
    }
    return result;
  };
}
