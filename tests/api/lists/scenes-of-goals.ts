import type { Person } from "#tests/people";
import { type BuildScenes, longest, type Stage } from "./stage.ts";

/** The paged lists of goals. */
export const GOALS: Readonly<Record<string, BuildScenes>> = {
  "/api/goals/{id}/check-ins": async (stage) => {
    const { list } = await checkedIn(stage);
    return [list];
  },
  "/api/goals/{id}/comments": async (stage) => {
    const { as, goal } = await goalOf(stage);
    return [await commentsOf(stage, as, `/api/goals/${goal}`)];
  },
  "/api/goals": async (stage) => {
    const { as, goal } = await goalOf(stage);
    const list = await stage.copied({ path: "/api/goals", as }, "nectar.goals", goal);
    await stage.quietly(
      `insert into nectar.goal_contents (goal_id, user_id, description, metadata_audience_id, content_audience_id)
       select g.id, g.user_id, $2, g.user_id, g.user_id from nectar.goals g where g.id = any ($1::uuid[]) and g.id <> $3`,
      [list.keys, longest(5_000), goal],
    );
    return [list];
  },
};

/** More than a page of comments, each of the maximum length. @param thing the path of an entry or a goal */
export async function commentsOf(stage: Stage, as: Person, thing: string) {
  const path = `${thing}/comments`;
  const { id } = await stage.make(path, "comment", as, { content: longest(2_000) });
  return stage.copied({ path, as }, "nectar.team_messages", id);
}

async function goalOf(stage: Stage) {
  const as = await stage.api.person();
  const body = { title: longest(200), description: longest(5_000) };
  return { as, goal: (await stage.make("/api/goals", "goal", as, body)).id };
}

/** A goal with more than a page of check-ins, each with the longest notes. */
export async function checkedIn(stage: Stage) {
  const { as, goal } = await goalOf(stage);
  const path = `/api/goals/${goal}/check-ins`;
  const notes = longest(2_000);
  const { id } = await stage.make(path, "check_in", as, { status: "partial", notes });
  const list = await stage.copied({ path, as }, "nectar.goal_check_ins", id);
  await stage.quietly(
    `insert into nectar.goal_check_in_contents (check_in_id, goal_id, user_id, notes)
     select k.id, k.goal_id, k.user_id, $2 from nectar.goal_check_ins k where k.id = any ($1::uuid[]) and k.id <> $3`,
    [list.keys, notes, id],
  );
  return { as, goal, list };
}
