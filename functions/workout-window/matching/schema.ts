import { JobResponse } from "@nectar/http/jobs";
import { z } from "zod";
import { GameDate } from "../schema.ts";

/** The body of a run. */
export const GenerateChainsRequest = z.object({ date: GameDate.optional() });
export type GenerateChainsRequest = z.infer<typeof GenerateChainsRequest>;

/** What a person's run did. */
export const GenerateChainsResponse = z.object({
  success: z.boolean(),
  message: z.string(),
  date: z.iso.date(),
  chainsCreated: z.int().meta({ description: "Players of the caller's place who were not matched before." }),
  squadsCreated: z.int(),
});
export type GenerateChainsResponse = z.infer<typeof GenerateChainsResponse>;

/** What the scheduled run did. */
export const ChainsJobResponse = JobResponse.extend({ today: z.iso.date(), tomorrow: z.iso.date() }).meta({
  id: "ChainsJobResponse",
});
export type ChainsJobResponse = z.infer<typeof ChainsJobResponse>;
