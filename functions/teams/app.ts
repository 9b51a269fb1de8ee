import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { MessageResponse } from "@nectar/http/message";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, param, query } from "@nectar/http/validate";
import { addMember, listMembers, removeMember, updateMember } from "./members.ts";
import {
  MemberParams,
  MemberResponse,
  MembersResponse,
  MemberUpdate,
  NewMember,
  NewTeam,
  PageQuery,
  TeamQuery,
  TeamResponse,
  TeamsResponse,
  TeamUpdate,
  TeamWithRoleResponse,
} from "./schema.ts";
import { createTeam, deleteTeam, listTeams, readTeam, updateTeam } from "./teams.ts";

/** Teams inside organizations, and their members. */
export function teamsApp(services: Services) {
  return createApp(services)
    .get(
      "/api/teams",
      describe({ summary: "List teams of the caller's organizations", response: TeamsResponse, errors: [403, 404] }),
      user,
      query(TeamQuery),
      async (c) => answer(c, 200, await c.var.asUser((tx) => listTeams(tx, c.req.valid("query")))),
    )
    .get(
      "/api/teams/:id",
      describe({ summary: "Read a team", response: TeamWithRoleResponse, errors: [403, 404] }),
      user,
      idParam,
      async (c) => answer(c, 200, await c.var.asUser((tx) => readTeam(tx, c.req.valid("param").id))),
    )
    .post(
      "/api/teams",
      describe({
        summary: "Create a team (organization members)",
        status: 201,
        response: TeamResponse,
        errors: [403, 404, 409, 429],
      }),
      user,
      json(NewTeam),
      (c) => {
        const { userId } = c.var.actor;
        return respondOnce(c, 201, async (tx) => ({ team: await createTeam(tx, c.req.valid("json"), userId) }));
      },
    )
    .put(
      "/api/teams/:id",
      describe({
        summary: "Change a team",
        description:
          "Team admins change name, description and settings; the organization's owner changes admin_id. Sending the current admin_id back changes nothing.",
        response: TeamResponse,
        errors: [403, 404, 429],
      }),
      user,
      json(TeamUpdate),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const { userId } = c.var.actor;
        const team = await c.var.asUser((tx) => updateTeam(tx, id, c.req.valid("json"), userId));
        return answer(c, 200, { team });
      },
    )
    .delete(
      "/api/teams/:id",
      describe({ summary: "Delete a team (team admin)", response: MessageResponse, errors: [403, 404] }),
      user,
      idParam,
      async (c) => {
        await c.var.asUser((tx) => deleteTeam(tx, c.req.valid("param").id));
        return answer(c, 200, { message: "The team was deleted." });
      },
    )
    .get(
      "/api/teams/:id/members",
      describe({ summary: "List members", response: MembersResponse, errors: [403, 404] }),
      user,
      idParam,
      query(PageQuery),
      async (c) => {
        const { id } = c.req.valid("param");
        return answer(c, 200, await c.var.asUser((tx) => listMembers(tx, id, c.req.valid("query"))));
      },
    )
    .post(
      "/api/teams/:id/members",
      describe({
        summary: "Add a member (team admin)",
        description: "The person is notified. You can add 200 people to organizations and teams in a UTC day.",
        status: 201,
        response: MemberResponse,
        errors: [403, 404, 409, 429],
      }),
      user,
      json(NewMember),
      idParam,
      (c) => {
        const { id } = c.req.valid("param");
        return respondOnce(c, 201, async (tx) => ({ member: await addMember(tx, id, c.req.valid("json")) }));
      },
    )
    .put(
      "/api/teams/:id/members/:userId",
      describe({ summary: "Change a member's role (team admin)", response: MemberResponse, errors: [403, 404] }),
      user,
      json(MemberUpdate),
      param(MemberParams),
      async (c) => {
        const { id, userId } = c.req.valid("param");
        const member = await c.var.asUser((tx) => updateMember(tx, id, userId, c.req.valid("json").role));
        return answer(c, 200, { member });
      },
    )
    .delete(
      "/api/teams/:id/members/:userId",
      describe({ summary: "Remove a member, or leave", response: MessageResponse, errors: [403, 404, 409] }),
      user,
      param(MemberParams),
      async (c) => {
        const { id, userId } = c.req.valid("param");
        await c.var.asUser((tx) => removeMember(tx, id, userId, c.var.actor.userId));
        return answer(c, 200, { message: "The member was removed." });
      },
    );
}
