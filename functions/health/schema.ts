import * as z from "zod";

export const HealthResponse = z.object({ status: z.literal("ok"), timestamp: z.iso.datetime({ precision: 3 }) });
