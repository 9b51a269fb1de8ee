import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { Card } from "#core/people/card";
import { MailAddress } from "#core/text/mail-address";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { NextCursor, pageFields } from "#http/response/paging";
import { OrganizationId, OrganizationMember } from "../schema.ts";

const MAX_HOURS = 30 * 24;
const MAX_USES = 500;

const Role = z.enum(ENUMS.member_role);
const Status = z.enum(["pending", "accepted", "revoked", "expired"]);
const Time = z.iso.datetime({ precision: 3 });
const InvitationId = Uuid.meta({ description: "The id of the invitation." });
/** A text that is no token at all gets the same 404 as an unknown one. */
const Token = text({ max: 255 }).meta({ description: "The last part of the invitation's `url`." });

export const InvitationParams = z.object({ id: OrganizationId, invitationId: InvitationId });

export const NewInvitation = z
  .object({
    role: Role.default("member"),
    email: MailAddress.optional().meta({
      description:
        "Only this address, in upper or lower case, may accept; it gets a mail. Without it, the url is for anyone.",
    }),
    team_ids: z
      .array(Uuid)
      .max(LENGTHS.invitations.team_ids.max)
      .default([])
      .meta({ description: "Teams of the organization to join as well." }),
    expires_in_hours: z.int().min(1).max(MAX_HOURS).default(168),
    max_uses: z
      .int()
      .min(1)
      .max(MAX_USES)
      .default(1)
      .meta({ description: "How many people may join by it; 1 with `email`." }),
  })
  .refine(({ email, max_uses }) => email === undefined || max_uses === 1, {
    path: ["max_uses"],
    message: "must be 1 with an email",
  })
  .meta({ id: "NewInvitation" });
export type NewInvitation = z.output<typeof NewInvitation>;

export const Invitation = z
  .object({
    id: z.guid(),
    org_id: z.guid(),
    kind: z.enum(["email", "link"]),
    email: z.string().nullable(),
    role: Role,
    team_ids: z.array(z.guid()),
    max_uses: z.int(),
    uses: z.int(),
    status: Status.meta({ description: "accepted: no use is left." }),
    email_status: z.enum(ENUMS.invitation_email_status).nullable().meta({
      description:
        "suppressed: the address gets no mail from here. not_sent: the server sends no mail, sending failed, or you have sent too many. Null for a link.",
    }),
    expires_at: Time,
    invited_by: Card,
    created_at: Time,
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof Invitation>;

const CreatedInvitation = Invitation.extend({
  token: z
    .string()
    .nullable()
    .meta({ description: "Returned only once; null if an Idempotency-Key repeats a request." }),
  url: z.string().nullable().meta({
    description:
      "The page of the app that accepts it; null if the server does not know the app, or if `token` is null.",
  }),
}).meta({ id: "CreatedInvitation" });

export const InvitationPreview = z
  .object({
    organization: z.object({ id: z.guid(), name: z.string(), member_count: z.int() }),
    role: Role,
    invited_by: Card,
    expires_at: Time,
    created_at: Time,
  })
  .meta({ id: "InvitationPreview" });
export type InvitationPreview = z.infer<typeof InvitationPreview>;
const ReceivedInvitation = InvitationPreview.extend({ id: z.guid() }).meta({ id: "ReceivedInvitation" });

export const InvitationQuery = z.object({
  ...pageFields(),
  status: Status.optional().meta({ description: "Only invitations with this status." }),
});
export type InvitationQuery = z.output<typeof InvitationQuery>;

export const InvitationToken = z.object({ token: Token }).meta({ id: "InvitationToken" });
export const InvitationChoice = z.object({ invitation_id: InvitationId }).meta({ id: "InvitationChoice" });
export const Acceptance = z
  .object({ token: Token.optional(), invitation_id: InvitationId.optional() })
  .refine(({ token, invitation_id }) => (token === undefined) !== (invitation_id === undefined), {
    message: "must have either token or invitation_id",
  })
  .meta({ id: "InvitationAcceptance" });
export type Acceptance = z.output<typeof Acceptance>;

export const CreatedInvitationResponse = z.object({ invitation: CreatedInvitation });
export const InvitationsResponse = z.object({ invitations: z.array(Invitation), next_cursor: NextCursor });
export const InvitationPreviewResponse = z.object({ invitation: InvitationPreview });
export const ReceivedInvitationsResponse = z.object({
  invitations: z.array(ReceivedInvitation),
  next_cursor: NextCursor,
});
export const AcceptanceResponse = z.object({
  member: OrganizationMember,
  organization: z.object({ id: z.guid(), name: z.string() }),
  skipped_team_ids: z.array(z.guid()).meta({ description: "Teams of the invitation that were deleted." }),
});
