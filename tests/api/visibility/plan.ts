import fc from "fast-check";

/** A number that picks one item of a list, modulo its length. */
export type Pick = number;

const pick: fc.Arbitrary<Pick> = fc.nat(11);
const picks = fc.array(pick, { minLength: 0, maxLength: 5, size: "max" });
/** Mostly groups, because they have the difficult cases. */
const level = fc.constantFrom("user", "user", "team", "team", "team", "org", "org", "public", "public");

/** @param amongOwnGroups whether to pick only groups of the author; sharing with other groups must be refused */
const sharingWith = (amongOwnGroups: fc.Arbitrary<boolean>) =>
  fc.record({ metadata_visibility: level, content_visibility: level, team: pick, organization: pick, amongOwnGroups });

const entryWith = (sharing: ReturnType<typeof sharingWith>) =>
  fc.record({
    author: pick,
    sharing,
    inherit: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    notebook: fc.option(pick, { freq: 3 }),
    mood: fc.constantFrom("calm", "angry"),
    isMoodFound: fc.boolean(),
    tag: fc.constantFrom("Rain", "walk"),
  });

/** Sharing of the initial world is mostly allowed, because what is refused is not shared. */
const sharing = sharingWith(
  fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
);
const entry = entryWith(sharing);
/** Half of the sharing in steps is with any group, because groups of others are few. */
const newSharing = sharingWith(fc.boolean());

const bySelf = fc.boolean();

const sendDrop = fc.record({
  kind: fc.constant("send drop"),
  person: pick,
  recipient: pick,
  entry: fc.option(pick, { freq: 2 }),
  /** Only if it is about no entry. */
  goal: fc.option(pick, { freq: 2 }),
});

/** On an entry or, if there is one, on a goal. */
const comment = fc.record({
  kind: fc.constant("comment"),
  person: pick,
  entry: pick,
  goal: fc.option(pick, { freq: 2 }),
});

/** Someone reports a thing, and an admin hides it. */
const hide = fc.record({
  kind: fc.constantFrom("hide entry", "hide notebook", "hide goal", "hide tone pack", "hide drop"),
  reporter: pick,
  target: pick,
});

/** Steps of which few worlds have both outcomes. */
function twice<Kind>(arbitrary: fc.Arbitrary<Kind>) {
  return { weight: 2, arbitrary };
}

const share = {
  notebook: fc.record({ kind: fc.constant("share notebook"), notebook: pick, sharing: newSharing }),
  entry: fc.record({ kind: fc.constant("share entry"), entry: pick, sharing: newSharing }),
  inheritance: fc.record({ kind: fc.constant("set inheritance"), entry: pick, inherit: fc.boolean() }),
  move: fc.record({ kind: fc.constant("move entry"), entry: pick, notebook: fc.option(pick, { freq: 3 }) }),
  goal: fc.record({ kind: fc.constant("share goal"), goal: pick, sharing: newSharing }),
  newEntry: fc.record({ kind: fc.constant("write entry"), entry: entryWith(newSharing) }),
};

/** Changes of who sees entries and goals, by their authors. */
export const sharingSteps = fc.array(fc.oneof(...Object.values(share), twice(share.notebook)), {
  minLength: 0,
  maxLength: 6,
  size: "max",
});

const step = fc.oneof(
  fc.record({ kind: fc.constant("join organization"), organization: pick, person: pick }),
  fc.record({ kind: fc.constant("leave organization"), organization: pick, person: pick, bySelf }),
  fc.record({ kind: fc.constant("join team"), team: pick, person: pick }),
  twice(fc.record({ kind: fc.constant("leave team"), team: pick, person: pick, bySelf })),
  fc.record({ kind: fc.constant("transfer organization"), organization: pick, person: pick }),
  fc.record({ kind: fc.constant("change primary admin"), team: pick, person: pick }),
  fc.record({ kind: fc.constant("delete team"), team: pick }),
  fc.record({ kind: fc.constant("delete organization"), organization: pick }),
  share.notebook,
  fc.record({ kind: fc.constant("delete notebook"), notebook: pick }),
  share.goal,
  fc.record({ kind: fc.constant("delete goal"), goal: pick }),
  twice(share.entry),
  share.inheritance,
  share.move,
  share.newEntry,
  twice(fc.record({ kind: fc.constant("trash entry"), entry: pick })),
  twice(fc.record({ kind: fc.constant("restore entry"), entry: pick })),
  fc.record({ kind: fc.constant("block"), person: pick, other: pick }),
  fc.record({ kind: fc.constant("unblock"), person: pick, other: pick }),
  sendDrop,
  twice(fc.record({ kind: fc.constant("buy tone pack"), person: pick, tonePack: pick })),
  fc.record({ kind: fc.constant("reverse"), decision: pick }),
);

/**
 * The plan of a world: its people, what they wrote, whom they blocked, which drops they sent, what is hidden, and the steps
 * that follow. The first person is a super admin.
 */
export const plan = fc.record({
  people: fc.integer({ min: 3, max: 5 }),
  organizations: fc.array(fc.record({ owner: pick, members: picks }), { minLength: 1, maxLength: 2, size: "max" }),
  teams: fc.array(fc.record({ organization: pick, admin: pick, members: picks }), {
    minLength: 0,
    maxLength: 3,
    size: "max",
  }),
  notebooks: fc.array(fc.record({ author: pick, sharing }), { minLength: 1, maxLength: 3, size: "max" }),
  entries: fc.array(entry, { minLength: 1, maxLength: 7, size: "max" }),
  goals: fc.array(fc.record({ author: pick, sharing }), { minLength: 0, maxLength: 4, size: "max" }),
  tonePacks: fc.array(fc.record({ owner: pick, isPublic: fc.boolean(), recipients: picks, buyers: picks }), {
    minLength: 0,
    maxLength: 2,
    size: "max",
  }),
  blocks: fc.array(fc.record({ person: pick, other: pick }), { minLength: 0, maxLength: 3, size: "max" }),
  /** Before everything that is hidden. */
  drops: fc.array(sendDrop, { minLength: 0, maxLength: 2, size: "max" }),
  /** Before the other steps. */
  hides: fc.array(hide, { minLength: 0, maxLength: 3, size: "max" }),
  steps: fc.array(step, { minLength: 0, maxLength: 10, size: "max" }),
  /** After the other steps. */
  comments: fc.array(comment, { minLength: 0, maxLength: 4, size: "max" }),
});

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
export type Plan = Drawn<typeof plan>;
export type PlannedSharing = Drawn<typeof sharing>;
export type PlannedEntry = Drawn<typeof entry>;
export type Step = Drawn<typeof step> | Drawn<typeof hide> | Drawn<typeof comment>;
