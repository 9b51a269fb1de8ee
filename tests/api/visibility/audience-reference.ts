import type { Audience } from "#journal/audience";
import {
  type Axis,
  type Entry,
  entryShare,
  isHidden,
  type Level,
  type Sharing,
  seesContent,
  seesEntry,
  type World,
} from "./reference.ts";

export type AxisName = keyof Audience;

/** A team, an organization, the public, or no one beside the author, as one word. */
type Group = string;

const PUBLIC: Group = "public";
const NO_ONE: Group = "no one";

/** One of the first four, and any of the others. */
const REASONS = [
  "private",
  "explicit",
  "inherited_from_notebook",
  "not_inherited",
  "share_void",
  "limited_by_metadata",
  "public",
  "hidden_by_moderation",
] as const;

/** The audience of an entry by the specification of visibility and reasons. */
export function expectedAudience(world: World, entry: Entry): Audience {
  return { metadata: expectedAxis(world, entry, "metadata"), content: expectedAxis(world, entry, "content") };
}

function expectedAxis(world: World, entry: Entry, name: AxisName): Audience[AxisName] {
  const axis: Axis = `${name}_visibility`;
  const notebook = entry.notebook === null ? undefined : world.notebooks.get(entry.notebook);
  const inheritedFrom = entry[axis] === "user" && entry.inherit ? notebook : undefined;
  const inherits = inheritedFrom !== undefined;
  const hidden = isHidden(world, entry.id) || (inherits && isHidden(world, inheritedFrom.id));
  const source = inheritedFrom ?? entry;
  const { level } = entryShare(world, entry, axis);
  const metadata = groupOf(entryShare(world, entry, "metadata_visibility").level, sharingOf(world, entry, "metadata"));
  const isPublic = level === "public" && metadata === PUBLIC;
  const sees = name === "metadata" ? seesEntry : seesContent;
  const readers = world.people.filter(
    (person) => person !== entry.author && !world.superAdmins.has(person) && sees(world, person, entry),
  );
  return {
    set: entry[axis],
    effective: level,
    inherited_from: inherits ? { notebook_id: inheritedFrom.id, name: inheritedFrom.name } : null,
    team: level === "team" && source.team_id !== null ? { id: source.team_id, name: "Comb" } : null,
    organization: level === "org" && source.org_id !== null ? { id: source.org_id, name: "Hive" } : null,
    people: isPublic ? null : readers.length,
    approximate: false,
    reasons: REASONS.filter(
      (reason) =>
        ({
          private: !inherits && entry[axis] === "user" && notebook === undefined,
          explicit: entry[axis] !== "user",
          inherited_from_notebook: inherits,
          not_inherited: !inherits && entry[axis] === "user" && notebook !== undefined,
          share_void: level !== source[axis] && !hidden,
          limited_by_metadata: !isWithin(world, groupOf(level, source), metadata),
          public: isPublic,
          hidden_by_moderation: hidden,
        })[reason],
    ),
  };
}

/** The sharing that an axis follows: that of the entry or of its notebook. */
function sharingOf(world: World, entry: Entry, name: AxisName): Sharing {
  const notebook = entry.notebook === null ? undefined : world.notebooks.get(entry.notebook);
  return (entry[`${name}_visibility`] === "user" && entry.inherit ? notebook : undefined) ?? entry;
}

function groupOf(level: Level, { team_id, org_id }: Pick<Sharing, "team_id" | "org_id">): Group {
  return { user: NO_ONE, team: team_id, org: org_id, public: PUBLIC }[level] ?? NO_ONE;
}

/** Whether everyone in one group is in another, whoever their members are. */
function isWithin(world: World, inner: Group, outer: Group): boolean {
  return inner === outer || inner === NO_ONE || outer === PUBLIC || world.teams.get(inner)?.organization === outer;
}

/** The groups that someone must all be in to see an axis. */
export function groupsOf(audience: Audience, name: AxisName): Group[] {
  const axes = name === "metadata" ? [audience.metadata] : [audience.metadata, audience.content];
  return axes.map(({ effective, team, organization }) =>
    groupOf(effective, { team_id: team?.id ?? null, org_id: organization?.id ?? null }),
  );
}

/** Whether everyone who is in all groups of the first list is in all of the second. */
export function isAllWithin(world: World, inner: readonly Group[], outer: readonly Group[]): boolean {
  return outer.every((group) => inner.some((one) => isWithin(world, one, group)));
}

const LEVELS: readonly Level[] = ["user", "team", "org", "public"];

/** The narrower visibility of those that decide about an axis. */
export function narrowest(audience: Audience, name: AxisName): Level {
  const axes = name === "metadata" ? [audience.metadata] : [audience.metadata, audience.content];
  const found = LEVELS.find((level) => axes.some(({ effective }) => effective === level));
  if (found === undefined) throw new Error("Every axis has a visibility.");
  return found;
}
