import { BADGE_LADDER } from "@nectar/core/badges";
import { endpoint, phasedEndpoint } from "@nectar/http/endpoint";
import { groupApp } from "@nectar/http/group-app";
import { admin, user } from "@nectar/http/guards";
import { jobEndpoint } from "@nectar/http/job-endpoint";
import { JobResponse, type RunOptions } from "@nectar/http/jobs";
import { MessageResponse } from "@nectar/http/message";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { listBadges, listMilestones, readBadge, updateBadge } from "./badges/badges.ts";
import { readLeaderboard } from "./badges/leaderboard.ts";
import {
  BadgeResponse,
  BadgesRequest,
  BadgesResponse,
  BadgeUpdateResponse,
  DefinitionsResponse,
  LeaderboardQuery,
  LeaderboardResponse,
  MilestoneQuery,
  MilestonesResponse,
  UserParam,
} from "./badges/schema.ts";
import { createTemplate, deleteTemplate, listAllTemplates, updateTemplate } from "./drops/admin-templates.ts";
import { readAllowance } from "./drops/allowance.ts";
import { type DailyDropsOptions, giveDailyDrops } from "./drops/daily-drops.ts";
import { processEngagement } from "./drops/engagement.ts";
import { listReceived, markRead } from "./drops/received.ts";
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
  SentQuery,
  SentResponse,
  TemplateId,
  TemplateQuery,
  TemplateResponse,
  TemplatesResponse,
  TemplateUpdate,
} from "./drops/schema.ts";
import { sendDrop } from "./drops/sending.ts";
import { listSent } from "./drops/sent.ts";
import { readConfig, updateConfig } from "./drops/settings.ts";
import { listTemplates } from "./drops/templates.ts";

/** How long a sender waits for the pushes that the drop causes; the scheduled job delivers the rest. */
const PUSH_BUDGET_MS = 1_500;

/**
 * Encouragement drops: words, media and facts that people send each other, and what that earns the senders.
 * @param options how the assistant's drops of the day are given
 */
