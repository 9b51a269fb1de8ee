import { answer } from "@nectar/http/answer";
import { createApp } from "@nectar/http/create-app";
import { describe } from "@nectar/http/describe";
import { cron, superAdmin } from "@nectar/http/guards";
import { JobAnswer } from "@nectar/http/jobs";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, param, query } from "@nectar/http/validate";
import { readAdminTeams } from "./admin-teams.ts";
import { AdminTeamsAnswer, AdminTeamsQuery, DateOfTeams } from "./admin-teams-schema.ts";
import { checkInSyntheticUsers } from "./synthetic-check-ins.ts";
import {
  SyntheticOrder,
  SyntheticToggle,
  SyntheticUserAnswer,
  SyntheticUserDeleted,
  SyntheticUsersAnswer,
  SyntheticUsersMade,
  SyntheticUsersQuery,
} from "./synthetic-schema.ts";
import {
  deleteSyntheticUser,
  generateSyntheticUsers,
  pageOfSyntheticUsers,
  toggleSyntheticUser,
} from "./synthetic-users.ts";

/** The daily game: windows, chains, squads, check-ins with photos, mosaics and battles. */
export function workoutWindowApp(services: Services) {
  return createApp(services)
    .post(
      "/api/workout-window/admin/ai-users/generate",
      describe({
        summary: "Make synthetic users, with account, profile, place and window",
        status: 201,
        response: SyntheticUsersMade,
      }),
      superAdmin,
      json(SyntheticOrder),
      (c) => respondOnce(c, 201, (tx) => generateSyntheticUsers(tx, c.req.valid("json"))),
    )
    .get(
      "/api/workout-window/admin/ai-users",
      describe({ summary: "List all synthetic users, newest first", response: SyntheticUsersAnswer }),
      superAdmin,
      query(SyntheticUsersQuery),
      async (c) => answer(c, 200, await c.var.asUser((tx) => pageOfSyntheticUsers(tx, c.req.valid("query")))),
    )
    .delete(
      "/api/workout-window/admin/ai-users/:id",
      describe({
        summary: "Delete a synthetic user and everything of theirs",
        response: SyntheticUserDeleted,
        errors: [404],
      }),
      superAdmin,
      idParam,
      async (c) => answer(c, 200, await c.var.asUser((tx) => deleteSyntheticUser(tx, c.req.valid("param").id))),
    )
    .put(
      "/api/workout-window/admin/ai-users/:id/toggle",
      describe({ summary: "Let a synthetic user play or rest", response: SyntheticUserAnswer, errors: [404] }),
      superAdmin,
      json(SyntheticToggle),
      idParam,
      async (c) => {
        const { id } = c.req.valid("param");
        const { isActive } = c.req.valid("json");
        return answer(c, 200, { user: await c.var.asUser((tx) => toggleSyntheticUser(tx, id, isActive)) });
      },
    )
    .get(
      "/api/workout-window/admin/teams/:date",
      describe({
        summary: "Read both teams of a date, people and synthetic users told apart",
        description:
          "Members come in the order in which their windows start, at most 5,000 on a page; a squad comes with its first member. Counts are over everybody.",
        response: AdminTeamsAnswer,
      }),
      superAdmin,
      param(DateOfTeams),
      query(AdminTeamsQuery),
      async (c) => {
        const { date } = c.req.valid("param");
        const now = services.clock.now();
        return answer(c, 200, await c.var.asUser((tx) => readAdminTeams(tx, date, c.req.valid("query"), now)));
      },
    )
    .post(
      "/api/workout-window/cron/synthetic-check-ins",
      describe({ summary: "Check in synthetic users whose moment has come (scheduled)", response: JobAnswer }),
      cron(({ config }) => config.cronSecrets.workoutWindow),
      async (c) => answer(c, 200, await checkInSyntheticUsers(services)),
    );
}
