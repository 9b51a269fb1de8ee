import {
  type Entry,
  type Goal,
  hasBlock,
  type Sharing,
  seesEntry,
  seesGoal,
  type TonePack,
  tonePackSection,
  type World,
} from "./reference.ts";

/**
 * What each step changes in the world of the reference, written from the specification. Each function returns whether the
 * specification allows the step; if it does not, nothing has changed.
 */

export function joinOrganization(world: World, organizationId: string, person: string, addedBy: string): boolean {
  const members = world.organizations.get(organizationId)?.members;
  if (members === undefined || members.has(person) || hasBlock(world, addedBy, person)) return false;
  members.add(person);
  return true;
}

/** Leaving an organization includes its teams; its owner becomes the primary admin of teams that lose theirs. */
export function leaveOrganization(world: World, organizationId: string, person: string): boolean {
  const organization = world.organizations.get(organizationId);
  if (organization === undefined || !organization.members.has(person) || organization.owner === person) return false;
  organization.members.delete(person);
  for (const team of world.teams.values()) {
    if (team.organization !== organizationId) continue;
    team.members.delete(person);
    if (team.primaryAdmin !== person) continue;
    team.primaryAdmin = organization.owner;
    team.members.add(organization.owner);
  }
  return true;
}

export function joinTeam(world: World, teamId: string, person: string, addedBy: string): boolean {
  const team = world.teams.get(teamId);
  if (team === undefined || team.members.has(person) || hasBlock(world, addedBy, person)) return false;
  if (world.organizations.get(team.organization)?.members.has(person) !== true) return false;
  team.members.add(person);
  return true;
}

/** These worlds have no co-admins, so a primary admin is the last admin and cannot leave. */
export function leaveTeam(world: World, teamId: string, person: string): boolean {
  const team = world.teams.get(teamId);
  if (team === undefined || team.primaryAdmin === person) return false;
  return team.members.delete(person);
}

export function transferOrganization(world: World, organizationId: string, person: string, givenBy: string): boolean {
  const organization = world.organizations.get(organizationId);
  if (organization === undefined || organization.owner === person || !organization.members.has(person)) return false;
  if (hasBlock(world, givenBy, person)) return false;
  organization.owner = person;
  return true;
}

/** A block between two members of the team does not count. */
export function updatePrimaryAdmin(world: World, teamId: string, person: string, namedBy: string): boolean {
  const team = world.teams.get(teamId);
  if (team === undefined || world.organizations.get(team.organization)?.members.has(person) !== true) return false;
  const areBothIn = team.members.has(person) && team.members.has(namedBy);
  if (team.primaryAdmin !== person && hasBlock(world, namedBy, person) && !areBothIn) return false;
  team.primaryAdmin = person;
  team.members.add(person);
  return true;
}

export function deleteTeam(world: World, teamId: string): boolean {
  if (!world.teams.delete(teamId)) return false;
  fallBack(world, "team", "team_id", teamId);
  return true;
}

export function deleteOrganization(world: World, organizationId: string): boolean {
  if (!world.organizations.delete(organizationId)) return false;
  fallBack(world, "org", "org_id", organizationId);
  for (const [teamId, team] of [...world.teams]) if (team.organization === organizationId) deleteTeam(world, teamId);
  return true;
}

/**
 * What was shared with a deleted group becomes private, never wider: an entry that was shared with the group itself does
 * not start to inherit from its notebook.
 */
function fallBack(world: World, level: "team" | "org", idField: "team_id" | "org_id", id: string): void {
  const clear = (sharing: Sharing) => {
    if (sharing.metadata_visibility === level) sharing.metadata_visibility = "user";
    if (sharing.content_visibility === level) sharing.content_visibility = "user";
    sharing[idField] = null;
  };
  for (const thing of [...world.notebooks.values(), ...world.goals.values()]) if (thing[idField] === id) clear(thing);
  for (const entry of withTrash(world)) {
    if (entry[idField] !== id) continue;
    if (entry.metadata_visibility === level || entry.content_visibility === level) entry.inherit = false;
    clear(entry);
  }
}

/** Sharing is checked if a visibility or an id changes: the author must be a member of the group. */
export function reshare(world: World, author: string, target: Sharing, wanted: Sharing): boolean {
  if (!mayShare(world, author, target, wanted)) return false;
  Object.assign(target, wanted);
  return true;
}

export function mayShare(world: World, author: string, before: Sharing | null, after: Sharing): boolean {
  const startsSharing = (level: "team" | "org", idField: "team_id" | "org_id") =>
    after[idField] !== null &&
    (before === null ||
      before[idField] !== after[idField] ||
      (after.metadata_visibility === level && before.metadata_visibility !== level) ||
      (after.content_visibility === level && before.content_visibility !== level));
  const inTeam = world.teams.get(after.team_id ?? "")?.members.has(author) ?? false;
  const inOrganization = world.organizations.get(after.org_id ?? "")?.members.has(author) ?? false;
  return (!startsSharing("team", "team_id") || inTeam) && (!startsSharing("org", "org_id") || inOrganization);
}

/** Its entries are kept, without a notebook. */
export function deleteNotebook(world: World, notebookId: string): boolean {
  if (!world.notebooks.delete(notebookId)) return false;
  for (const entry of withTrash(world)) if (entry.notebook === notebookId) entry.notebook = null;
  return true;
}

/** An entry in the trash returns as it would be now if it had stayed in the journal. */
function withTrash({ entries, trash }: World): Entry[] {
  return [...entries.values(), ...trash.values()];
}

/** Authors can only use their own notebooks. */
export function moveEntry(world: World, entry: Entry, notebookId: string | null): boolean {
  if (notebookId !== null && world.notebooks.get(notebookId)?.author !== entry.author) return false;
  entry.notebook = notebookId;
  return true;
}

/** Blocking again changes nothing; no one can block themselves. */
export function block(world: World, person: string, other: string): boolean {
  if (person === other) return false;
  world.blocks.get(person)?.add(other);
  return true;
}

export function unblock(world: World, person: string, other: string): boolean {
  return world.blocks.get(person)?.delete(other) === true;
}

/** A drop can be about any entry or goal that its sender sees. */
export function maySendDrop(
  world: World,
  sender: string,
  recipient: string,
  entry: Entry | undefined,
  goal: Goal | undefined,
): boolean {
  if (sender === recipient || hasBlock(world, sender, recipient)) return false;
  return (
    (entry === undefined || seesEntry(world, sender, entry)) && (goal === undefined || seesGoal(world, sender, goal))
  );
}

/** Everything of others can be reported that the reporter would see without blocks of their own. */
export function mayReport(
  world: World,
  reporter: string,
  owner: string,
  isSeen: (withoutOwnBlocks: World) => boolean,
): boolean {
  const blocks = new Map([...world.blocks].filter(([person]) => person !== reporter));
  return reporter !== owner && isSeen({ ...world, blocks });
}

export function buyTonePack(world: World, buyer: string, pack: TonePack): boolean {
  const section = tonePackSection(world, buyer, pack);
  if (section !== "public" && section !== "shared") return false;
  pack.buyers.add(buyer);
  return true;
}
