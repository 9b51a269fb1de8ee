import { queueHandler } from "@nectar/deploy/queue-handler";
import { production } from "@nectar/http/production";
import { runMessage } from "./run.ts";

const services = production();

/** Entry point of the deployed function, which subscribes to the queue. */
export const handler = queueHandler((body) => runMessage(services, body), services.telemetry);
