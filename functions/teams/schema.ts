import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { GroupName, OPTIONAL_GROUP_FIELDS } from "#core/text/group-fields";
import { Uuid } from "#core/text/uuid";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { NextCursor, pageFields } from "#http/response/paging";
import { MessageId, TeamMessage } from "#messages/schema";

export const TeamId = Uuid.meta({ description: "The id of the team." });

export const Team = z
  .object({
    id: z.guid(),
    name: z.string(),
    description: z.string().nullable(),
    org_id: z.guid().meta({ description: "The organization of the team." }),
    admin_id: z.guid().meta({ description: "The primary admin." }),
    settings: z.record(z.string(), z.unknown()).meta({ description: "Any JSON object that clients store here." }),
    organizations: z
      .object({ id: z.guid(), name: z.string() })
      .meta({ description: "The organization of the team (one, despite the name)." }),
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Team" });
export type Team = z.infer<typeof Team>;

export const TeamMember = z
  .object({
    user_id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    role: z.enum(ENUMS.member_role),
    is_admin: z.boolean().meta({ description: "Whether role is `admin`." }),
    joined_at: z.iso.datetime({ precision: 3 }).optional().meta({ description: "Absent for the primary admin." }),
  })
  .meta({ id: "TeamMember" });
export type TeamMember = z.infer<typeof TeamMember>;

export const NewTeam = z
  .object({
    name: GroupName,
    org_id: Uuid,
    admin_id: Uuid.nullish().meta({
      description:
        "The primary admin, a member of the organization; you by default. Required from a super admin who is not a member.",
    }),
    ...OPTIONAL_GROUP_FIELDS,
  })
  .meta({ id: "NewTeam" });
export type NewTeam = z.output<typeof NewTeam>;

export const TeamUpdate = atLeastOneField(
  z.object({
    name: GroupName.optional(),
    admin_id: Uuid.optional().meta({ description: "The new primary admin, a member of the organization." }),
    ...OPTIONAL_GROUP_FIELDS,
  }),
).meta({ id: "TeamUpdate" });
export type TeamUpdate = z.output<typeof TeamUpdate>;

const Role = z.enum(ENUMS.member_role);

export const NewMember = z
  .object({
    user_id: Uuid.meta({ description: "A member of the organization." }),
    role: Role.default("member"),
  })
  .meta({ id: "NewTeamMember" });
export type NewMember = z.output<typeof NewMember>;
export const MemberUpdate = z.object({ role: Role }).meta({ id: "TeamMemberUpdate" });

export const TeamQuery = z.object({
  ...pageFields(),
  org_id: Uuid.optional().meta({ description: "Only teams of this organization." }),
});
export type TeamQuery = z.output<typeof TeamQuery>;
export const MemberParams = z.object({
  id: TeamId,
  userId: Uuid.meta({ description: "The id of the member." }),
});

export const TeamMessageParams = z.object({ id: TeamId, messageId: MessageId });

export const TeamMessageResponse = z.object({ team_message: TeamMessage });
export const TeamMessagesResponse = z.object({ team_messages: z.array(TeamMessage), next_cursor: NextCursor });
export const TeamResponse = z.object({ team: Team });
export const TeamWithRoleResponse = z.object({
  team: Team,
  user_role: Role.nullable().meta({ description: "Your role in the team; null if you are not a member." }),
});
export const TeamsResponse = z.object({ teams: z.array(Team), next_cursor: NextCursor });
export const MemberResponse = z.object({ member: TeamMember });
export const MembersResponse = z.object({ members: z.array(TeamMember), next_cursor: NextCursor });
