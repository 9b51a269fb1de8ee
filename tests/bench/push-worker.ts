import { readConfig } from "#config/config";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { deliverPushes } from "#notifications/deliver";

/** Delivers all that is due as the only worker, and prints the milliseconds of its processor time from the first claim on. */
const services = servicesFor(readConfig(process.env), { logger: createLogger("error") });
const alone = { ...services, queue: { send: async () => undefined } };
const before = process.cpuUsage();
await deliverPushes(alone, 600_000);
const { user, system } = process.cpuUsage(before);
await services.database.close();
process.stdout.write(`\n${(user + system) / 1_000}\n`, () => process.exit());
