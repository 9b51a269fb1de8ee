import { APPEAL_DAYS } from "#core/retention";
import { admin, user } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { wakePushes, wakeShares } from "#http/jobs/wake";
import { PageQuery } from "#http/response/paging";
import { withPhoto } from "../reported-photo.ts";
import { createAppeal, decideAppeal, listDecisions, listReceivedAppeals } from "./appeals.ts";
import {
  AppealDecision,
  AppealId,
  AppealQuery,
  AppealResponse,
  DecisionId,
  NewAppeal,
  ReceivedAppealsResponse,
  ReceivedDecisionsResponse,
} from "./schema.ts";

/** Decisions of admins about the caller, and appeals. */
export const appealRoutes = [
  endpoint(
    "GET /api/moderation-decisions",
    {
      id: "listModerationDecisions",
      summary: "List what admins decided about you and your content",
      description: "Newest first, with the reasons. Dismissed reports are not among them.",
      guard: user,
      replica: "own",
      query: PageQuery,
      response: ReceivedDecisionsResponse,
    },
    ({ tx, actor, query }) => listDecisions(tx, actor.userId, query),
  ),
  endpoint(
    "POST /api/moderation-decisions/:id/appeal",
    {
      id: "createAppeal",
      summary: "Appeal a decision about you or your content",
      description: `Once, within ${APPEAL_DAYS} days of the decision. Another admin than the one who made it decides about the appeal, and you are notified. You can appeal while you are suspended.`,
      guard: user,
      access: "write while suspended",
      params: { id: DecisionId },
      body: NewAppeal,
      status: 201,
      response: AppealResponse,
      errors: ["moderation.decision_not_found", "appeal.too_late", "appeal.already_made"],
    },
    async ({ tx, params, body, now }) => ({ appeal: await createAppeal(tx, params.id, body.reason, now) }),
  ),
  endpointInSteps(
    "GET /api/admin/appeals",
    {
      id: "listReceivedAppeals",
      summary: "List the appeals of all users (admin)",
      description: "Oldest first. Appeals about check-ins have the photo.",
      access: "service",
      guard: admin,
      query: AppealQuery,
      response: ReceivedAppealsResponse,
      errors: ["provider.failed"],
    },
    async ({ read, services, query, now }) => {
      const { rows, next_cursor } = await read((tx) => listReceivedAppeals(tx, query, now));
      return { appeals: await Promise.all(rows.map((appeal) => withPhoto(services, appeal))), next_cursor };
    },
  ),
  endpoint(
    "PUT /api/admin/appeals/:id",
    {
      id: "decideAppeal",
      summary: "Decide an appeal (admin)",
      description:
        "The user who appeals is notified and reads your answer. You cannot decide about an appeal of a decision that you made, or of your own, unless there is no other admin. Reversing takes the effect of the decision back: what was hidden is visible as its visibility says now, and a suspension ends, unless another decision has the same effect. A rejected check-in becomes verified, unless a new photo has taken its place or another review has followed.",
      access: "service",
      guard: admin,
      audit: { target: "appeal", id: ({ params }) => params.id },
      params: { id: AppealId },
      body: AppealDecision,
      response: AppealResponse,
      errors: ["appeal.not_found", "appeal.same_reviewer", "appeal.already_decided"],
    },
    async ({ tx, actor, params, body, now, services, afterCommit }) => {
      const graceMinutes = services.config.checkinGraceMinutes;
      const appeal = await decideAppeal(tx, actor.userId, params.id, body, { now, graceMinutes });
      afterCommit(() => wakePushes(services));
      // A notebook that is hidden, or shown again, may have many entries.
      afterCommit(() => wakeShares(services));
      return { appeal };
    },
  ),
];
