import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import * as z from "zod";
import type { ApiResponse } from "#tests/client";
import type { Send } from "./client.ts";
import {
  block,
  buyTonePack,
  deleteNotebook,
  deleteOrganization,
  deleteTeam,
  joinOrganization,
  joinTeam,
  leaveOrganization,
  leaveTeam,
  maySendDrop,
  mayShare,
  moveEntry,
  reshare,
  transferOrganization,
  unblock,
  updatePrimaryAdmin,
} from "./history.ts";
import { hideStep, type Outcome, reverseStep, type StepOf } from "./moderation-steps.ts";
import type { PlannedEntry, Step } from "./plan.ts";
import {
  type Axis,
  type Entry,
  entryShare,
  type Goal,
  mayComment,
  ownShare,
  type Share,
  type Sharing,
  type World,
} from "./reference.ts";
import { chooseSharing, imagineEntry, oneOf, personOf, superAdminOf } from "./scene.ts";

/**
 * Takes a step in the reference and through the API, and checks that the API allows what the reference allows.
 * @returns whether it was allowed; null if the world has nothing that the step could change
 */
export async function happen(world: World, send: Send, step: Step): Promise<boolean | null> {
  const outcome = await perform(world, send, step);
  if (outcome === null) return null;
  const { allowed, response } = outcome;
  expect(response.status < 300, `${step.kind} got ${response.status} ${response.text}, allowed: ${allowed}`).toBe(
    allowed,
  );
  expect(response.status, `${step.kind}: ${response.text}`).toBeLessThan(500);
  return allowed;
}

/** The reference takes a step before its request is sent. */
async function outcome(allowed: boolean, response: Promise<ApiResponse>): Outcome {
  return { allowed, response: await response };
}

function perform(world: World, send: Send, step: Step): Outcome {
  switch (step.kind) {
    case "join organization":
    case "leave organization":
    case "transfer organization":
    case "delete organization":
      return organizationStep(world, send, step);
    case "join team":
    case "leave team":
    case "change primary admin":
    case "delete team":
      return teamStep(world, send, step);
    case "share notebook":
    case "delete notebook":
      return notebookStep(world, send, step);
    case "share goal":
    case "delete goal":
      return goalStep(world, send, step);
    case "share entry":
    case "set inheritance":
    case "move entry":
      return entryStep(world, send, step);
    case "write entry":
      return writeStep(world, send, step.entry);
    case "trash entry":
    case "restore entry":
      return trashStep(world, send, step);
    case "block":
    case "unblock":
      return blockStep(world, send, step);
    case "send drop":
      return dropStep(world, send, step);
    case "comment":
      return commentStep(world, send, step);
    case "buy tone pack":
      return purchaseStep(world, send, step);
    case "hide entry":
    case "hide notebook":
    case "hide goal":
    case "hide tone pack":
    case "hide drop":
      return hideStep(world, send, step);
    case "reverse":
      return reverseStep(world, send, step);
  }
}

async function organizationStep(
  world: World,
  send: Send,
  step: StepOf<"join organization" | "leave organization" | "transfer organization" | "delete organization">,
): Outcome {
  const id = oneOf(world.organizations.keys(), step.organization);
  if (id === undefined) return null;
  const root = superAdminOf(world);
  const path = `/api/organizations/${id}`;
  if (step.kind === "delete organization") return outcome(deleteOrganization(world, id), send(root, "DELETE", path));
  const person = personOf(world, step.person);
  if (step.kind === "join organization") {
    return outcome(
      joinOrganization(world, id, person, root),
      send(root, "POST", `${path}/members`, { user_id: person }),
    );
  }
  if (step.kind === "leave organization") {
    const remover = step.bySelf ? person : root;
    return outcome(leaveOrganization(world, id, person), send(remover, "DELETE", `${path}/members/${person}`));
  }
  const body = { new_owner_id: person };
  return outcome(transferOrganization(world, id, person, root), send(root, "POST", `${path}/transfer-ownership`, body));
}

async function teamStep(
  world: World,
  send: Send,
  step: StepOf<"join team" | "leave team" | "change primary admin" | "delete team">,
): Outcome {
  const id = oneOf(world.teams.keys(), step.team);
  if (id === undefined) return null;
  const root = superAdminOf(world);
  const path = `/api/teams/${id}`;
  if (step.kind === "delete team") return outcome(deleteTeam(world, id), send(root, "DELETE", path));
  const person = personOf(world, step.person);
  if (step.kind === "join team") {
    return outcome(joinTeam(world, id, person, root), send(root, "POST", `${path}/members`, { user_id: person }));
  }
  if (step.kind === "leave team") {
    const remover = step.bySelf ? person : root;
    return outcome(leaveTeam(world, id, person), send(remover, "DELETE", `${path}/members/${person}`));
  }
  return outcome(updatePrimaryAdmin(world, id, person, root), send(root, "PUT", path, { admin_id: person }));
}

async function notebookStep(world: World, send: Send, step: StepOf<"share notebook" | "delete notebook">): Outcome {
  const notebook = oneOf(world.notebooks.values(), step.notebook);
  if (notebook === undefined) return null;
  const path = `/api/notebooks/${notebook.id}`;
  const { author } = notebook;
  if (step.kind === "delete notebook") return outcome(deleteNotebook(world, notebook.id), send(author, "DELETE", path));
  const wanted = chooseSharing(world, author, step.sharing);
  return outcome(reshare(world, author, notebook, wanted), send(author, "PUT", path, wanted));
}

