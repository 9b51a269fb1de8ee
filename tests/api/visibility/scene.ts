import { randomUUID } from "node:crypto";
import type pg from "pg";
import { block } from "./history.ts";
import type { Pick, Plan, PlannedEntry, PlannedSharing } from "./plan.ts";
import type { Entry, Goal, Notebook, Sharing, World } from "./reference.ts";

/** A word that occurs in every content and nowhere else. */
export const CONTENT_WORD = "innermost";

/** Picks one item, modulo their number. */
export function oneOf<Item>(items: Iterable<Item>, pick: Pick): Item | undefined {
  const all = [...items];
  return all[pick % Math.max(all.length, 1)];
}

/** Turns a plan into the world of the reference before the first step. */
export function imagine(plan: Plan): World {
  const people = Array.from({ length: plan.people }, () => randomUUID());
  const person = (pick: Pick) => people[pick % people.length] ?? "";
  const world: World = {
    people,
    superAdmins: new Set([person(0)]),
    organizations: new Map(),
    teams: new Map(),
    notebooks: new Map(),
    entries: new Map(),
    goals: new Map(),
    trash: new Map(),
    tonePacks: plan.tonePacks.map(({ owner, isPublic, recipients, buyers }) => {
      const id = randomUUID();
      const others = (picks: readonly Pick[]) => new Set(picks.map(person).filter((other) => other !== person(owner)));
      return {
        id,
        owner: person(owner),
        name: `pack-${id}`,
        isPublic,
        recipients: others(recipients),
        buyers: others(buyers),
      };
    }),
    drops: [],
    comments: new Map(),
    blocks: new Map(people.map((id) => [id, new Set<string>()])),
    decisions: new Set(),
  };
  for (const { person: blocker, other } of plan.blocks) block(world, person(blocker), person(other));
  for (const { owner, members } of plan.organizations) {
    world.organizations.set(randomUUID(), { owner: person(owner), members: new Set([owner, ...members].map(person)) });
  }
  for (const { organization, admin, members } of plan.teams) {
    const parent = oneOf(world.organizations, organization);
    if (parent === undefined) continue;
    const candidates = [...parent[1].members];
    const member = (pick: Pick) => candidates[pick % candidates.length] ?? "";
    world.teams.set(randomUUID(), {
      organization: parent[0],
      primaryAdmin: member(admin),
      members: new Set([admin, ...members].map(member)),
    });
  }
  for (const { author, sharing } of plan.notebooks) {
    const id = randomUUID();
    const notebook: Notebook = {
      id,
      author: person(author),
      name: `notebook-${id}`,
      template: `template-${id}`,
      ...chooseSharing(world, person(author), sharing),
    };
    world.notebooks.set(id, notebook);
  }
  for (const { author, sharing } of plan.goals) {
    const id = randomUUID();
    const texts = { title: `goal-${id}`, description: `description-${id}`, notes: `notes-${id}` };
    const goal: Goal = { id, author: person(author), ...texts, ...chooseSharing(world, person(author), sharing) };
    world.goals.set(id, goal);
  }
  for (const planned of plan.entries) {
    const entry = { ...imagineEntry(world, planned), pictures: 1 };
    world.entries.set(entry.id, entry);
  }
  // Everyone has commented on everything, whenever they could.
  for (const id of [...world.entries.keys(), ...world.goals.keys()]) world.comments.set(id, [...people]);
  return world;
}

/** The planned entry. If it is planned for a notebook, its author is that of the notebook. */
export function imagineEntry(world: World, planned: PlannedEntry): Entry {
  const id = randomUUID();
  const notebook = planned.notebook === null ? undefined : oneOf(world.notebooks.values(), planned.notebook);
  const author = notebook?.author ?? world.people[planned.author % world.people.length] ?? "";
  return {
    id,
    author,
    notebook: notebook?.id ?? null,
    inherit: planned.inherit,
    title: `title-${id}`,
    content: `${CONTENT_WORD}-${id}`,
    mood: planned.mood,
    isMoodFound: planned.isMoodFound,
    tag: planned.tag,
    pictures: 0,
    ...chooseSharing(world, author, planned.sharing),
  };
}

/** Chooses the groups to share with; without a possible group the visibility stays private. */
export function chooseSharing(world: World, author: string, planned: PlannedSharing): Sharing {
  const choose = (groups: ReadonlyMap<string, { members: ReadonlySet<string> }>, pick: Pick) =>
    oneOf(
      [...groups].filter(([, group]) => !planned.amongOwnGroups || group.members.has(author)),
      pick,
    )?.[0] ?? null;
  const team = choose(world.teams, planned.team);
  const organization = choose(world.organizations, planned.organization);
  const possible = (level: PlannedSharing["metadata_visibility"]) =>
    (level === "team" && team === null) || (level === "org" && organization === null) ? "user" : level;
  const levels = {
    metadata_visibility: possible(planned.metadata_visibility),
    content_visibility: possible(planned.content_visibility),
  };
  const used = Object.values(levels);
  return {
    ...levels,
    team_id: used.includes("team") ? team : null,
    org_id: used.includes("org") ? organization : null,
  };
}

