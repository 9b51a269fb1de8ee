import type { Hono } from "hono";
import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import { production } from "#http/services/production";
import type { Services } from "#http/services/services";
import { compressed } from "./compressed.ts";
import { ROUTER_HEADER, refusal, routerCheck } from "./router-secret.ts";
import { SCHEDULE_SOURCE } from "./scheduled-event.ts";

/**
 * The entry point of a deployed function. A request must come through the router, which sends a secret; the scheduler
 * invokes the function itself. An HTTP caller gets every response. The scheduler reads none: a failed job must fail the
 * invocation, or Lambda would neither retry it nor put it into the queue of failed jobs.
 * @param createApp builds the app of the function's group
 * @returns a handler that throws when a scheduled job responds with anything but 2xx; the message has only path and status
 * @throws Error when ROUTER_SECRET is not set
 */
export function lambdaHandler(createApp: (services: Services) => Hono, services = production()) {
  const { routerSecrets } = services.config;
  if (routerSecrets.length === 0) throw new Error("ROUTER_SECRET: is missing.");
  const cameThroughRouter = routerCheck(routerSecrets);
  const respond = flushing(handle(createApp(services)), services);
  return async (event: LambdaEvent, context?: LambdaContext) => {
    if (!isScheduled(event)) {
      if (!cameThroughRouter(event)) return refusal();
      delete event.headers?.[ROUTER_HEADER];
      return compressed(await respond(event, context), String(event.headers?.["accept-encoding"] ?? ""));
    }
    const result = await respond(event, context);
    if (result.statusCode < 200 || result.statusCode > 299) {
      const path = "rawPath" in event ? event.rawPath : "";
      throw new Error(`The scheduled job at ${path} responded ${result.statusCode}.`);
    }
    return result;
  };
}

/** Lambda freezes a function after its response, so the spans are sent before it. */
function flushing(respond: ReturnType<typeof handle>, { telemetry }: Services): ReturnType<typeof handle> {
  if (telemetry === null) return respond;
  return async (event, context) => {
    const result = await respond(event, context);
    await telemetry.flush();
    return result;
  };
}

/** Whether the scheduler sent the event. An HTTP caller controls path, headers and body, but not this field. */
function isScheduled(event: LambdaEvent): boolean {
  return "source" in event && event.source === SCHEDULE_SOURCE;
}
