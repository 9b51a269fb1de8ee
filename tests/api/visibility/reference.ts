/**
 * Who may see what, written from the specification and from nothing else: it knows people, groups, blocks, decisions of
 * admins, notebooks, entries, goals, tone packs and drops, but no audience, no trigger and no policy.
 */

export type Level = "user" | "team" | "org" | "public";
export type Axis = "metadata_visibility" | "content_visibility";

export interface Sharing {
  metadata_visibility: Level;
  content_visibility: Level;
  team_id: string | null;
  org_id: string | null;
}

export interface Notebook extends Sharing {
  readonly id: string;
  readonly author: string;
  /** Name and template occur nowhere else. */
  readonly name: string;
  readonly template: string;
}

export interface Entry extends Sharing {
  readonly id: string;
  readonly author: string;
  notebook: string | null;
  inherit: boolean;
  /** Occurs nowhere else. */
  readonly title: string;
  /** Occurs nowhere else. */
  readonly content: string;
  readonly mood: string;
  /** Whether a model found the mood in the content; otherwise the author chose it. */
  readonly isMoodFound: boolean;
  readonly tag: string;
  /** How many it has. */
  readonly pictures: number;
}

/** Title, description and notes occur nowhere else. */
export interface Goal extends Sharing {
  readonly id: string;
  readonly author: string;
  readonly title: string;
  readonly description: string;
  /** Of its only check-in. */
  readonly notes: string;
}

export interface TonePack {
  readonly id: string;
  readonly owner: string;
  /** Occurs nowhere else. */
  readonly name: string;
  readonly isPublic: boolean;
  readonly recipients: ReadonlySet<string>;
  readonly buyers: Set<string>;
}

export interface Drop {
  readonly id: string;
  readonly sender: string;
  readonly recipient: string;
  /** Occurs nowhere else. */
  readonly content: string;
}

export interface Organization {
  owner: string;
  readonly members: Set<string>;
}

export interface Team {
  readonly organization: string;
  primaryAdmin: string;
  readonly members: Set<string>;
}

/** Everything that visibility depends on. */
export interface World {
  readonly people: readonly string[];
  readonly superAdmins: ReadonlySet<string>;
  readonly organizations: Map<string, Organization>;
  readonly teams: Map<string, Team>;
  readonly notebooks: Map<string, Notebook>;
  readonly entries: Map<string, Entry>;
  readonly goals: Map<string, Goal>;
  /** Deleted entries that their authors can still restore; no one sees them anywhere else. */
  readonly trash: Map<string, Entry>;
  readonly tonePacks: readonly TonePack[];
  readonly drops: Drop[];
  /** The authors of the comments on each entry and goal, by its id. */
  readonly comments: Map<string, string[]>;
  /** Each person and those whom they blocked. */
  readonly blocks: ReadonlyMap<string, Set<string>>;
  /** Decisions to hide something, without those that were reversed. */
  readonly decisions: Set<Decision>;
}

/** A decision of an admin to hide a thing. */
export interface Decision {
  readonly id: string;
  readonly target: string;
  readonly owner: string;
}

export interface Share {
  readonly level: Level;
  /** Whether a viewer besides the author is reached. */
  readonly reaches: (viewer: string) => boolean;
}

/** A block works in both directions. */
export function hasBlock(world: World, one: string, other: string): boolean {
  return world.blocks.get(one)?.has(other) === true || world.blocks.get(other)?.has(one) === true;
}

/** A thing is hidden as long as a decision says so. */
export function isHidden(world: World, id: string): boolean {
  return [...world.decisions].some(({ target }) => target === id);
}

const NO_ONE: Share = { level: "user", reaches: () => false };

/** A share is void while its author is not in the team or organization. */
function share(world: World, author: string, axis: Axis, sharing: Sharing): Share {
  const level = sharing[axis];
  // Blocks hide nothing from super admins.
  if (level === "public") {
    return { level, reaches: (viewer) => world.superAdmins.has(viewer) || !hasBlock(world, viewer, author) };
  }
  const members =
    level === "team"
      ? world.teams.get(sharing.team_id ?? "")?.members
      : level === "org"
        ? world.organizations.get(sharing.org_id ?? "")?.members
        : undefined;
  if (members?.has(author)) return { level, reaches: (viewer) => members.has(viewer) };
  return NO_ONE;
}

/**
 * 'user' inherits from the notebook, with the notebook's team and organization, unless the entry says that it does not. A
 * hidden entry reaches no one, and neither does what inherits from a hidden notebook.
 */
export function entryShare(world: World, entry: Entry, axis: Axis): Share {
  const notebook = entry.notebook === null ? undefined : world.notebooks.get(entry.notebook);
  const inherits = entry[axis] === "user" && entry.inherit && notebook !== undefined;
  if (isHidden(world, entry.id) || (inherits && isHidden(world, notebook.id))) return NO_ONE;
  return share(world, entry.author, axis, inherits ? notebook : entry);
}

