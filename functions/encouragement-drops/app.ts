import { BADGE_LADDER } from "@nectar/core/badges";
import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { cronRoute } from "@nectar/http/cron-route";
import { describe } from "@nectar/http/describe";
import { admin, user } from "@nectar/http/guards";
import { JobResponse, type RunOptions } from "@nectar/http/jobs";
import { MessageResponse } from "@nectar/http/message";
import { respondInPhases, respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, param, query } from "@nectar/http/validate";
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
  DropResponse,
  NewDrop,
  NewTemplate,
  ReceivedQuery,
  ReceivedResponse,
  SentDropsResponse,
  SentQuery,
  SentResponse,
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
  const { clock, config } = services;
  return createApp(services)
    .get(
      "/api/encouragement-drops/my-drops",
      describe({ summary: "Read how many drops one may still send today", response: Allowance }),
      user,
      async (c) => answer(c, 200, await c.var.asUser((tx) => readAllowance(tx, c.var.actor.userId, clock.now()))),
    )
    .get(
      "/api/encouragement-drops/templates",
      describe({ summary: "List the approved templates", response: TemplatesResponse }),
      user,
      query(TemplateQuery),
      async (c) => answer(c, 200, await c.var.asUser((tx) => listTemplates(tx, c.req.valid("query")))),
    )
    .post(
      "/api/encouragement-drops/send",
      describe({ summary: "Send a drop to somebody", status: 201, response: SentResponse, errors: [404, 409, 429] }),
      user,
      json(NewDrop),
      async (c) => {
        const { userId } = c.var.actor;
        const input = c.req.valid("json");
        const response = await respondOnce(c, 201, (tx) => sendDrop(tx, userId, input, { now: clock.now(), config }));
        // The drop is told to its recipient, a badge that it earned to the sender.
        await deliverPushes(services, { recipients: [input.recipient_id, userId], budgetMs: PUSH_BUDGET_MS });
        return response;
      },
    )
    .get(
      "/api/encouragement-drops/received",
      describe({ summary: "List the drops that one received, newest first", response: ReceivedResponse }),
      user,
      query(ReceivedQuery),
      async (c) => {
        const { userId } = c.var.actor;
        return answer(c, 200, await c.var.asUser((tx) => listReceived(tx, userId, c.req.valid("query"), config)));
      },
    )
    .get(
      "/api/encouragement-drops/sent",
      describe({
        summary: "List the drops you sent, newest first, with what came of them",
        response: SentDropsResponse,
      }),
      user,
      query(SentQuery),
      async (c) => {
        const { userId } = c.var.actor;
        return answer(c, 200, await c.var.asUser((tx) => listSent(tx, userId, c.req.valid("query"), config)));
      },
    )
    .post(
      "/api/encouragement-drops/received/:id/read",
      describe({
        summary: "Say that one has read a drop; the first time counts",
        response: DropResponse,
        errors: [404, 409],
      }),
      user,
      idParam,
      (c) => {
        const { id } = c.req.valid("param");
        return respondOnce(c, 200, async (tx) => ({
          drop: await markRead(tx, c.var.actor.userId, id, { now: clock.now(), config }),
        }));
      },
    )
    .get(
      "/api/encouragement-drops/config",
      describe({ summary: "Read the rules: allowance, bonus, window and limit", response: ConfigResponse }),
      user,
      async (c) => answer(c, 200, { config: await c.var.asUser(readConfig) }),
    )
    .get(
      "/api/encouragement-drops/admin/templates",
      describe({ summary: "List all templates, newest first (admin)", response: TemplatesResponse }),
      admin,
      query(AdminTemplateQuery),
      async (c) => answer(c, 200, await c.var.asUser((tx) => listAllTemplates(tx, c.req.valid("query")))),
    )
    .post(
      "/api/encouragement-drops/admin/templates",
      describe({
        summary: "Create a template, unapproved unless it says so (admin)",
        status: 201,
        response: TemplateResponse,
        errors: [409],
      }),
      admin,
      json(NewTemplate),
      (c) => respondOnce(c, 201, async (tx) => ({ template: await createTemplate(tx, c.req.valid("json")) })),
    )
    .put(
      "/api/encouragement-drops/admin/templates/:id",
      describe({
        summary: "Change, approve or withdraw a template (admin)",
        response: TemplateResponse,
        errors: [404],
      }),
      admin,
      json(TemplateUpdate),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const template = await c.var.asUser((tx) => updateTemplate(tx, id, c.req.valid("json")));
        return answer(c, 200, { template });
      },
    )
    .delete(
      "/api/encouragement-drops/admin/templates/:id",
      describe({
        summary: "Delete a template; what was sent with it stays (admin)",
        response: MessageResponse,
        errors: [404],
      }),
      admin,
      idParam,
      async (c) => {
        await c.var.asUser((tx) => deleteTemplate(tx, c.req.valid("param").id));
        return answer(c, 200, { message: "The template was deleted." });
      },
    )
    .get(
      "/api/encouragement-drops/admin/config",
      describe({ summary: "Read the rules (admin)", response: ConfigResponse }),
      admin,
      async (c) => answer(c, 200, { config: await c.var.asUser(readConfig) }),
    )
    .put(
      "/api/encouragement-drops/admin/config",
      describe({ summary: "Change the rules, from now on (admin)", response: ConfigResponse }),
      admin,
      json(DropConfigUpdate),
      async (c) => answer(c, 200, { config: await c.var.asUser((tx) => updateConfig(tx, c.req.valid("json"))) }),
    )
    .post(
      "/api/encouragement-drops/admin/process-engagement",
      describe({ summary: "Look for engagement now (admin)", response: JobResponse, errors: [409] }),
      admin,
      (c) =>
        respondInPhases(c, 200, {
          before: async () => null,
          during: () => processEngagement.run(services),
          after: async (_tx, _before, done) => done,
        }),
    )
    .post(
      ...cronRoute(processEngagement, {
        summary: "Look for engagement, pay bonuses and recalculate badges (scheduled)",
      }),
    )
    .post(
      ...cronRoute(
        giveDailyDrops,
        { summary: "Give everybody the assistant's drop of the day (scheduled)" },
        options.dailyDrops,
      ),
    )
    .get(
      "/api/encouragement-drops/badge",
      describe({ summary: "Read one's badge", response: BadgeResponse, errors: [404] }),
      user,
      async (c) => {
        const badge = await c.var.asUser((tx) => readBadge(tx, c.var.actor.userId, clock.now()));
        return answer(c, 200, { badge });
      },
    )
    .get(
      "/api/encouragement-drops/badge/milestones",
      describe({ summary: "List when a person reached their levels", response: MilestonesResponse, errors: [404] }),
      user,
      query(MilestoneQuery),
      async (c) => {
        const { user_id = c.var.actor.userId } = c.req.valid("query");
        return answer(c, 200, { milestones: await c.var.asUser((tx) => listMilestones(tx, user_id)) });
      },
    )
    .get(
      "/api/encouragement-drops/badge/:userId",
      describe({ summary: "Read a person's badge", response: BadgeResponse, errors: [404] }),
      user,
      param(UserParam),
      async (c) => {
        const { userId } = c.req.valid("param");
        return answer(c, 200, { badge: await c.var.asUser((tx) => readBadge(tx, userId, clock.now())) });
      },
    )
    .post(
      "/api/encouragement-drops/badge/update",
      describe({ summary: "Work out one's badge again", response: BadgeUpdateResponse, errors: [404, 409] }),
      user,
      async (c) => {
        const { userId } = c.var.actor;
        const response = await respondOnce(c, 200, (tx) => updateBadge(tx, userId, clock.now()));
        await deliverPushes(services, { recipients: [userId], budgetMs: PUSH_BUDGET_MS });
        return response;
      },
    )
    .post(
      "/api/encouragement-drops/badges/bulk",
      describe({ summary: "Read the badges of several people", response: BadgesResponse, errors: [409] }),
      user,
      json(BadgesRequest),
      (c) =>
        respondOnce(c, 200, async (tx) => ({
          badges: await listBadges(tx, c.req.valid("json").user_ids, clock.now()),
        })),
    )
    .get(
      "/api/encouragement-drops/leaderboard",
      describe({ summary: "Read the top of the leaderboard and one's own place", response: LeaderboardResponse }),
      user,
      query(LeaderboardQuery),
      async (c) => {
        const { limit } = c.req.valid("query");
        return answer(c, 200, await c.var.asUser((tx) => readLeaderboard(tx, c.var.actor.userId, limit)));
      },
    )
    .get(
      "/api/encouragement-drops/badge-definitions",
      describe({ summary: "List the levels that there are", response: DefinitionsResponse }),
      user,
      async (c) => answer(c, 200, { definitions: await c.var.asUser(async () => [...BADGE_LADDER]) }),
    );
}
