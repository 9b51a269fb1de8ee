import * as z from "zod";

export const JobsHealthResponse = z.object({
  status: z.literal("ok"),
  late: z.array(z.string()).meta({ description: "Empty: if jobs are late, the status is 503." }),
});
export const HealthResponse = z.object({ status: z.literal("ok"), timestamp: z.iso.datetime({ precision: 3 }) });
