import { user } from "#http/access/guards";
import { endpoint } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { wakePushes, wakeShares } from "#http/jobs/wake";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import type { Services } from "#http/services/services";
import { NewTeamMessage } from "#messages/schema";
import { addMember, listMembers, removeMember, updateMember } from "./members.ts";
import { deleteTeamMessage, listTeamMessages, sendTeamMessage } from "./messages.ts";
import {
  MemberParams,
  MemberResponse,
  MembersResponse,
  MemberUpdate,
  NewMember,
  NewTeam,
  TeamId,
  TeamMessageParams,
  TeamMessageResponse,
  TeamMessagesResponse,
  TeamQuery,
  TeamResponse,
  TeamsResponse,
  TeamUpdate,
  TeamWithRoleResponse,
} from "./schema.ts";
import { createTeam, deleteTeam, listTeams, readTeam, updateTeam } from "./teams.ts";

/** Errors of reading a team. */
const READER_ERRORS = ["team.not_a_reader", "team.not_found"] as const;
/** Errors of what only members may do. */
const MEMBER_ERRORS = [...READER_ERRORS, "team.not_a_member"] as const;
/** Errors of what only team admins may do. */
const ADMIN_ERRORS = [...READER_ERRORS, "team.not_an_admin"] as const;

/** Teams inside organizations, their members and their messages. */
export function teamsApp(services: Services) {
  return groupApp(services, "teams", [
    endpoint(
      "GET /api/teams",
      {
        id: "listTeams",
        summary: "List the teams of your organizations",
        description: "Newest first.",
        guard: user,
        access: "read",
        replica: "shared",
        query: TeamQuery,
        response: TeamsResponse,
        errors: ["organization.not_a_reader", "organization.not_found"],
      },
      ({ tx, query }) => listTeams(tx, query),
    ),
    endpoint(
      "GET /api/teams/:id",
      {
        id: "readTeam",
        summary: "Read a team",
        guard: user,
        access: "read",
        replica: "shared",
        params: { id: TeamId },
        response: TeamWithRoleResponse,
        errors: READER_ERRORS,
      },
      ({ tx, params }) => readTeam(tx, params.id),
    ),
    endpoint(
      "POST /api/teams",
      {
        id: "createTeam",
        summary: "Create a team (organization member)",
        guard: user,
        body: NewTeam,
        quota: { name: "member_add", counted: "by the handler" },
        status: 201,
        response: TeamResponse,
        errors: [
          "team.not_an_organization_member",
          "team.admin_required",
          "organization.not_a_reader",
          "user.not_found",
          "organization.not_found",
        ],
      },
      async ({ tx, actor, body }) => ({ team: await createTeam(tx, body, actor.userId) }),
    ),
    endpoint(
      "PUT /api/teams/:id",
      {
        id: "updateTeam",
        summary: "Update a team (team admin or organization owner)",
        description:
          "Team admins can change name, description and settings. Only the organization's owner can change `admin_id`; sending its current value changes nothing.",
        guard: user,
        params: { id: TeamId },
        body: TeamUpdate,
        quota: { name: "member_add", counted: "by the handler" },
        response: TeamResponse,
        errors: [...ADMIN_ERRORS, "team.not_an_organization_member", "organization.not_the_owner", "user.not_found"],
      },
      async ({ tx, actor, params, body }) => ({ team: await updateTeam(tx, params.id, body, actor.userId) }),
    ),
    endpoint(
      "DELETE /api/teams/:id",
      {
        id: "deleteTeam",
        summary: "Delete a team (team admin)",
        description: "What was shared with it becomes private.",
        guard: user,
        params: { id: TeamId },
        response: MessageResponse,
        errors: ADMIN_ERRORS,
      },
      async ({ tx, params, afterCommit }) => {
        await deleteTeam(tx, params.id);
        afterCommit(() => wakeShares(services));
        return { message: "The team was deleted." };
      },
    ),
    endpoint(
      "GET /api/teams/:id/members",
      {
        id: "listTeamMembers",
        summary: "List the members of a team",
        guard: user,
        access: "read",
        replica: "shared",
        params: { id: TeamId },
        query: PageQuery,
        response: MembersResponse,
        errors: READER_ERRORS,
      },
      ({ tx, params, query }) => listMembers(tx, params.id, query),
    ),
    endpoint(
      "POST /api/teams/:id/members",
      {
        id: "addTeamMember",
        summary: "Add a member to a team (team admin)",
        description: "The new member is notified.",
        guard: user,
        params: { id: TeamId },
        body: NewMember,
        quota: "member_add",
        status: 201,
        response: MemberResponse,
        errors: [...ADMIN_ERRORS, "team.not_an_organization_member", "user.not_found", "team.already_a_member"],
      },
      async ({ tx, params, body, afterCommit }) => {
        const member = await addMember(tx, params.id, body);
        afterCommit(() => wakePushes(services));
        afterCommit(() => wakeShares(services));
        return { member };
      },
    ),
    endpoint(
      "PUT /api/teams/:id/members/:userId",
      {
        id: "updateTeamMember",
        summary: "Change the role of a team member (team admin)",
        guard: user,
        params: MemberParams.shape,
        body: MemberUpdate,
        response: MemberResponse,
        errors: [...ADMIN_ERRORS, "team.primary_admin_protected", "member.not_found", "user.not_found"],
      },
      async ({ tx, params, body }) => ({ member: await updateMember(tx, params.id, params.userId, body.role) }),
    ),
    endpoint(
      "DELETE /api/teams/:id/members/:userId",
      {
        id: "removeTeamMember",
        summary: "Remove a member from a team, or leave it",
        description: "Team admins can remove members; every member can leave.",
        guard: user,
        params: MemberParams.shape,
        response: MessageResponse,
        errors: [...ADMIN_ERRORS, "team.primary_admin_protected", "member.not_found", "team.last_admin"],
      },
      async ({ tx, actor, params, afterCommit }) => {
        await removeMember(tx, params.id, params.userId, actor.userId);
        afterCommit(() => wakeShares(services));
        return { message: "The member was removed." };
      },
    ),
    endpoint(
      "GET /api/teams/:id/messages",
      {
        id: "listTeamMessages",
        summary: "List the messages of a team (member)",
        description: "Newest first. Messages of people with a block between you are left out. Super admins see all.",
        guard: user,
        // The id may be that of an entry, whose comments a super admin must not read unlogged.
        access: "read once, logged",
        replica: "shared",
        params: { id: TeamId },
        query: PageQuery,
        response: TeamMessagesResponse,
        errors: MEMBER_ERRORS,
      },
      ({ tx, params, query }) => listTeamMessages(tx, params.id, query),
    ),
    endpoint(
      "POST /api/teams/:id/messages",
      {
        id: "sendTeamMessage",
        summary: "Send a message to a team (member)",
        description: "The other members have one unread notification, which counts the messages.",
        guard: user,
        params: { id: TeamId },
        body: NewTeamMessage,
        quota: "team_message",
        status: 201,
        response: TeamMessageResponse,
        errors: MEMBER_ERRORS,
      },
      async ({ tx, params, body, afterCommit }) => {
        const team_message = await sendTeamMessage(tx, params.id, body.content);
        afterCommit(() => wakePushes(services));
        return { team_message };
      },
    ),
    endpoint(
      "DELETE /api/teams/:id/messages/:messageId",
      {
        id: "deleteTeamMessage",
        summary: "Delete a message to a team (its sender, a team admin, or an admin)",
        guard: user,
        params: TeamMessageParams.shape,
        response: MessageResponse,
        errors: [...MEMBER_ERRORS, "message.not_found", "message.not_yours"],
      },
      async ({ tx, actor, params, requestId }) => {
        await deleteTeamMessage(tx, params, { actor, action: "deleteTeamMessage", requestId });
        return { message: "The message was deleted." };
      },
    ),
  ]);
}