async function goalStep(world: World, send: Send, step: StepOf<"share goal" | "delete goal">): Outcome {
  const goal = oneOf(world.goals.values(), step.goal);
  if (goal === undefined) return null;
  const path = `/api/goals/${goal.id}`;
  const { author } = goal;
  if (step.kind === "delete goal") {
    world.comments.delete(goal.id);
    return outcome(world.goals.delete(goal.id), send(author, "DELETE", path));
  }
  const wanted = chooseSharing(world, author, step.sharing);
  return outcome(reshare(world, author, goal, wanted), send(author, "PUT", path, wanted));
}

async function entryStep(
  world: World,
  send: Send,
  step: StepOf<"share entry" | "set inheritance" | "move entry">,
): Outcome {
  const entry = oneOf(world.entries.values(), step.entry);
  if (entry === undefined) return null;
  const put = (body: object) => send(entry.author, "PUT", `/api/journal/${entry.id}`, body);
  if (step.kind === "set inheritance") {
    entry.inherit = step.inherit;
    return { allowed: true, response: await put({ inherit_visibility: step.inherit }) };
  }
  if (step.kind === "move entry") {
    const notebook = step.notebook === null ? null : (oneOf(world.notebooks.keys(), step.notebook) ?? null);
    return { allowed: moveEntry(world, entry, notebook), response: await put({ notebook_id: notebook }) };
  }
  const wanted: Sharing = chooseSharing(world, entry.author, step.sharing);
  return { allowed: reshare(world, entry.author, entry, wanted), response: await put(wanted) };
}

const Written = z.object({ entry: z.object({ id: z.guid() }) });

async function writeStep(world: World, send: Send, planned: PlannedEntry): Outcome {
  // A mood that comes with the request was chosen by the author.
  const { id: _, ...entry } = imagineEntry(world, { ...planned, isMoodFound: false });
  const { author, notebook, inherit, tag, isMoodFound: __, ...rest } = entry;
  const response = await send(author, "POST", "/api/journal", {
    ...rest,
    notebook_id: notebook,
    inherit_visibility: inherit,
    tags: [tag],
  });
  const allowed = mayShare(world, author, null, entry);
  if (allowed && response.status === 201) {
    const { id } = Written.parse(JSON.parse(response.text)).entry;
    world.entries.set(id, { id, ...entry });
  }
  return { allowed, response };
}

async function trashStep(world: World, send: Send, step: StepOf<"trash entry" | "restore entry">): Outcome {
  const [from, to] = step.kind === "trash entry" ? [world.entries, world.trash] : [world.trash, world.entries];
  const entry = oneOf(from.values(), step.entry);
  if (entry === undefined) return null;
  const path = `/api/journal/${entry.id}`;
  from.delete(entry.id);
  to.set(entry.id, entry);
  const { author } = entry;
  const isTrashed = step.kind === "trash entry";
  return outcome(true, isTrashed ? send(author, "DELETE", path) : send(author, "POST", `${path}/restore`));
}

async function blockStep(world: World, send: Send, step: StepOf<"block" | "unblock">): Outcome {
  const person = personOf(world, step.person);
  const other = personOf(world, step.other);
  if (step.kind === "unblock") {
    return outcome(unblock(world, person, other), send(person, "DELETE", `/api/blocks/${other}`));
  }
  return outcome(block(world, person, other), send(person, "POST", "/api/blocks", { user_id: other }));
}

const Sent = z.object({ drop: z.object({ id: z.guid() }) });

async function dropStep(world: World, send: Send, step: StepOf<"send drop">): Outcome {
  const entry = step.entry === null ? undefined : oneOf(world.entries.values(), step.entry);
  const goal = step.goal === null || entry !== undefined ? undefined : oneOf(world.goals.values(), step.goal);
  const sender = personOf(world, step.person);
  const recipient = personOf(world, step.recipient);
  const content = `drop-${randomUUID()}`;
  const allowed = maySendDrop(world, sender, recipient, entry, goal);
  const response = await send(sender, "POST", "/api/encouragement-drops/send", {
    recipient_id: recipient,
    content,
    entry_id: entry?.id,
    goal_id: goal?.id,
  });
  if (allowed && response.status === 201) {
    const { id } = Sent.parse(JSON.parse(response.text)).drop;
    world.drops.push({ id, sender, recipient, content });
  }
  return { allowed, response };
}

async function commentStep(world: World, send: Send, step: StepOf<"comment">): Outcome {
  const goal = step.goal === null ? undefined : oneOf(world.goals.values(), step.goal);
  const entry = oneOf(world.entries.values(), step.entry);
  if (goal !== undefined) {
    const shareOf = (axis: Axis) => ownShare(world, goal, axis);
    return commentOn(world, send, personOf(world, step.person), `/api/goals/${goal.id}`, goal, shareOf);
  }
  if (entry === undefined) return null;
  const shareOf = (axis: Axis) => entryShare(world, entry, axis);
  return commentOn(world, send, personOf(world, step.person), `/api/journal/${entry.id}`, entry, shareOf);
}

async function commentOn(
  world: World,
  send: Send,
  person: string,
  path: string,
  { id, author }: Entry | Goal,
  shareOf: (axis: Axis) => Share,
): Outcome {
  const allowed = mayComment(world, person, author, shareOf("metadata_visibility"), shareOf("content_visibility"));
  if (allowed) world.comments.set(id, [...(world.comments.get(id) ?? []), person]);
  return outcome(allowed, send(person, "POST", `${path}/comments`, { content: `comment-${id}` }));
}

async function purchaseStep(world: World, send: Send, step: StepOf<"buy tone pack">): Outcome {
  const pack = oneOf(world.tonePacks, step.tonePack);
  if (pack === undefined) return null;
  const buyer = personOf(world, step.person);
  return outcome(buyTonePack(world, buyer, pack), send(buyer, "POST", `/api/tone-packs/${pack.id}/purchase`));
}