/** Writes the world into the database directly, in a few statements. */
export async function build(client: pg.ClientBase, world: World): Promise<void> {
  /** @param columns with their types */
  const insert = (target: string, columns: string, rows: readonly object[]) => {
    const names = columns.replaceAll(/(\w+) [^,]+/g, "$1");
    const text = `insert into ${target} (${names}) select ${names} from json_to_recordset($1) as r (${columns})`;
    return client.query(text, [JSON.stringify(rows)]);
  };
  const organizations = [...world.organizations].map(([id, { owner, members }]) => ({ id, owner_id: owner, members }));
  const teams = [...world.teams].map(([id, team]) => ({ id, org_id: team.organization, admin_id: team.primaryAdmin }));
  await insert(
    "auth.users",
    "id uuid, email text",
    world.people.map((id) => ({ id, email: `${id}@example.test` })),
  );
  await client.query("insert into nectar.user_roles (user_id, role) select unnest($1::uuid[]), 'super_admin'", [
    [...world.superAdmins],
  ]);
  await insert(
    "nectar.organizations",
    "id uuid, name text, owner_id uuid",
    organizations.map(({ id, owner_id }) => ({ id, owner_id, name: "Hive" })),
  );
  await insert(
    "nectar.organization_members",
    "org_id uuid, user_id uuid",
    organizations.flatMap(({ id, owner_id, members }) =>
      [...members].filter((member) => member !== owner_id).map((user_id) => ({ org_id: id, user_id })),
    ),
  );
  await insert(
    "nectar.teams",
    "id uuid, org_id uuid, admin_id uuid, name text",
    teams.map((team) => ({ ...team, name: "Comb" })),
  );
  await insert(
    "nectar.team_members",
    "team_id uuid, org_id uuid, user_id uuid",
    [...world.teams].flatMap(([team_id, { organization, primaryAdmin, members }]) =>
      [...members]
        .filter((member) => member !== primaryAdmin)
        .map((user_id) => ({ team_id, org_id: organization, user_id })),
    ),
  );
  const sharing =
    "metadata_visibility nectar.visibility, content_visibility nectar.visibility, team_id uuid, org_id uuid";
  await insert(
    "nectar.notebooks",
    `id uuid, user_id uuid, name text, ${sharing}`,
    [...world.notebooks.values()].map(({ author, ...notebook }) => ({ ...notebook, user_id: author })),
  );
  await client.query("update nectar.notebook_contents set template = 'template-' || notebook_id");
  await insert(
    "nectar.goals",
    `id uuid, user_id uuid, title text, ${sharing}`,
    [...world.goals.values()].map(({ author, ...goal }) => ({ ...goal, user_id: author })),
  );
  await client.query(`update nectar.goal_contents set description = 'description-' || goal_id;
    insert into nectar.goal_check_ins (goal_id, user_id, status, check_in_date)
      select id, user_id, 'completed', '2026-01-01' from nectar.goals;
    insert into nectar.goal_check_in_contents (check_in_id, goal_id, user_id, notes)
      select id, goal_id, user_id, 'notes-' || goal_id from nectar.goal_check_ins`);
  const entries = [...world.entries.values()];
  await insert(
    "nectar.journal_entries",
    `id uuid, user_id uuid, notebook_id uuid, title text, mood text, mood_source nectar.mood_source,
     tags text[], inherit_visibility boolean, created_at timestamptz, ${sharing}`,
    entries.map(({ author, notebook, inherit, tag, isMoodFound, pictures: _, ...entry }, index) => ({
      ...entry,
      user_id: author,
      notebook_id: notebook,
      mood_source: isMoodFound ? "ai" : "user",
      tags: [tag],
      inherit_visibility: inherit,
      created_at: new Date(Date.UTC(2026, 0, 1, 0, Math.floor(index / 2))).toISOString(),
    })),
  );
  await insert(
    "nectar.journal_entry_contents",
    "entry_id uuid, user_id uuid, content text",
    entries.map(({ id, author, content }) => ({
      entry_id: id,
      user_id: author,
      content,
    })),
  );
  // A picture has the id of its entry.
  await client.query(
    `insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, width, height, size_bytes)
     select entry_id, entry_id, user_id, entry_id, 0, 1, 1, 1 from nectar.journal_entry_contents`,
  );
  await insert(
    "nectar.team_messages",
    "entry_id uuid, goal_id uuid, sender_id uuid, content text",
    [...world.comments].flatMap(([id, authors]) => {
      const room = world.goals.has(id) ? { goal_id: id } : { entry_id: id };
      return authors.map((sender_id) => ({ ...room, sender_id, content: `comment-${id}` }));
    }),
  );
  await insert(
    "nectar.tone_packs",
    "id uuid, owner_id uuid, name text, theme nectar.tone_pack_theme, is_public boolean",
    world.tonePacks.map(({ id, owner, name, isPublic }) => ({
      id,
      owner_id: owner,
      name,
      theme: "icons",
      is_public: isPublic,
    })),
  );
  await insert(
    "nectar.tone_pack_shares",
    "pack_id uuid, owner_id uuid, user_id uuid",
    world.tonePacks.flatMap(({ id, owner, recipients }) =>
      [...recipients].map((user_id) => ({ pack_id: id, owner_id: owner, user_id })),
    ),
  );
  await client.query(
    `insert into nectar.tone_pack_purchases (pack_id, user_id, price_drops, transaction_id)
     select r.pack_id, r.user_id, 0,
       (private.post_drop_transaction(r.user_id, 'purchase', 0, 'purchase:' || r.pack_id, 'Tone pack', r.pack_id, 'tone_pack')).id
     from json_to_recordset($1) as r (pack_id uuid, user_id uuid)`,
    [
      JSON.stringify(
        world.tonePacks.flatMap(({ id, buyers }) => [...buyers].map((user_id) => ({ pack_id: id, user_id }))),
      ),
    ],
  );
  await insert(
    "nectar.blocks",
    "user_id uuid, blocked_id uuid",
    [...world.blocks].flatMap(([user_id, blocked]) => [...blocked].map((blocked_id) => ({ user_id, blocked_id }))),
  );
}

export function personOf(world: World, pick: number): string {
  return world.people[pick % world.people.length] ?? "";
}

export function superAdminOf(world: World): string {
  const [first] = world.superAdmins;
  if (first === undefined) throw new Error("These worlds have a super admin.");
  return first;
}
