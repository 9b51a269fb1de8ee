import * as z from "zod";
import { JobResponse } from "#http/jobs/jobs";
import { GameDate } from "../schema.ts";

export const GenerateChainsRequest = z.object({
  date: GameDate.optional().meta({
    description: "A game date. By default today in your time zone; for the scheduler today and tomorrow (UTC).",
  }),
});
export type GenerateChainsRequest = z.infer<typeof GenerateChainsRequest>;

export const GenerateChainsResponse = z.object({
  success: z.boolean(),
  message: z.string(),
  date: z.iso.date(),
  chainsCreated: z.int().meta({ description: "Players of your area who were newly matched by this call." }),
  squadsCreated: z.int().meta({ description: "Squads that were created by this call." }),
});
export type GenerateChainsResponse = z.infer<typeof GenerateChainsResponse>;

export const ChainsJobResponse = JobResponse.extend({
  today: z.iso.date().meta({ description: "By the UTC calendar." }),
  tomorrow: z.iso.date().meta({ description: "By the UTC calendar." }),
}).meta({
  id: "ChainsJobResponse",
});
export type ChainsJobResponse = z.infer<typeof ChainsJobResponse>;
