import { expect } from "vitest";
import * as z from "zod";
import type { ApiResponse } from "../../support/client.ts";
import type { Send } from "./client.ts";
import {
  deleteNotebook,
  deleteOrganization,
  deleteTeam,
  joinOrganization,
  joinTeam,
  leaveOrganization,
  leaveTeam,
  mayShare,
  moveEntry,
  reshare,
  transferOrganization,
  updatePrimaryAdmin,
} from "./history.ts";
import type { PlannedEntry, Step } from "./plan.ts";
import type { Sharing, World } from "./reference.ts";
import { chooseSharing, imagineEntry, oneOf } from "./scene.ts";

type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;

/**
 * Lets something happen, in the reference and through the API, and holds the API to whether it was allowed.
 * @returns whether it happened; null when there was nothing that it could happen to
 */
export async function happen(world: World, send: Send, step: Step): Promise<boolean | null> {
  const request = prepare(world, send, step);
  if (request === null) return null;
  const { allowed, answer } = await request();
  const status = answer.status;
  expect(status < 300, `${step.kind} was answered ${status} ${answer.text}, allowed: ${allowed}`).toBe(allowed);
  expect(status, `${step.kind}: ${answer.text}`).toBeLessThan(500);
  return allowed;
}

type Prepared = (() => Promise<{ allowed: boolean; answer: ApiResponse }>) | null;

function prepare(world: World, send: Send, step: Step): Prepared {
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
    case "share entry":
    case "set inheritance":
    case "move entry":
      return entryStep(world, send, step);
    case "write entry":
      return writeStep(world, send, step.entry);
  }
}

function organizationStep(
  world: World,
  send: Send,
  step: StepOf<"join organization" | "leave organization" | "transfer organization" | "delete organization">,
): Prepared {
  const id = oneOf(world.organizations.keys(), step.organization);
  if (id === undefined) return null;
  const root = superAdminOf(world);
  const path = `/api/organizations/${id}`;
  if (step.kind === "delete organization") {
    return async () => ({ allowed: deleteOrganization(world, id), answer: await send(root, "DELETE", path) });
  }
  const person = personOf(world, step.person);
  if (step.kind === "join organization") {
    const body = { user_id: person };
    return async () => ({
      allowed: joinOrganization(world, id, person),
      answer: await send(root, "POST", `${path}/members`, body),
    });
  }
  if (step.kind === "leave organization") {
    return async () => ({
      allowed: leaveOrganization(world, id, person),
      answer: await send(step.bySelf ? person : root, "DELETE", `${path}/members/${person}`),
    });
  }
  return async () => ({
    allowed: transferOrganization(world, id, person),
    answer: await send(root, "POST", `${path}/transfer-ownership`, { new_owner_id: person }),
  });
}

function teamStep(
  world: World,
  send: Send,
  step: StepOf<"join team" | "leave team" | "change primary admin" | "delete team">,
): Prepared {
  const id = oneOf(world.teams.keys(), step.team);
  if (id === undefined) return null;
  const root = superAdminOf(world);
  const path = `/api/teams/${id}`;
  if (step.kind === "delete team") {
    return async () => ({ allowed: deleteTeam(world, id), answer: await send(root, "DELETE", path) });
  }
  const person = personOf(world, step.person);
  if (step.kind === "join team") {
    return async () => ({
      allowed: joinTeam(world, id, person),
      answer: await send(root, "POST", `${path}/members`, { user_id: person }),
    });
  }
  if (step.kind === "leave team") {
    return async () => ({
      allowed: leaveTeam(world, id, person),
      answer: await send(step.bySelf ? person : root, "DELETE", `${path}/members/${person}`),
    });
  }
  return async () => ({
    allowed: updatePrimaryAdmin(world, id, person),
    answer: await send(root, "PUT", path, { admin_id: person }),
  });
}

function notebookStep(world: World, send: Send, step: StepOf<"share notebook" | "delete notebook">): Prepared {
  const notebook = oneOf(world.notebooks.values(), step.notebook);
  if (notebook === undefined) return null;
  const path = `/api/notebooks/${notebook.id}`;
  if (step.kind === "delete notebook") {
    return async () => ({
      allowed: deleteNotebook(world, notebook.id),
      answer: await send(notebook.author, "DELETE", path),
    });
  }
  const wanted = chooseSharing(world, notebook.author, step.sharing);
  return async () => ({
    allowed: reshare(world, notebook.author, notebook, wanted),
    answer: await send(notebook.author, "PUT", path, wanted),
  });
}

function entryStep(world: World, send: Send, step: StepOf<"share entry" | "set inheritance" | "move entry">): Prepared {
  const entry = oneOf(world.entries.values(), step.entry);
  if (entry === undefined) return null;
  const put = (body: object) => send(entry.author, "PUT", `/api/journal/${entry.id}`, body);
  if (step.kind === "set inheritance") {
    return async () => {
      entry.inherit = step.inherit;
      return { allowed: true, answer: await put({ inherit_visibility: step.inherit }) };
    };
  }
  if (step.kind === "move entry") {
    const notebook = step.notebook === null ? null : (oneOf(world.notebooks.keys(), step.notebook) ?? null);
    return async () => ({ allowed: moveEntry(world, entry, notebook), answer: await put({ notebook_id: notebook }) });
  }
  const wanted: Sharing = chooseSharing(world, entry.author, step.sharing);
  return async () => ({ allowed: reshare(world, entry.author, entry, wanted), answer: await put(wanted) });
}

const Written = z.object({ entry: z.object({ id: z.guid() }) });

function writeStep(world: World, send: Send, planned: PlannedEntry): Prepared {
  // A mood that comes with the request was chosen by the author.
  const { id: _, ...entry } = imagineEntry(world, { ...planned, isMoodFound: false });
  const { author, notebook, inherit, tag, isMoodFound: __, ...rest } = entry;
  return async () => {
    const answer = await send(author, "POST", "/api/journal", {
      ...rest,
      notebook_id: notebook,
      inherit_visibility: inherit,
      tags: [tag],
    });
    const allowed = mayShare(world, author, null, entry);
    if (allowed && answer.status === 201) {
      const { id } = Written.parse(JSON.parse(answer.text)).entry;
      world.entries.set(id, { id, ...entry });
    }
    return { allowed, answer };
  };
}

function personOf(world: World, pick: number): string {
  return world.people[pick % world.people.length] ?? "";
}

function superAdminOf(world: World): string {
  const [first] = world.superAdmins;
  if (first === undefined) throw new Error("These worlds have a super admin.");
  return first;
}
