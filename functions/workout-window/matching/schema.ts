import { JobResponse } from "@nectar/http/jobs";
import { z } from "zod";
import { GameDate } from "../schema.ts";

/** The body of a run. */
export const RunOf = z.object({ date: GameDate.optional() });
export type RunOf = z.infer<typeof RunOf>;

/** What a person's run did. */
export const ChainsGenerated = z.object({
  success: z.boolean(),
  message: z.string(),
  date: z.iso.date(),
  chainsCreated: z.int().meta({ description: "Players of the caller's place who were not matched before." }),
  squadsCreated: z.int(),
});
export type ChainsGenerated = z.infer<typeof ChainsGenerated>;

/** What the scheduled run did. */
export const ChainsJobResponse = JobResponse.extend({ today: z.iso.date(), tomorrow: z.iso.date() }).meta({
  id: "ChainsJobResponse",
});
export type ChainsJobResponse = z.infer<typeof ChainsJobResponse>;
