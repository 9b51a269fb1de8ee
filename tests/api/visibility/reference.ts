/**
 * Who may see what, written from the specification and from nothing else: it knows people, groups, notebooks and entries,
 * but no audience, no trigger and no policy.
 */

export type Level = "user" | "team" | "org" | "public";
export type Axis = "metadata_visibility" | "content_visibility";

/** What an author says about who may see something. */
export interface Sharing {
  metadata_visibility: Level;
  content_visibility: Level;
  team_id: string | null;
  org_id: string | null;
}

export interface Notebook extends Sharing {
  readonly id: string;
  readonly author: string;
  /** Occurs nowhere else. */
  readonly name: string;
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
}

/** What one axis amounts to. */
export interface Share {
  readonly level: Level;
  /** Who is reached besides the author. */
  readonly reaches: (viewer: string) => boolean;
}

/** What a wish to share amounts to: it is void while its author is not in the team or organization. */
function share(world: World, author: string, axis: Axis, sharing: Sharing): Share {
  const level = sharing[axis];
  if (level === "public") return { level, reaches: () => true };
  const members =
    level === "team"
      ? world.teams.get(sharing.team_id ?? "")?.members
      : level === "org"
        ? world.organizations.get(sharing.org_id ?? "")?.members
        : undefined;
  if (members?.has(author)) return { level, reaches: (viewer) => members.has(viewer) };
  return { level: "user", reaches: () => false };
}

/** 'user' inherits from the notebook, with the notebook's team and organization, unless the entry says that it does not. */
export function entryShare(world: World, entry: Entry, axis: Axis): Share {
  const notebook = entry.notebook === null ? undefined : world.notebooks.get(entry.notebook);
  const inherits = entry[axis] === "user" && entry.inherit && notebook !== undefined;
  return share(world, entry.author, axis, inherits ? notebook : entry);
}

function mayRead(world: World, viewer: string, author: string, shared: Share): boolean {
  return viewer === author || world.superAdmins.has(viewer) || shared.reaches(viewer);
}

/** An entry is reachable only when its metadata is visible. */
export function seesEntry(world: World, viewer: string, entry: Entry): boolean {
  return mayRead(world, viewer, entry.author, entryShare(world, entry, "metadata_visibility"));
}

/** Content needs both. */
export function seesContent(world: World, viewer: string, entry: Entry): boolean {
  return (
    seesEntry(world, viewer, entry) &&
    mayRead(world, viewer, entry.author, entryShare(world, entry, "content_visibility"))
  );
}

/** A mood that the author chose is metadata; one that was found in the content is as hidden as the content. */
export function seesMood(world: World, viewer: string, entry: Entry): boolean {
  return entry.isMoodFound ? seesContent(world, viewer, entry) : seesEntry(world, viewer, entry);
}

/** A notebook is metadata: its name and what it says about itself. */
export function seesNotebook(world: World, viewer: string, notebook: Notebook): boolean {
  return mayRead(world, viewer, notebook.author, share(world, notebook.author, "metadata_visibility", notebook));
}
