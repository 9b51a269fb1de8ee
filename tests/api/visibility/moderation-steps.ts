import * as z from "zod";
import type { ApiResponse } from "#tests/client";
import type { Send } from "./client.ts";
import { mayReport } from "./history.ts";
import type { Step } from "./plan.ts";
import { seesDrop, seesEntry, seesGoal, seesNotebook, tonePackSection, type World } from "./reference.ts";
import { oneOf, personOf, superAdminOf } from "./scene.ts";

export type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;

/** Whether the reference allows a step, and the response of the API; null if there is nothing to change. */
export type Outcome = Promise<{ allowed: boolean; response: ApiResponse } | null>;

/** A thing, its owner, and whether someone sees it. */
function thingOf<Thing extends { readonly id: string }>(
  type: string,
  thing: Thing | undefined,
  ownerOf: (thing: Thing) => string,
  sees: (world: World, viewer: string, thing: Thing) => boolean,
) {
  if (thing === undefined) return undefined;
  const isSeenBy = (viewer: string, seen: World) => sees(seen, viewer, thing);
  return { type, id: thing.id, owner: ownerOf(thing), isSeenBy };
}

function hiddenThing({ tonePacks, drops, notebooks, entries, goals }: World, { kind, target }: StepOf<HideKind>) {
  switch (kind) {
    case "hide tone pack":
      return thingOf("tone_pack", oneOf(tonePacks, target), ({ owner }) => owner, seesTonePack);
    case "hide drop":
      return thingOf("drop", oneOf(drops, target), ({ sender }) => sender, seesDrop);
    case "hide notebook":
      return thingOf("notebook", oneOf(notebooks.values(), target), ({ author }) => author, seesNotebook);
    case "hide goal":
      return thingOf("goal", oneOf(goals.values(), target), ({ author }) => author, seesGoal);
    case "hide entry":
      return thingOf("entry", oneOf(entries.values(), target), ({ author }) => author, seesEntry);
  }
}

const seesTonePack = (...seen: Parameters<typeof tonePackSection>) => tonePackSection(...seen) !== null;

type HideKind = "hide entry" | "hide notebook" | "hide goal" | "hide tone pack" | "hide drop";

const Reported = z.object({ report: z.object({ id: z.guid() }) });
const Decided = z.object({ decision: z.object({ id: z.guid() }) });
const Appealed = z.object({ appeal: z.object({ id: z.guid() }) });
const REASON = "Reported and looked at in a test.";

/** Someone reports a thing, and the super admin hides it. */
export async function hideStep(world: World, send: Send, step: StepOf<HideKind>): Outcome {
  const thing = hiddenThing(world, step);
  if (thing === undefined) return null;
  const reporter = personOf(world, step.reporter);
  const allowed = mayReport(world, reporter, thing.owner, (seen) => thing.isSeenBy(reporter, seen));
  const body = { target_type: thing.type, target_id: thing.id, reason: "other" };
  const reported = await send(reporter, "POST", "/api/reports", body);
  if (!allowed || reported.status !== 201) return { allowed, response: reported };
  const { id } = Reported.parse(JSON.parse(reported.text)).report;
  const decision = { decision: "hide", reason: REASON };
  const response = await send(superAdminOf(world), "PUT", `/api/admin/reports/${id}`, decision);
  const decided = Decided.parse(JSON.parse(response.text)).decision;
  world.decisions.add({ id: decided.id, target: thing.id, owner: thing.owner });
  return { allowed, response };
}

/** The owner appeals a decision, which is reversed. */
export async function reverseStep(world: World, send: Send, step: StepOf<"reverse">): Outcome {
  const decision = oneOf(world.decisions, step.decision);
  if (decision === undefined) return null;
  const path = `/api/moderation-decisions/${decision.id}/appeal`;
  const appealed = await send(decision.owner, "POST", path, { reason: REASON });
  const { id } = Appealed.parse(JSON.parse(appealed.text)).appeal;
  const answer = { decision: "reverse", answer: REASON };
  world.decisions.delete(decision);
  return { allowed: true, response: await send(superAdminOf(world), "PUT", `/api/admin/appeals/${id}`, answer) };
}
