import * as z from "zod";

/** The response of a health check. */
export const HealthResponse = z.object({ status: z.literal("ok"), timestamp: z.iso.datetime({ precision: 3 }) });
