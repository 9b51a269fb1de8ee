import { json } from "node:stream/consumers";
import * as z from "zod";
import { readConfig } from "#config/config";
import { allApps } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { buildReference } from "./reference.ts";

/**
 * Prints the OpenAPI document; the limits of the quotas come as JSON on standard input. The apps are only read, never
 * called, so any configuration will do.
 */
const Limits = z.array(z.object({ name: z.string(), max: z.number(), period: z.string() }));
const limits = Limits.parse(await json(process.stdin));
const services = servicesFor(readConfig({ DATABASE_URL: "postgres://unused", SUPABASE_URL: "http://unused.invalid" }));
const reference = buildReference(allApps(services), new Map(limits.map((limit) => [limit.name, limit])));
process.stdout.write(`${JSON.stringify(reference, null, 2)}\n`);
await services.database.close();