export function encouragementDropsApp(
  services: Services,
  options: { dailyDrops?: RunOptions<DailyDropsOptions> } = {},
) {
  const { config } = services;
  return groupApp(services, [
    endpoint(
      "GET /api/encouragement-drops/my-drops",
      {
        id: "readDropAllowance",
        summary: "Read how many drops you can still send today",
        description: "A day is a UTC day.",
        guard: user,
        response: Allowance,
      },
      ({ tx, actor, now }) => readAllowance(tx, actor.userId, now),
    ),
    endpoint(
      "GET /api/encouragement-drops/templates",
      {
        id: "listDropTemplates",
        summary: "List the approved templates",
        guard: user,
        query: TemplateQuery,
        response: TemplatesResponse,
      },
      ({ tx, query }) => listTemplates(tx, query),
    ),
    endpoint(
      "POST /api/encouragement-drops/send",
      {
        id: "sendEncouragementDrop",
        summary: "Send a drop to another user",
        description:
          "Send a template, or your own text. 429 if you have no drops, or no drops with your own text, left for this UTC day.",
        guard: user,
        body: NewDrop,
        status: 201,
        response: SentResponse,
        errors: [
          "encouragement.self_send",
          "encouragement.system_recipient",
          "encouragement.type_mismatch",
          "user.not_found",
          "journal.not_found",
          "encouragement.template_not_found",
          "encouragement.allowance_exhausted",
          "encouragement.custom_drops_exhausted",
        ],
      },
      async ({ afterCommit, tx, actor, body, now }) => {
        const response = await sendDrop(tx, actor.userId, body, { now, config });
        // The drop is told to its recipient, a badge that it earned to the sender.
        afterCommit(() =>
          deliverPushes(services, { recipients: [body.recipient_id, actor.userId], budgetMs: PUSH_BUDGET_MS }),
        );
        return response;
      },
    ),
    endpoint(
      "GET /api/encouragement-drops/received",
      {
        id: "listReceivedDrops",
        summary: "List the drops you received",
        description: "Newest first.",
        guard: user,
        query: ReceivedQuery,
        response: ReceivedResponse,
      },
      ({ tx, actor, query }) => listReceived(tx, actor.userId, query, config),
    ),
    endpoint(
      "GET /api/encouragement-drops/sent",
      {
        id: "listSentDrops",
        summary: "List the drops you sent and their engagement",
        description: "Newest first.",
        guard: user,
        query: SentQuery,
        response: SentDropsResponse,
      },
      ({ tx, actor, query }) => listSent(tx, actor.userId, query, config),
    ),
    endpoint(
      "POST /api/encouragement-drops/received/:id/read",
      {
        id: "markDropRead",
        summary: "Mark a received drop as read",
        description: "Marking it again keeps the first time.",
        guard: user,
        params: { id: DropId },
        response: DropResponse,
        errors: ["encouragement.drop_not_found"],
      },
      async ({ tx, actor, params, now }) => ({
        drop: await markRead(tx, actor.userId, params.id, { now: now, config }),
      }),
    ),
    endpoint(
      "GET /api/encouragement-drops/config",
      {
        id: "readDropConfig",
        summary: "Read the rules of drops: allowance, bonus, engagement window and limit",
        guard: user,
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
      ({ tx, query }) => listAllTemplates(tx, query),
    ),
    endpoint(
      "POST /api/encouragement-drops/admin/templates",
      {
        id: "createDropTemplate",
        summary: "Create a template (admin)",
        description: "It is not approved by default.",
        guard: admin,
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
        body: DropConfigUpdate,
        response: ConfigResponse,
      },
      async ({ tx, body }) => ({ config: await updateConfig(tx, body) }),
    ),
    phasedEndpoint(
      "POST /api/encouragement-drops/admin/process-engagement",
      {
        id: "processEngagement",
        summary: "Process engagement now (admin)",
        description: "Does the same as the scheduled job.",
        guard: admin,
        response: JobResponse,
      },
      {
        during: () => processEngagement.run(services),
      },
    ),
    jobEndpoint(processEngagement, {
      id: "runEngagement",
      summary: "Process engagement: award bonuses and recalculate badges (scheduled)",
    }),
    jobEndpoint(
      giveDailyDrops,
      { id: "runDailyAssistantDrops", summary: "Send each user the assistant's drop of the day (scheduled)" },
      options.dailyDrops,
    ),
    endpoint(
      "GET /api/encouragement-drops/badge",
      { id: "readBadge", summary: "Read your badge", guard: user, response: BadgeResponse },
      async ({ tx, actor, now }) => ({ badge: await readBadge(tx, actor.userId, now) }),
    ),
    endpoint(
      "GET /api/encouragement-drops/badge/milestones",
      {
        id: "listBadgeMilestones",
        summary: "List when a user reached their badge levels",
        guard: user,
        query: MilestoneQuery,
        response: MilestonesResponse,
        errors: ["user.not_found"],
      },
      async ({ tx, actor, query }) => {
        const { user_id = actor.userId } = query;
        return { milestones: await listMilestones(tx, user_id) };
      },
    ),
    endpoint(
      "GET /api/encouragement-drops/badge/:userId",
      {
        id: "readBadgeOfUser",
        summary: "Read the badge of a user",
        guard: user,
        params: UserParam.shape,
        response: BadgeResponse,
        errors: ["user.not_found"],
      },
      async ({ tx, params, now }) => {
        const { userId } = params;
        return { badge: await readBadge(tx, userId, now) };
      },
    ),
    endpoint(
      "POST /api/encouragement-drops/badge/update",
      {
        id: "updateBadge",
        summary: "Recalculate your badge",
        description: "The level can only rise.",
        guard: user,
        response: BadgeUpdateResponse,
      },
      async ({ afterCommit, tx, actor, services, now }) => {
        const response = await updateBadge(tx, actor.userId, now);
        afterCommit(() => deliverPushes(services, { recipients: [actor.userId], budgetMs: PUSH_BUDGET_MS }));
        return response;
      },
    ),
    endpoint(
      "POST /api/encouragement-drops/badges/bulk",
      {
        id: "readBadges",
        summary: "Read the badges of up to 100 users",
        guard: user,
        body: BadgesRequest,
        response: BadgesResponse,
      },
      async ({ tx, body, now }) => ({
        badges: await listBadges(tx, body.user_ids, now),
      }),
    ),
    endpoint(
      "GET /api/encouragement-drops/leaderboard",
      {
        id: "readLeaderboard",
        summary: "Read the top of the leaderboard and your rank",
        guard: user,
        query: LeaderboardQuery,
        response: LeaderboardResponse,
      },
      async ({ tx, actor, query }) => {
        const { limit } = query;
        return await readLeaderboard(tx, actor.userId, limit);
      },
    ),
    endpoint(
      "GET /api/encouragement-drops/badge-definitions",
      {
        id: "listBadgeDefinitions",
        summary: "List the badge levels",
        guard: user,
        response: DefinitionsResponse,
      },
      async () => ({ definitions: BADGE_LADDER }),
    ),
  ]);
}
