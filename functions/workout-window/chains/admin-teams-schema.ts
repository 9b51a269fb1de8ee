import { NextCursor, pageFields } from "@nectar/http/paging";
import { z } from "zod";
import { PlayerCard } from "../schema.ts";

/** Members on one page: with the longest names and addresses of pictures they are five megabytes; an answer can have six. */
const MAX_PAGE = 1_500;

/** The query of a date's teams. */
export const AdminTeamsQuery = z.object(pageFields({ default: MAX_PAGE, max: MAX_PAGE }));
export type AdminTeamsQuery = z.output<typeof AdminTeamsQuery>;

const TeamMember = z.object({
  userId: z.guid(),
  fullName: z.string().nullable(),
  isAi: z.boolean(),
  squadId: z.guid().nullable(),
  status: z.enum(["not_started", "pending", "completed", "failed"]),
});
export type TeamMember = z.infer<typeof TeamMember>;

const TeamSquad = z.object({
  id: z.guid(),
  user1: PlayerCard.nullable(),
  user2: PlayerCard.nullable(),
  user3: PlayerCard.nullable(),
});
export type TeamSquad = z.infer<typeof TeamSquad>;

/** A team of a date as super admins see it. */
const AdminTeam = z
  .object({
    members: z.array(TeamMember),
    squads: z.array(TeamSquad),
    realUsers: z.int(),
    aiUsers: z.int(),
  })
  .meta({ id: "AdminTeam" });
export type AdminTeam = z.infer<typeof AdminTeam>;

export const AdminTeamsResponse = z.object({
  date: z.iso.date(),
  redTeam: AdminTeam,
  blueTeam: AdminTeam,
  summary: z
    .object({ totalMembers: z.int(), realUsers: z.int(), aiUsers: z.int(), squads: z.int() })
    .meta({ description: "Over all pages, as are the counts of the teams." }),
  nextCursor: NextCursor,
});
export type AdminTeamsResponse = z.infer<typeof AdminTeamsResponse>;
