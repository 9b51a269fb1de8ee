import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { MessageResponse } from "@nectar/http/message";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, param, query } from "@nectar/http/validate";
import { acceptMembership, addMember, listMembers, removeMember, updateMember } from "./members.ts";
import {
  createOrganization,
  deleteOrganization,
  listOrganizations,
  readOrganization,
  transferOrganization,
  updateOrganization,
} from "./organizations.ts";
import {
  MemberParams,
  MemberResponse,
  MembersResponse,
  MemberUpdate,
  NewMember,
  NewOrganization,
  OrganizationResponse,
  OrganizationsResponse,
  OrganizationUpdate,
  OrganizationWithRoleResponse,
  PageQuery,
  Transfer,
} from "./schema.ts";

/** Organizations, their members and their owner. */
export function organizationsApp(services: Services) {
  return createApp(services)
    .get(
      "/api/organizations",
      describe({ summary: "List the caller's organizations", response: OrganizationsResponse }),
      user,
      query(PageQuery),
      async (c) => answer(c, 200, await c.var.asUser((tx) => listOrganizations(tx, c.req.valid("query")))),
    )
    .get(
      "/api/organizations/:id",
      describe({ summary: "Read an organization", response: OrganizationWithRoleResponse, errors: [403, 404] }),
      user,
      idParam,
      async (c) => answer(c, 200, await c.var.asUser((tx) => readOrganization(tx, c.req.valid("param").id))),
    )
    .post(
      "/api/organizations",
      describe({ summary: "Create an organization", status: 201, response: OrganizationResponse, errors: [409] }),
      user,
      json(NewOrganization),
      (c) => respondOnce(c, 201, async (tx) => ({ organization: await createOrganization(tx, c.req.valid("json")) })),
    )
    .put(
      "/api/organizations/:id",
      describe({ summary: "Change an organization (owner)", response: OrganizationResponse, errors: [403, 404] }),
      user,
      json(OrganizationUpdate),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const organization = await c.var.asUser((tx) => updateOrganization(tx, id, c.req.valid("json")));
        return answer(c, 200, { organization });
      },
    )
    .delete(
      "/api/organizations/:id",
      describe({ summary: "Delete an organization (owner)", response: MessageResponse, errors: [403, 404] }),
      user,
      idParam,
      async (c) => {
        await c.var.asUser((tx) => deleteOrganization(tx, c.req.valid("param").id));
        return answer(c, 200, { message: "The organization was deleted." });
      },
    )
    .get(
      "/api/organizations/:id/members",
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
      "/api/organizations/:id/members",
      describe({
        summary: "Add a member (owner)",
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
    .post(
      "/api/organizations/:id/accept",
      describe({
        summary: "Accept your membership of an organization",
        description:
          "You are a member without accepting. Where mail may only go to members, the others can write to you once you have accepted, created something in the organization or shared something with it.",
        response: MemberResponse,
        errors: [403, 404],
      }),
      user,
      idParam,
      (c) => {
        const { id } = c.req.valid("param");
        return respondOnce(c, 200, async (tx) => ({ member: await acceptMembership(tx, id, c.var.actor.userId) }));
      },
    )
    .put(
      "/api/organizations/:id/members/:userId",
      describe({ summary: "Change a member's role (owner)", response: MemberResponse, errors: [403, 404] }),
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
      "/api/organizations/:id/members/:userId",
      describe({ summary: "Remove a member, or leave", response: MessageResponse, errors: [403, 404, 409] }),
      user,
      param(MemberParams),
      async (c) => {
        const { id, userId } = c.req.valid("param");
        await c.var.asUser((tx) => removeMember(tx, id, userId, c.var.actor.userId));
        return answer(c, 200, { message: "The member was removed." });
      },
    )
    .post(
      "/api/organizations/:id/transfer-ownership",
      describe({ summary: "Transfer the ownership (owner)", response: OrganizationResponse, errors: [403, 404, 409] }),
      user,
      json(Transfer),
      idParam,
      (c) => {
        const { id } = c.req.valid("param");
        return respondOnce(c, 200, async (tx) => ({
          organization: await transferOrganization(tx, id, c.req.valid("json").new_owner_id),
        }));
      },
    );
}
