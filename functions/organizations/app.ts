import { HAND_BACK_DAYS } from "#core/retention";
import { user } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { wakePushes, wakeShares } from "#http/jobs/wake";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import type { Services } from "#http/services/services";
import { OWNER_ERRORS, READER_ERRORS } from "./errors.ts";
import { invitationRoutes } from "./invitations/routes.ts";
import { acceptMembership, addMember, listMembers, removeMember, updateMember } from "./members.ts";
import {
  createOrganization,
  declineOrganization,
  deleteOrganization,
  listOrganizations,
  readOrganization,
  transferOrganization,
  updateOrganization,
} from "./organizations.ts";
import {
  DeclinedResponse,
  MemberParams,
  MemberResponse,
  MembersResponse,
  MemberUpdate,
  NewMember,
  NewOrganization,
  OrganizationId,
  OrganizationResponse,
  OrganizationsResponse,
  OrganizationUpdate,
  OrganizationWithRoleResponse,
  Transfer,
} from "./schema.ts";

/** Organizations, their members and their owner, and invitations. */
export function organizationsApp(services: Services) {
  return groupApp(services, "organizations", [
    endpoint(
      "GET /api/organizations",
      {
        id: "listOrganizations",
        summary: "List your organizations",
        description: "Newest first.",
        guard: user,
        replica: "shared",
        query: PageQuery,
        response: OrganizationsResponse,
      },
      ({ tx, query }) => listOrganizations(tx, query),
    ),
    endpoint(
      "GET /api/organizations/:id",
      {
        id: "readOrganization",
        summary: "Read an organization",
        guard: user,
        access: "read",
        replica: "shared",
        params: { id: OrganizationId },
        response: OrganizationWithRoleResponse,
        errors: READER_ERRORS,
      },
      ({ tx, params }) => readOrganization(tx, params.id),
    ),
    endpoint(
      "POST /api/organizations",
      {
        id: "createOrganization",
        summary: "Create an organization",
        guard: user,
        body: NewOrganization,
        status: 201,
        response: OrganizationResponse,
      },
      async ({ tx, body }) => ({ organization: await createOrganization(tx, body) }),
    ),
    endpoint(
      "PUT /api/organizations/:id",
      {
        id: "updateOrganization",
        summary: "Update an organization (owner)",
        guard: user,
        params: { id: OrganizationId },
        body: OrganizationUpdate,
        response: OrganizationResponse,
        errors: OWNER_ERRORS,
      },
      async ({ tx, params, body }) => ({ organization: await updateOrganization(tx, params.id, body) }),
    ),
    endpoint(
      "DELETE /api/organizations/:id",
      {
        id: "deleteOrganization",
        summary: "Delete an organization (owner)",
        guard: user,
        params: { id: OrganizationId },
        response: MessageResponse,
        errors: OWNER_ERRORS,
      },
      async ({ tx, params, afterCommit }) => {
        await deleteOrganization(tx, params.id);
        afterCommit(() => wakeShares(services));
        return { message: "The organization was deleted." };
      },
    ),
    endpoint(
      "GET /api/organizations/:id/members",
      {
        id: "listOrganizationMembers",
        summary: "List the members of an organization",
        guard: user,
        access: "read",
        replica: "shared",
        params: { id: OrganizationId },
        query: PageQuery,
        response: MembersResponse,
        errors: READER_ERRORS,
      },
      ({ tx, params, query }) => listMembers(tx, params.id, query),
    ),
    endpoint(
      "POST /api/organizations/:id/members",
      {
        id: "addOrganizationMember",
        summary: "Add a member to an organization (owner)",
        description: "The new member is notified.",
        guard: user,
        params: { id: OrganizationId },
        body: NewMember,
        quota: "member_add",
        status: 201,
        response: MemberResponse,
        errors: [...OWNER_ERRORS, "organization.use_transfer", "user.not_found", "organization.already_a_member"],
      },
      async ({ tx, params, body, afterCommit }) => {
        const member = await addMember(tx, params.id, body);
        afterCommit(() => wakePushes(services));
        afterCommit(() => wakeShares(services));
        return { member };
      },
    ),
    endpoint(
      "POST /api/organizations/:id/accept",
      {
        id: "acceptOrganizationMembership",
        summary: "Accept your membership of an organization",
        description:
          "You are a member even before you accept. If the server allows email to members only, other members can email you once you have accepted, created something in the organization or shared something with it.",
        guard: user,
        params: { id: OrganizationId },
        response: MemberResponse,
        errors: [...READER_ERRORS, "member.not_found"],
      },
      async ({ tx, actor, params }) => ({ member: await acceptMembership(tx, params.id, actor.userId) }),
    ),
    endpoint(
      "PUT /api/organizations/:id/members/:userId",
      {
        id: "updateOrganizationMember",
        summary: "Change the role of an organization member (owner)",
        guard: user,
        params: MemberParams.shape,
        body: MemberUpdate,
        response: MemberResponse,
        errors: [...OWNER_ERRORS, "organization.use_transfer", "member.not_found", "user.not_found"],
      },
      async ({ tx, params, body }) => ({ member: await updateMember(tx, params.id, params.userId, body.role) }),
    ),
    endpoint(
      "DELETE /api/organizations/:id/members/:userId",
      {
        id: "removeOrganizationMember",
        summary: "Remove a member from an organization, or leave it",
        description: "The owner can remove members; every other member can leave.",
        guard: user,
        params: MemberParams.shape,
        response: MessageResponse,
        errors: [...OWNER_ERRORS, "member.not_found", "organization.owner_cannot_leave"],
      },
      async ({ tx, actor, params, afterCommit }) => {
        await removeMember(tx, params.id, params.userId, actor.userId);
        afterCommit(() => wakeShares(services));
        return { message: "The member was removed." };
      },
    ),
    endpoint(
      "POST /api/organizations/:id/transfer-ownership",
      {
        id: "transferOrganization",
        summary: "Transfer the ownership of an organization (owner)",
        description: `Takes effect immediately. The new owner is notified, and can hand it back for ${HAND_BACK_DAYS} days. 404 for people with a block between you.`,
        guard: user,
        params: { id: OrganizationId },
        body: Transfer,
        response: OrganizationResponse,
        errors: [...OWNER_ERRORS, "organization.not_a_member", "organization.already_owner", "user.not_found"],
      },
      async ({ tx, params, body, afterCommit }) => {
        const organization = await transferOrganization(tx, params.id, body.new_owner_id);
        afterCommit(() => wakePushes(services));
        return { organization };
      },
    ),
    endpoint(
      "POST /api/organizations/:id/decline-ownership",
      {
        id: "declineOrganization",
        summary: "Hand an organization back that you received (owner)",
        description: `Within ${HAND_BACK_DAYS} days. It goes back to the former owner, or, if they are no longer a member, to the person who has been one for the longest time; you stay a member with the role that you had before. If there is no one else, it is deleted, and the response is a \`message\`.`,
        guard: user,
        params: { id: OrganizationId },
        response: DeclinedResponse,
        errors: [...OWNER_ERRORS, "organization.not_received"],
      },
      async ({ tx, params, afterCommit }) => {
        const organization = await declineOrganization(tx, params.id);
        afterCommit(() => wakePushes(services));
        afterCommit(() => wakeShares(services));
        return organization === null ? { message: "The organization was deleted." } : { organization };
      },
    ),
    ...invitationRoutes,
  ]);
}
