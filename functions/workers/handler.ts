import { production } from "#http/services/production";
import { queueHandler } from "#lambda/queue-handler";
import { runMessage } from "./run.ts";

const services = production();

/** Entry point of the deployed function. Each queue has its own copy, which subscribes to it. */
export const handler = queueHandler((body) => runMessage(services, body), services.telemetry);
