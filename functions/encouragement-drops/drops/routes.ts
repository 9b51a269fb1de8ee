import { admin, userOrProgram } from "#http/access/guards";
import { type Endpoint, endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { JobResponse } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import { readAllowance } from "./allowance.ts";
import { readConfig, updateConfig } from "./config.ts";
import { sendDailyDrops } from "./daily-drops.ts";
import { listReceived, listSent, markRead } from "./drops.ts";
import { processEngagement } from "./engagement.ts";
import {
  AdminTemplateQuery,
  Allowance,
  ConfigResponse,
  DropConfigUpdate,
  DropId,
  DropResponse,
  NewDrop,
  NewTemplate,
  ReceivedQuery,
  ReceivedResponse,
  SentDropsResponse,
  SentResponse,
  TemplateId,
  TemplateQuery,
  TemplateResponse,
  TemplatesResponse,
  TemplateUpdate,
} from "./schema.ts";
import { sendDrop } from "./sending.ts";
import { createTemplate, deleteTemplate, listTemplates, updateTemplate } from "./templates.ts";

/** Sending, receiving and rewarding drops, with their templates and rules. */
export const dropRoutes: readonly Endpoint[] = [
  endpoint(
    "GET /api/encouragement-drops/my-drops",
    {
      id: "readDropAllowance",
      summary: "Read how many drops you can still send today",
      description: "A day is a UTC day.",
      guard: userOrProgram("drops:read"),
      replica: "own",
      response: Allowance,
    },
    ({ tx, actor, now }) => readAllowance(tx, actor.userId, now),
  ),
  endpoint(
    "GET /api/encouragement-drops/templates",
    {
      id: "listDropTemplates",
      summary: "List the approved templates",
      guard: userOrProgram("drops:read"),
      replica: "everybody's",
      query: TemplateQuery,
      response: TemplatesResponse,
    },
    ({ tx, query }) => listTemplates(tx, query, true),
  ),
  endpoint(
    "POST /api/encouragement-drops/send",
    {
      id: "sendEncouragementDrop",
      summary: "Send a drop to another user",
      description:
        "Send a template, or your own text. 429 if you have no drops, or no drops with your own text, left for this UTC day.",
      guard: userOrProgram("drops:write"),
      body: NewDrop,
      status: 201,
      response: SentResponse,
      errors: [
        "encouragement.self_send",
        "encouragement.system_recipient",
        "encouragement.type_mismatch",
        "user.not_found",
        "journal.not_found",
        "goal.not_found",
        "encouragement.template_not_found",
        "encouragement.allowance_exhausted",
        "encouragement.custom_drops_exhausted",
      ],
    },
    async ({ tx, actor, body, now, services, afterCommit }) => {
      const response = await sendDrop(tx, actor.userId, body, now);
      afterCommit(() => wakePushes(services));
      return response;
    },
  ),
  endpoint(
    "GET /api/encouragement-drops/received",
    {
      id: "listReceivedDrops",
      summary: "List the drops you received",
      description: "Newest first.",
      guard: userOrProgram("drops:read"),
      replica: "shared",
      query: ReceivedQuery,
      response: ReceivedResponse,
    },
    ({ tx, actor, query, services }) => listReceived(tx, actor.userId, query, services.config.assistantName),
  ),
  endpoint(
    "GET /api/encouragement-drops/sent",
    {
      id: "listSentDrops",
      summary: "List the drops you sent and their engagement",
      description: "Newest first.",
      guard: userOrProgram("drops:read"),
      replica: "shared",
      query: PageQuery,
      response: SentDropsResponse,
    },
    ({ tx, actor, query }) => listSent(tx, actor.userId, query),
  ),
  endpoint(
    "POST /api/encouragement-drops/received/:id/read",
    {
      id: "markDropRead",
      summary: "Mark a received drop as read",
      description: "Marking it again keeps the first time.",
      guard: userOrProgram("drops:write"),
      access: "write while suspended",
      params: { id: DropId },
      response: DropResponse,
      errors: ["encouragement.drop_not_found"],
    },
    async ({ tx, actor, params, now, services }) => ({
      drop: await markRead(tx, actor.userId, params.id, { now, assistantName: services.config.assistantName }),
    }),
  ),
  endpoint(
    "GET /api/encouragement-drops/config",
    {
      id: "readDropConfig",
      summary: "Read the rules of drops: allowance, bonus, engagement window and limit",
      guard: userOrProgram("drops:read"),
      replica: "everybody's",
      response: ConfigResponse,
    },
    async ({ tx }) => ({ config: await readConfig(tx) }),
  ),
  endpoint(
    "GET /api/encouragement-drops/admin/templates",
    {
      id: "listAllDropTemplates",
      summary: "List all templates (admin)",
      description: "Newest first.",
      guard: admin,
      query: AdminTemplateQuery,
      response: TemplatesResponse,
    },
    ({ tx, query }) => listTemplates(tx, query, query.is_approved),
  ),
  endpoint(
    "POST /api/encouragement-drops/admin/templates",
    {
      id: "createDropTemplate",
      summary: "Create a template (admin)",
      description: "It is not approved by default.",
      guard: admin,
      audit: { target: "drop_template", newId: ({ template }) => template.id },
      body: NewTemplate,
      status: 201,
      response: TemplateResponse,
    },
    async ({ tx, body }) => ({ template: await createTemplate(tx, body) }),
  ),
  endpoint(
    "PUT /api/encouragement-drops/admin/templates/:id",
    {
      id: "updateDropTemplate",
      summary: "Update, approve or withdraw a template (admin)",
      guard: admin,
      audit: { target: "drop_template", id: ({ params }) => params.id },
      params: { id: TemplateId },
      body: TemplateUpdate,
      response: TemplateResponse,
      errors: ["encouragement.template_not_found"],
    },
    async ({ tx, params, body }) => ({ template: await updateTemplate(tx, params.id, body) }),
  ),
  endpoint(
    "DELETE /api/encouragement-drops/admin/templates/:id",
    {
      id: "deleteDropTemplate",
      summary: "Delete a template (admin)",
      description: "Drops that were sent with it stay.",
      guard: admin,
      audit: { target: "drop_template", id: ({ params }) => params.id },
      params: { id: TemplateId },
      response: MessageResponse,
      errors: ["encouragement.template_not_found"],
    },
    async ({ tx, params }) => {
      await deleteTemplate(tx, params.id);
      return { message: "The template was deleted." };
    },
  ),
  endpoint(
    "GET /api/encouragement-drops/admin/config",
    {
      id: "readDropConfigAsAdmin",
      summary: "Read the rules of drops (admin)",
      guard: admin,
      response: ConfigResponse,
    },
    async ({ tx }) => ({ config: await readConfig(tx) }),
  ),
  endpoint(
    "PUT /api/encouragement-drops/admin/config",
    {
      id: "updateDropConfig",
      summary: "Update the rules of drops (admin)",
      description: "The new rules count from now on.",
      guard: admin,
      audit: { target: "drop_config" },
      body: DropConfigUpdate,
      response: ConfigResponse,
    },
    async ({ tx, body }) => ({ config: await updateConfig(tx, body) }),
  ),
  endpointInSteps(
    "POST /api/encouragement-drops/admin/process-engagement",
    {
      id: "processEngagement",
      summary: "Process engagement now (admin)",
      description: "Does the same as the scheduled job.",
      guard: admin,
      audit: { target: "job" },
      response: JobResponse,
    },
    ({ services }) => processEngagement.run(services),
  ),
  jobEndpoint(processEngagement, {
    id: "runEngagement",
    summary: "Process engagement: award bonuses and recalculate badges (scheduled)",
  }),
  jobEndpoint(sendDailyDrops, {
    id: "runDailyAssistantDrops",
    summary: "Send each user the assistant's drop of the day (scheduled)",
  }),
];
