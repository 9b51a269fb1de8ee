import { KEPT_DAYS } from "#core/retention";
import { user } from "#http/access/guards";
import { digest, newSecret } from "#http/access/secrets";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { wakePushes, wakeShares } from "#http/jobs/wake";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import { recordMailResult } from "#notifications/mail";
import { OWNER_ERRORS } from "../errors.ts";
import { readOrganization } from "../organizations.ts";
import { OrganizationId } from "../schema.ts";
import { createInvitation } from "./creating.ts";
import { deleteInvitation, listInvitations, recordSentInvitation } from "./invitations.ts";
import { INVITATION_SUBJECT, sendInvitation } from "./mail.ts";
import { acceptInvitation, declineInvitation, listReceivedInvitations, previewInvitation } from "./received.ts";
import {
  Acceptance,
  AcceptanceResponse,
  CreatedInvitationResponse,
  type Invitation,
  InvitationChoice,
  InvitationParams,
  InvitationPreviewResponse,
  InvitationQuery,
  InvitationsResponse,
  InvitationToken,
  NewInvitation,
  ReceivedInvitationsResponse,
} from "./schema.ts";

const SAME_404 =
  "404 `invitation.not_found` for every invitation that you cannot use, whether it is unknown, revoked, expired, used up or for another address.";

/** Inviting people to an organization, and accepting. */
export const invitationRoutes = [
  endpointInSteps(
    "POST /api/organizations/:id/invitations",
    {
      id: "createInvitation",
      summary: "Invite people to an organization (owner)",
      description:
        "By a link for anyone, or by an address, which gets a mail and whose earlier pending invitation is revoked. The token is returned only once. The mails of invitations count as yours (`POST /api/email/send`); if you have none left, the invitation is created without a mail. 409 for your own address and for one by which a member has joined; any other address is treated alike, whether a member has it or not.",
      guard: user,
      params: { id: OrganizationId },
      body: NewInvitation,
      quota: { name: "invitation", counted: "by the handler" },
      status: 201,
      response: CreatedInvitationResponse,
      errors: [...OWNER_ERRORS, "invitation.unknown_team", "organization.already_a_member"],
      // The token is returned only once.
      stored: ({ invitation }) => ({ body: { invitation: { ...invitation, token: null, url: null } } }),
    },
    async ({ commit, respond, params, body, services, now }) => {
      const token = newSecret(services);
      const { appUrl } = services.config;
      const url = appUrl === null ? null : `${appUrl}/invitations/${token}`;
      const withToken = (created: Invitation) => ({ invitation: { ...created, token, url } });
      const { invitation, mail, organization } = await commit(
        async (tx) => {
          const created = await createInvitation(tx, params.id, body, {
            tokenHash: digest(token).toString("hex"),
            mailSubject: services.email === null ? null : INVITATION_SUBJECT,
            now,
          });
          return { ...created, ...(await readOrganization(tx, params.id)) };
        },
        // The invitation exists, with or without its mail.
        (created) => withToken(created.invitation),
      );
      await wakePushes(services);
      if (mail === null) return withToken(invitation);
      const providerId = await sendInvitation(services, { invitation, mail, url, organization: organization.name });
      return respond(async (tx) => {
        await recordMailResult(tx, mail, providerId);
        if (providerId === null) return withToken(invitation);
        await recordSentInvitation(tx, invitation.id);
        return withToken({ ...invitation, email_status: "sent" });
      });
    },
  ),
  endpoint(
    "GET /api/organizations/:id/invitations",
    {
      id: "listInvitations",
      summary: "List the invitations of an organization (owner)",
      description: `Newest first. Invitations are deleted ${KEPT_DAYS.invitations} days after they expire.`,
      guard: user,
      access: "read",
      replica: "shared",
      params: { id: OrganizationId },
      query: InvitationQuery,
      response: InvitationsResponse,
      errors: OWNER_ERRORS,
    },
    ({ tx, params, query }) => listInvitations(tx, params.id, query),
  ),
  endpoint(
    "DELETE /api/organizations/:id/invitations/:invitationId",
    {
      id: "deleteInvitation",
      summary: "Revoke an invitation (owner)",
      description: "People who have accepted it stay members. Revoking it again changes nothing.",
      guard: user,
      params: InvitationParams.shape,
      response: MessageResponse,
      errors: [...OWNER_ERRORS, "invitation.not_found"],
    },
    async ({ tx, params }) => {
      await deleteInvitation(tx, params.id, params.invitationId);
      return { message: "The invitation was revoked." };
    },
  ),
  endpoint(
    "GET /api/invitations",
    {
      id: "listReceivedInvitations",
      summary: "List the invitations to your address",
      description:
        "The pending ones to your confirmed address, newest first, without those of organizations that you are a member of.",
      guard: user,
      replica: "shared",
      query: PageQuery,
      response: ReceivedInvitationsResponse,
    },
    ({ tx, query }) => listReceivedInvitations(tx, query),
  ),
  endpoint(
    "POST /api/invitations/preview",
    {
      id: "previewInvitation",
      summary: "Read an invitation by its token",
      description: `Changes nothing. ${SAME_404}`,
      guard: user,
      access: "write while closing",
      body: InvitationToken,
      response: InvitationPreviewResponse,
      errors: ["invitation.not_found"],
      // It has no id of its own, and shows the inviter; it is deleted with any invitation of theirs.
      stored: ({ invitation }) => ({ resourceId: invitation.invited_by.id }),
    },
    async ({ tx, body }) => ({ invitation: await previewInvitation(tx, body.token) }),
  ),
  endpoint(
    "POST /api/invitations/accept",
    {
      id: "acceptInvitation",
      summary: "Accept an invitation",
      description: `You join the organization and those teams of the invitation that still exist. If you are a member already, you join missing teams, keep your role, and use nothing up: 200. ${SAME_404}`,
      guard: user,
      body: Acceptance,
      status: "201 or 200",
      response: AcceptanceResponse,
      errors: ["invitation.not_found"],
    },
    async ({ tx, actor, body, services, existed, afterCommit }) => {
      const { joined, isNew } = await acceptInvitation(tx, actor.userId, body);
      afterCommit(() => wakeShares(services));
      if (!isNew) existed();
      return joined;
    },
  ),
  endpoint(
    "POST /api/invitations/decline",
    {
      id: "declineInvitation",
      summary: "Decline an invitation to your address",
      description: "It is not listed for you any more, and the owner sees it as revoked.",
      guard: user,
      body: InvitationChoice,
      response: MessageResponse,
      errors: ["invitation.not_found"],
    },
    async ({ tx, body }) => {
      await declineInvitation(tx, body.invitation_id);
      return { message: "The invitation was declined." };
    },
  ),
];
