import * as z from "zod";
import { WaitingReviewBody } from "#http/response/error-response";

export const JobsHealthResponse = z.object({
  status: z.literal("ok"),
  late: z.array(z.string()).meta({ description: "Empty: if jobs are late, the status is 503." }),
  waiting: z
    .array(WaitingReviewBody)
    .meta({ description: "Empty: if a review has waited for too long, the status is 503." }),
});
export const HealthResponse = z.object({ status: z.literal("ok"), timestamp: z.iso.datetime({ precision: 3 }) });
