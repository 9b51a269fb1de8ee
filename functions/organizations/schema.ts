import * as z from "zod";
import { GroupName, OPTIONAL_GROUP_FIELDS } from "#core/text/group-fields";
import { Uuid } from "#core/text/uuid";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { MessageResponse } from "#http/response/message";
import { NextCursor } from "#http/response/paging";

export const OrganizationId = Uuid.meta({ description: "The id of the organization." });

export const Organization = z
  .object({
    id: z.guid(),
    name: z.string(),
    description: z.string().nullable(),
    owner_id: z.guid(),
    settings: z.record(z.string(), z.unknown()).meta({ description: "Any JSON object that clients store here." }),
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Organization" });
export type Organization = z.infer<typeof Organization>;

export const OrganizationMember = z
  .object({
    user_id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    role: z.enum(["owner", "admin", "member"]),
    is_owner: z.boolean().meta({ description: "Whether role is `owner`." }),
    joined_at: z.iso.datetime({ precision: 3 }).optional().meta({ description: "Absent for the owner." }),
  })
  .meta({ id: "OrganizationMember" });
export type OrganizationMember = z.infer<typeof OrganizationMember>;

export const NewOrganization = z.object({ name: GroupName, ...OPTIONAL_GROUP_FIELDS }).meta({ id: "NewOrganization" });
export type NewOrganization = z.output<typeof NewOrganization>;

export const OrganizationUpdate = atLeastOneField(
  z.object({ name: GroupName.optional(), ...OPTIONAL_GROUP_FIELDS }),
).meta({
  id: "OrganizationUpdate",
});
export type OrganizationUpdate = z.output<typeof OrganizationUpdate>;

/** `owner` is a known role, but only a transfer of the ownership can assign it. */
const Role = z.enum(["owner", "admin", "member"]);
const GRANTABLE = "`admin` or `member`. To make someone the owner, transfer the ownership.";

export const NewMember = z
  .object({ user_id: Uuid, role: Role.default("member").meta({ description: GRANTABLE }) })
  .meta({ id: "NewOrganizationMember" });
export type NewMember = z.output<typeof NewMember>;
export const MemberUpdate = z
  .object({ role: Role.meta({ description: GRANTABLE }) })
  .meta({ id: "OrganizationMemberUpdate" });
export const Transfer = z
  .object({ new_owner_id: Uuid.meta({ description: "A member of the organization." }) })
  .meta({ id: "OwnershipTransfer" });

export const MemberParams = z.object({
  id: OrganizationId,
  userId: Uuid.meta({ description: "The id of the member." }),
});

export const OrganizationResponse = z.object({ organization: Organization });
export const DeclinedResponse = z.union([OrganizationResponse, MessageResponse]);
export const OrganizationWithRoleResponse = z.object({
  organization: Organization,
  user_role: Role.nullable().meta({
    description: "Your role in the organization; null for a super admin who is not a member.",
  }),
});
export const OrganizationsResponse = z.object({ organizations: z.array(Organization), next_cursor: NextCursor });
export const MemberResponse = z.object({ member: OrganizationMember });
export const MembersResponse = z.object({ members: z.array(OrganizationMember), next_cursor: NextCursor });
