import { readConfig } from "#config/config";
import { runMessage } from "#functions/workers/run";
import { servicesFor } from "#http/services/services-for";
import { queueHandler } from "#lambda/queue-handler";
import { subscribe } from "./subscriber.ts";

/** A worker in a process of its own: does the tasks of a queue as the deployed function does, until it is killed. */
const [, , queueUrl = "", moment = ""] = process.argv;
const ahead = Date.parse(moment) - Date.now();
const clock = { now: () => new Date(Date.now() + ahead) };
// Secrets of the local stand-ins are refused by the function itself only.
const services = servicesFor(readConfig(process.env), { clock });

await subscribe(
  queueUrl,
  queueHandler((body) => runMessage(services, body)),
  () => false,
);
