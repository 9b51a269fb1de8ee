import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { NextCursor, pageFields } from "#http/response/paging";
import { PlayerCard } from "../schema.ts";

/** Members on one page. With names and picture addresses of maximum length they take 5 MB; a response may have 6 MB. */
export const MAX_PAGE = 1_500;

export const AdminTeamsQuery = z.object(pageFields({ default: MAX_PAGE, max: MAX_PAGE }));
export type AdminTeamsQuery = z.output<typeof AdminTeamsQuery>;

const TeamMember = z.object({
  userId: z.guid(),
  fullName: z.string().nullable(),
  isAi: z.boolean().meta({ description: "Whether this is a synthetic user." }),
  squadId: z.guid().nullable().meta({ description: "null if the member has no squad on this date." }),
  status: z.enum(ENUMS.day_state),
});
export type TeamMember = z.infer<typeof TeamMember>;

const TeamSquad = z.object({
  id: z.guid(),
  user1: PlayerCard.nullable(),
  user2: PlayerCard.nullable(),
  user3: PlayerCard.nullable(),
});

/** A team of a date as super admins see it. */
const AdminTeam = z
  .object({
    members: z.array(TeamMember),
    squads: z.array(TeamSquad).meta({ description: "A squad is on the same page as its first member." }),
    realUsers: z.int().meta({ description: "Members who are people, over all pages." }),
    aiUsers: z.int().meta({ description: "Members who are synthetic users, over all pages." }),
  })
  .meta({ id: "AdminTeam" });
export type AdminTeam = z.infer<typeof AdminTeam>;

export const AdminTeamsResponse = z.object({
  date: z.iso.date(),
  redTeam: AdminTeam,
  blueTeam: AdminTeam,
  summary: z
    .object({ totalMembers: z.int(), realUsers: z.int(), aiUsers: z.int(), squads: z.int() })
    .meta({ description: "Counts over both teams and all pages." }),
  nextCursor: NextCursor,
});
export type AdminTeamsResponse = z.infer<typeof AdminTeamsResponse>;
