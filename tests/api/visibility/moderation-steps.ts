import * as z from "zod";
import type { ApiResponse } from "#tests/client";
import type { Send } from "./client.ts";
import { mayReport } from "./history.ts";
import type { Step } from "./plan.ts";
import { seesDrop, seesEntry, seesNotebook, tonePackSection, type World } from "./reference.ts";
import { oneOf, personOf, superAdminOf } from "./scene.ts";

export type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;

/** Whether the reference allows a step, and the response of the API; null if there is nothing to change. */
export type Outcome = Promise<{ allowed: boolean; response: ApiResponse } | null>;

function hiddenThing(world: World, { kind, target }: StepOf<HideKind>) {
  if (kind === "hide tone pack") {
    const pack = oneOf(world.tonePacks, target);
    return (
      pack && {
        type: "tone_pack",
        id: pack.id,
        owner: pack.owner,
        isSeenBy: (viewer: string, seen: World) => tonePackSection(seen, viewer, pack) !== null,
      }
    );
  }
  if (kind === "hide drop") {
    const drop = oneOf(world.drops, target);
    return (
      drop && {
        type: "drop",
        id: drop.id,
        owner: drop.sender,
        isSeenBy: (viewer: string, seen: World) => seesDrop(seen, viewer, drop),
      }
    );
  }
  if (kind === "hide notebook") {
    const notebook = oneOf(world.notebooks.values(), target);
    return (
      notebook && {
        type: "notebook",
        id: notebook.id,
        owner: notebook.author,
        isSeenBy: (viewer: string, seen: World) => seesNotebook(seen, viewer, notebook),
      }
    );
  }
  const entry = oneOf(world.entries.values(), target);
  return (
    entry && {
      type: "entry",
      id: entry.id,
      owner: entry.author,
      isSeenBy: (viewer: string, seen: World) => seesEntry(seen, viewer, entry),
    }
  );
}

type HideKind = "hide entry" | "hide notebook" | "hide tone pack" | "hide drop";

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
