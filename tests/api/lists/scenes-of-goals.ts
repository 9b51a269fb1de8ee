import { type BuildScenes, longest, type Stage } from "./stage.ts";

/** The paged lists of goals. */
export const GOALS: Readonly<Record<string, BuildScenes>> = {
  "/api/goals/{id}/check-ins": async (stage) => {
    const { as, goal, checkIn } = await checkedIn(stage);
    return [await stage.copied({ path: `/api/goals/${goal}/check-ins`, as }, "nectar.goal_check_ins", checkIn)];
  },
};
/** A goal with one check-in with the longest notes. */
export async function checkedIn(stage: Stage) {
  const as = await stage.api.person();
  const body = { title: longest(200), description: longest(5_000) };
  const { id: goal } = await stage.make("/api/goals", "goal", as, body);
  const path = `/api/goals/${goal}/check-ins`;
  const { id: checkIn } = await stage.make(path, "check_in", as, { status: "partial", notes: longest(2_000) });
  return { as, goal, checkIn };
}