function mayRead(world: World, viewer: string, author: string, shared: Share): boolean {
  return viewer === author || world.superAdmins.has(viewer) || shared.reaches(viewer);
}

/** An entry is reachable only when its metadata is visible. */
export function seesEntry(world: World, viewer: string, entry: Entry): boolean {
  return mayRead(world, viewer, entry.author, entryShare(world, entry, "metadata_visibility"));
}

/** Content needs both. Public content of an entry that is shared with a group of both is work, which a block does not end. */
export function seesContent(world: World, viewer: string, entry: Entry): boolean {
  const content = entryShare(world, entry, "content_visibility");
  return (
    seesEntry(world, viewer, entry) && (content.level === "public" || mayRead(world, viewer, entry.author, content))
  );
}

/** Only its author sees a hidden notebook or goal, and super admins. */
export function ownShare(world: World, thing: Notebook | Goal, axis: Axis): Share {
  return isHidden(world, thing.id) ? NO_ONE : share(world, thing.author, axis, thing);
}

/** A notebook is metadata: its name and what it says about itself. */
export function seesNotebook(world: World, viewer: string, notebook: Notebook): boolean {
  return mayRead(world, viewer, notebook.author, ownShare(world, notebook, "metadata_visibility"));
}

/** The metadata of a goal: its title, and the dates and statuses of its check-ins. */
export function seesGoal(world: World, viewer: string, goal: Goal): boolean {
  return mayRead(world, viewer, goal.author, ownShare(world, goal, "metadata_visibility"));
}

/** The description and the notes of check-ins need both, as the content of entries does. */
export function seesGoalContent(world: World, viewer: string, goal: Goal): boolean {
  const content = ownShare(world, goal, "content_visibility");
  return seesGoal(world, viewer, goal) && (content.level === "public" || mayRead(world, viewer, goal.author, content));
}

/** Who is an author, or is reached by what is shared with a group; on what is public only people of an organization of the author. */
export function mayComment(world: World, person: string, author: string, metadata: Share, content: Share): boolean {
  if (person === author) return true;
  if (!metadata.reaches(person) || !(content.level === "public" || content.reaches(person))) return false;
  const isPublic = metadata.level === "public" && content.level === "public";
  return !isPublic || sharesOrganization(world, person, author);
}

export function sharesOrganization(world: World, one: string, other: string): boolean {
  return [...world.organizations.values()].some(({ members }) => members.has(one) && members.has(other));
}

/** Blocks hide comments in both directions, but not from super admins. */
export function commentsSeen(world: World, viewer: string, thing: string): string[] {
  const authors = world.comments.get(thing) ?? [];
  return authors.filter((author) => world.superAdmins.has(viewer) || !hasBlock(world, viewer, author));
}

/**
 * A template is content, and needs both, also for super admins: what they see of templates is not logged, so they see those
 * that are shared with them.
 */
export function seesTemplate(world: World, viewer: string, notebook: Notebook): boolean {
  const axes = ["metadata_visibility", "content_visibility"] as const;
  const [metadata, content] = axes.map((axis) => ownShare(world, notebook, axis));
  if (viewer === notebook.author) return true;
  return metadata?.reaches(viewer) === true && (content?.level === "public" || content?.reaches(viewer) === true);
}

/** A block ends what is public. Packs that were shared or bought stay, whenever that was, unless they are hidden. */
export function tonePackSection(
  world: World,
  viewer: string,
  pack: TonePack,
): "own" | "purchased" | "shared" | "public" | null {
  if (pack.owner === viewer) return "own";
  if (isHidden(world, pack.id)) return null;
  if (pack.buyers.has(viewer)) return "purchased";
  if (pack.recipients.has(viewer)) return "shared";
  return pack.isPublic && !hasBlock(world, viewer, pack.owner) ? "public" : null;
}

/** A drop that is hidden is gone for its recipient. A block changes nothing: what was received stays. */
export function seesDrop(world: World, viewer: string, { id, sender, recipient }: Drop): boolean {
  return viewer === sender || (viewer === recipient && !isHidden(world, id));
}

/** Everyone who sent a drop, by how many they sent. Hidden ones count. */
export function ranks(world: World): { readonly user_id: string; readonly rank: number }[] {
  const sent = (person: string) => world.drops.filter(({ sender }) => sender === person).length;
  return world.people
    .filter((person) => sent(person) > 0)
    .toSorted((one, other) => sent(other) - sent(one) || (one < other ? -1 : 1))
    .map((user_id, index) => ({ user_id, rank: index + 1 }));
}
