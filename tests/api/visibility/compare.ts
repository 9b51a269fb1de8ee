import { expect } from "vitest";
import * as z from "zod";
import type { Database } from "#database/database";
import { all } from "#database/query";
import type { Send } from "./client.ts";
import {
  commentsSeen,
  type Entry,
  entryShare,
  type Goal,
  hasBlock,
  isHidden,
  ownShare,
  ranks,
  seesContent,
  seesDrop,
  seesEntry,
  seesGoal,
  seesGoalContent,
  seesNotebook,
  seesTemplate,
  type TonePack,
  tonePackSection,
  type World,
} from "./reference.ts";
import { CONTENT_WORD } from "./scene.ts";

const ShownEntry = z.object({
  id: z.guid(),
  title: z.string(),
  content: z.string().nullable(),
  content_hidden: z.boolean(),
  comment_count: z.int(),
  mood: z.string().nullable(),
  mood_source: z.enum(["user", "ai"]).nullable(),
  effective_metadata_visibility: z.string(),
  effective_content_visibility: z.string(),
  moderation: z.literal("hidden").nullable(),
  picture_count: z.int(),
});
type ShownEntry = z.infer<typeof ShownEntry>;
const Shown = z.object({ entry: ShownEntry });
const ShownPictures = z.object({ pictures: z.array(z.object({ entry_id: z.guid() })) });
const ShownList = z.object({ entries: z.array(ShownEntry), next_cursor: z.string().nullable() });
const ShownNotebooks = z.object({
  notebooks: z.array(
    z.object({
      id: z.guid(),
      entry_count: z.int(),
      moderation: z.literal("hidden").nullable(),
      template: z.string().nullable(),
      content_hidden: z.boolean(),
    }),
  ),
});
const ShownTags = z.object({ tags: z.array(z.object({ tag: z.string(), count: z.int() })) });

/** Sends every request for entries, notebooks and goals that a viewer can send, and compares the responses with the reference. */
export async function compareWithReference(world: World, send: Send, viewer: string): Promise<void> {
  const seen: string[] = [];
  const get = async (path: string, status = 200): Promise<unknown> => {
    const response = await send(viewer, "GET", path);
    expect(response.status, `GET ${path}: ${response.text}`).toBe(status);
    seen.push(response.text);
    return JSON.parse(response.text);
  };
  const list = async (query: string) => ShownList.parse(await get(`/api/journal?${query}`)).entries;
  const entries = [...world.entries.values()];
  const visible = entries.filter((entry) => seesEntry(world, viewer, entry));
  const expectList = async (query: string, expected: readonly Entry[]) =>
    expect(byId(await list(query)), `the list with ${query}`).toEqual(
      byId(expected.map((entry) => expectedEntry(world, viewer, entry))),
    );

  for (const entry of entries) {
    const path = `/api/journal/${entry.id}`;
    if (!visible.includes(entry)) await get(path, 404);
    else expect(Shown.parse(await get(path)).entry).toEqual(expectedEntry(world, viewer, entry));
  }
  for (const id of world.trash.keys()) await get(`/api/journal/${id}`, 404);

  const level = (entry: Entry) => entryShare(world, entry, "metadata_visibility");
  const foreign = visible.filter((entry) => entry.author !== viewer);
  for (const sort of ["-created_at", "-entry_date"]) {
    await expectList(`sort=${sort}&scope=all`, visible);
    await expectList(
      `sort=${sort}&scope=own`,
      visible.filter((entry) => entry.author === viewer),
    );
    await expectList(
      `sort=${sort}&scope=shared`,
      foreign.filter((entry) => level(entry).level !== "public" && level(entry).reaches(viewer)),
    );
    await expectList(
      `sort=${sort}&scope=public`,
      visible.filter((entry) => level(entry).level === "public"),
    );
  }

  const contentSeen = visible.filter((entry) => seesContent(world, viewer, entry));
  const hiddenTexts = entries.filter((entry) => !contentSeen.includes(entry));
  await expectList(`q=${CONTENT_WORD}`, contentSeen);
  const asked = entries.map(({ id }) => `entry_id=${id}`).join("&");
  const { pictures } = asked === "" ? { pictures: [] } : ShownPictures.parse(await get(`/api/pictures?${asked}`));
  const withPictures = contentSeen.filter(({ pictures }) => pictures > 0);
  expect(pictures.map(({ entry_id }) => entry_id).toSorted()).toEqual(withPictures.map(({ id }) => id).toSorted());
  await expectList(
    "mood=Angry&tag=rain",
    visible.filter((entry) => entry.mood === "angry" && entry.tag === "Rain"),
  );
  await expectList(
    `tag=walk&q=${CONTENT_WORD.toUpperCase()}&scope=shared`,
    contentSeen.filter(
      (entry) =>
        entry.tag === "walk" &&
        entry.author !== viewer &&
        level(entry).level !== "public" &&
        level(entry).reaches(viewer),
    ),
  );

  const hasBlocks = world.people.some((person) => hasBlock(world, viewer, person));
  if (world.superAdmins.has(viewer) || hasBlocks) await comparePages(get);
  await compareNotebooks(world, viewer, visible, get);
  await compareGoals(world, viewer, get);
  await compareComments(world, viewer, get);
  await compareTrash(world, viewer, send);
  await compareTonePacks(world, viewer, get);
  await compareDrops(world, viewer, get);

  for (const path of ["/api/reports", "/api/moderation-decisions", "/api/notifications"]) await get(path);

  const own = visible.filter((entry) => entry.author === viewer);
  const tags = ["Rain", "walk"]
    .map((tag) => ({ tag, count: own.filter((entry) => entry.tag === tag).length }))
    .filter(({ count }) => count > 0);
  expect(byTag(ShownTags.parse(await get("/api/journal/tags")).tags)).toEqual(byTag(tags));

  const everything = seen.join("\n");
  for (const { title, content } of world.trash.values()) {
    expect(everything, "title in the trash").not.toContain(title);
    expect(everything, "content in the trash").not.toContain(content);
  }
  for (const entry of hiddenTexts) expect(everything, "hidden content").not.toContain(entry.content);
  for (const entry of entries)
    if (!visible.includes(entry)) expect(everything, "hidden title").not.toContain(entry.title);
  for (const notebook of world.notebooks.values()) {
    if (!seesNotebook(world, viewer, notebook)) expect(everything, "hidden name").not.toContain(notebook.name);
    if (!seesTemplate(world, viewer, notebook)) expect(everything, "hidden template").not.toContain(notebook.template);
  }
  for (const goal of world.goals.values()) {
    if (!seesGoal(world, viewer, goal)) expect(everything, "hidden goal").not.toContain(goal.title);
    for (const text of seesGoalContent(world, viewer, goal) ? [] : [goal.description, goal.notes]) {
      expect(everything, "hidden content of a goal").not.toContain(text);
    }
  }
  for (const pack of world.tonePacks) {
    if (tonePackSection(world, viewer, pack) === null) expect(everything, "hidden pack").not.toContain(pack.name);
  }
  for (const drop of world.drops) {
    if (!seesDrop(world, viewer, drop)) expect(everything, "hidden drop").not.toContain(drop.content);
  }
}

/** Reads the tables as the viewer: a bug in a handler cannot show what the policies hide. */
export async function compareTables(world: World, database: Database, viewer: string): Promise<void> {
  const rows = await database.asUser(viewer, async (tx) => ({
    entries: await tx.selectFrom("journal_entries").select("id").execute(),
    contents: await tx.selectFrom("journal_entry_contents").select("entry_id as id").execute(),
    notebooks: await tx.selectFrom("notebooks").select("id").execute(),
    templates: await tx.selectFrom("notebook_contents").select("notebook_id as id").execute(),
    goals: await tx.selectFrom("goals").select("id").execute(),
    descriptions: await tx.selectFrom("goal_contents").select("goal_id as id").execute(),
    checkIns: await tx.selectFrom("goal_check_ins").select("goal_id as id").execute(),
    notes: await tx.selectFrom("goal_check_in_contents").select("goal_id as id").execute(),
    tonePacks: await tx.selectFrom("tone_packs").select("id").execute(),
    drops: await tx.selectFrom("encouragement_drops").select("id").execute(),
    trash: await tx.selectFrom("trashed_entries").select("id").execute(),
    comments: await tx.selectFrom("team_messages").select("room_id as id").execute(),
  }));
  const idsOf = (things: Iterable<{ readonly id: string }>) => [...things].map(({ id }) => id).toSorted();
  const entries = [...world.entries.values()];
  expect(idsOf(rows.entries)).toEqual(idsOf(entries.filter((entry) => seesEntry(world, viewer, entry))));
  expect(idsOf(rows.contents)).toEqual(idsOf(entries.filter((entry) => seesContent(world, viewer, entry))));
  expect(idsOf(rows.notebooks)).toEqual(
    idsOf([...world.notebooks.values()].filter((notebook) => seesNotebook(world, viewer, notebook))),
  );
  expect(idsOf(rows.templates)).toEqual(
    idsOf([...world.notebooks.values()].filter((notebook) => seesTemplate(world, viewer, notebook))),
  );
  const goals = [...world.goals.values()].filter((goal) => seesGoal(world, viewer, goal));
  const goalContents = goals.filter((goal) => seesGoalContent(world, viewer, goal));
  expect(idsOf(rows.goals)).toEqual(idsOf(goals));
  expect(idsOf(rows.checkIns)).toEqual(idsOf(goals));
  expect(idsOf(rows.descriptions)).toEqual(idsOf(goalContents));
  expect(idsOf(rows.notes)).toEqual(idsOf(goalContents));
  const commented = [...world.comments].flatMap(([id, authors]) => {
    const entry = world.entries.get(id);
    const goal = world.goals.get(id);
    const isSeen =
      (entry !== undefined && seesContent(world, viewer, entry)) ||
      (goal !== undefined && seesGoalContent(world, viewer, goal));
    // Their own ones also when the thing is no longer visible to them.
    const seen = isSeen ? commentsSeen(world, viewer, id) : authors.filter((author) => author === viewer);
    return seen.map(() => ({ id }));
  });
  expect(idsOf(rows.comments)).toEqual(idsOf(commented));
  expect(idsOf(rows.tonePacks)).toEqual(
    idsOf(world.tonePacks.filter((pack) => tonePackSection(world, viewer, pack) !== null)),
  );
  expect(idsOf(rows.trash)).toEqual(idsOf([...world.trash.values()].filter(({ author }) => author === viewer)));
  expect(idsOf(rows.drops)).toEqual(idsOf(world.drops.filter((drop) => seesDrop(world, viewer, drop))));
}

/**
 * Looks words and tags up in the search index as the viewer: it finds what the viewer may see and nothing else. A super
 * admin sees more than the index finds, so their searches do not use it.
 */
export async function compareSearch(world: World, database: Database, viewer: string): Promise<void> {
  if (world.superAdmins.has(viewer)) return;
  const found = await database.asUser(viewer, async (tx) => ({
    word: await all<{ id: string }>(tx)`
      select distinct f.id from private.find_entries(private.terms_within(${CONTENT_WORD}), true) f (id)`,
    tag: await all<{ id: string }>(tx)`
      select f.id from private.find_entries(private.tag_terms(array['walk']), false) f (id)`,
  }));
  const visible = [...world.entries.values()].filter((entry) => seesEntry(world, viewer, entry));
  expect(byId(found.word)).toEqual(byId(idsAlone(visible.filter((entry) => seesContent(world, viewer, entry)))));
  expect(byId(found.tag)).toEqual(byId(idsAlone(visible.filter((entry) => entry.tag === "walk"))));
}

function idsAlone(entries: readonly Entry[]): { id: string }[] {
  return entries.map(({ id }) => ({ id }));
}

type Get = (path: string, status?: number) => Promise<unknown>;

/** Small pages are full and together the whole list. Checked for super admins, who see all entries, and with blocks. */
async function comparePages(get: Get): Promise<void> {
  for (const sort of ["-created_at", "-entry_date"]) {
    const whole = ShownList.parse(await get(`/api/journal?sort=${sort}`)).entries;
    const collected: ShownEntry[] = [];
    let cursor = "";
    do {
      const page = ShownList.parse(await get(`/api/journal?sort=${sort}&limit=3${cursor}`));
      if (page.next_cursor !== null) expect(page.entries).toHaveLength(3);
      collected.push(...page.entries);
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    expect(collected).toEqual(whole);
  }
}

async function compareNotebooks(world: World, viewer: string, visible: readonly Entry[], get: Get): Promise<void> {
  const within = (id: string) => visible.filter((entry) => entry.notebook === id);
  const expected = [...world.notebooks.values()].filter((notebook) => seesNotebook(world, viewer, notebook));
  expect(byId(ShownNotebooks.parse(await get("/api/notebooks")).notebooks)).toEqual(
    byId(
      expected.map((notebook) => ({
        id: notebook.id,
        entry_count: within(notebook.id).length,
        moderation: moderationOf(world, notebook.id),
        template: seesTemplate(world, viewer, notebook) ? notebook.template : null,
        content_hidden: !seesTemplate(world, viewer, notebook),
      })),
    ),
  );
  for (const notebook of world.notebooks.values()) {
    const path = `/api/notebooks/${notebook.id}/entries`;
    if (!expected.includes(notebook)) {
      await get(path, 404);
    } else {
      const { entries } = ShownList.parse(await get(path));
      expect(byId(entries)).toEqual(byId(within(notebook.id).map((entry) => expectedEntry(world, viewer, entry))));
    }
  }
}

const ShownGoal = z.object({
  id: z.guid(),
  user: z.object({ id: z.guid() }),
  title: z.string(),
  description: z.string().nullable(),
  content_hidden: z.boolean(),
  comment_count: z.int(),
  effective_metadata_visibility: z.string(),
  effective_content_visibility: z.string(),
  moderation: z.literal("hidden").nullable(),
});
const ShownCheckIns = z.array(z.object({ notes: z.string().nullable() }));
const ShownGoals = z.object({ goals: z.array(ShownGoal) });
const ReadGoal = z.object({ goal: ShownGoal.extend({ check_ins: ShownCheckIns }) });
const ReadCheckIns = z.object({ check_ins: ShownCheckIns });

async function compareGoals(world: World, viewer: string, get: Get): Promise<void> {
  const visible = [...world.goals.values()].filter((goal) => seesGoal(world, viewer, goal));
  const isPublic = (goal: Goal) => ownShare(world, goal, "metadata_visibility").level === "public";
  const lists = {
    "": visible.filter(({ author }) => author === viewer),
    "?scope=all": visible,
    "?scope=all&status=active": visible,
    "?scope=all&status=paused": [],
    "?scope=shared": visible.filter(
      (goal) =>
        goal.author !== viewer && !isPublic(goal) && ownShare(world, goal, "metadata_visibility").reaches(viewer),
    ),
    "?scope=public": visible.filter(isPublic),
  };
  for (const [query, expected] of Object.entries(lists)) {
    expect(byId(ShownGoals.parse(await get(`/api/goals${query}`)).goals), `goals${query}`).toEqual(
      byId(expected.map((goal) => expectedGoal(world, viewer, goal))),
    );
  }
  for (const goal of world.goals.values()) {
    const path = `/api/goals/${goal.id}`;
    const check_ins = [{ notes: seesGoalContent(world, viewer, goal) ? goal.notes : null }];
    if (!visible.includes(goal)) {
      for (const hidden of [path, `${path}/check-ins`]) await get(hidden, 404);
    } else {
      expect(ReadGoal.parse(await get(path)).goal).toEqual({ ...expectedGoal(world, viewer, goal), check_ins });
      expect(ReadCheckIns.parse(await get(`${path}/check-ins`))).toEqual({ check_ins });
    }
  }
}

function expectedGoal(world: World, viewer: string, goal: Goal): z.infer<typeof ShownGoal> {
  const shown = seesGoalContent(world, viewer, goal);
  return {
    id: goal.id,
    user: { id: goal.author },
    title: goal.title,
    description: shown ? goal.description : null,
    content_hidden: !shown,
    comment_count: shown ? (world.comments.get(goal.id)?.length ?? 0) : 0,
    effective_metadata_visibility: ownShare(world, goal, "metadata_visibility").level,
    effective_content_visibility: ownShare(world, goal, "content_visibility").level,
    moderation: moderationOf(world, goal.id),
  };
}

const ShownComments = z.object({ comments: z.array(z.object({ author: z.object({ id: z.guid() }) })) });

async function compareComments(world: World, viewer: string, get: Get): Promise<void> {
  const parts = [
    ...[...world.entries.values()].map((entry) => ({
      path: `/api/journal/${entry.id}/comments`,
      id: entry.id,
      status: seesContent(world, viewer, entry) ? 200 : seesEntry(world, viewer, entry) ? 403 : 404,
    })),
    ...[...world.goals.values()].map((goal) => ({
      path: `/api/goals/${goal.id}/comments`,
      id: goal.id,
      status: seesGoalContent(world, viewer, goal) ? 200 : seesGoal(world, viewer, goal) ? 403 : 404,
    })),
  ];
  for (const { path, id, status } of parts) {
    const response = await get(path, status);
    if (status !== 200) continue;
    const { comments } = ShownComments.parse(response);
    expect(comments.map(({ author }) => author.id).toSorted(), path).toEqual(
      commentsSeen(world, viewer, id).toSorted(),
    );
  }
  for (const id of world.trash.keys()) await get(`/api/journal/${id}/comments`, 404);
}

const ShownTrash = z.object({ entries: z.array(z.object({ id: z.guid(), title: z.string() })) });

async function compareTrash(world: World, viewer: string, send: Send): Promise<void> {
  const { text } = await send(viewer, "GET", "/api/journal/trash");
  const own = [...world.trash.values()].filter(({ author }) => author === viewer);
  expect(byId(ShownTrash.parse(JSON.parse(text)).entries), "the trash").toEqual(
    byId(own.map(({ id, title }) => ({ id, title }))),
  );
}

const ShownPack = z.object({ id: z.guid(), moderation: z.literal("hidden").nullable() });
const ShownTonePacks = z.object({
  own: z.array(ShownPack),
  purchased: z.array(ShownPack),
  shared: z.array(ShownPack),
  public: z.array(ShownPack),
});

async function compareTonePacks(world: World, viewer: string, get: Get): Promise<void> {
  const sectionOf = (pack: TonePack) => tonePackSection(world, viewer, pack);
  const shown = ShownTonePacks.parse(await get("/api/tone-packs"));
  for (const section of ["own", "purchased", "shared", "public"] as const) {
    const expected = world.tonePacks.filter((pack) => sectionOf(pack) === section);
    const shownPacks = expected.map(({ id }) => ({ id, moderation: moderationOf(world, id) }));
    expect(byId(shown[section]), section).toEqual(byId(shownPacks));
  }
  for (const pack of world.tonePacks) await get(`/api/tone-packs/${pack.id}`, sectionOf(pack) === null ? 404 : 200);
}

const ShownDrops = z.object({ drops: z.array(z.object({ id: z.guid() })), unread_count: z.int().optional() });
const ShownLeaderboard = z.object({
  leaderboard: z.array(z.object({ user_id: z.guid(), rank: z.int() })),
  my_rank: z.int().nullable(),
});

/** Drops, and the leaderboard, on which people with a block are missing without a change of the ranks of others. */
async function compareDrops(world: World, viewer: string, get: Get): Promise<void> {
  const visible = world.drops.filter((drop) => seesDrop(world, viewer, drop));
  const received = ShownDrops.parse(await get("/api/encouragement-drops/received"));
  const toViewer = visible.filter(({ recipient }) => recipient === viewer);
  expect(byId(received.drops), "received drops").toEqual(byId(toViewer.map(({ id }) => ({ id }))));
  expect(received.unread_count).toBe(toViewer.length);
  const sent = ShownDrops.parse(await get("/api/encouragement-drops/sent"));
  const byViewer = visible.filter(({ sender }) => sender === viewer);
  expect(byId(sent.drops), "sent drops").toEqual(byId(byViewer.map(({ id }) => ({ id }))));
  const all = ranks(world);
  expect(ShownLeaderboard.parse(await get("/api/encouragement-drops/leaderboard"))).toEqual({
    leaderboard: all.filter(({ user_id }) => !hasBlock(world, viewer, user_id)),
    my_rank: all.find(({ user_id }) => user_id === viewer)?.rank ?? null,
  });
}

/** The entry as the viewer should see it. */
function expectedEntry(world: World, viewer: string, entry: Entry): ShownEntry {
  const shown = seesContent(world, viewer, entry);
  return {
    id: entry.id,
    title: entry.title,
    content: shown ? entry.content : null,
    content_hidden: !shown,
    comment_count: shown ? (world.comments.get(entry.id)?.length ?? 0) : 0,
    mood: entry.mood,
    mood_source: entry.isMoodFound ? "ai" : "user",
    effective_metadata_visibility: entryShare(world, entry, "metadata_visibility").level,
    effective_content_visibility: entryShare(world, entry, "content_visibility").level,
    moderation: moderationOf(world, entry.id),
    picture_count: shown ? entry.pictures : 0,
  };
}

/** Only the owner and super admins see what is hidden, so no one else reads it. */
function moderationOf(world: World, id: string): "hidden" | null {
  return isHidden(world, id) ? "hidden" : null;
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

function byTag(rows: readonly { tag: string; count: number }[]) {
  return rows.toSorted((left, right) => (left.tag < right.tag ? -1 : 1));
}

/**
 * Compares what a viewer sees while entries still have to follow a change: nothing that is not shared with them any more,
 * and their own entries as they are now. What they gained may still be missing.
 */
export async function compareUnsettled(world: World, database: Database, send: Send, viewer: string): Promise<void> {
  const entries = [...world.entries.values()];
  const visible = entries.filter((entry) => seesEntry(world, viewer, entry));
  const readable = visible.filter((entry) => seesContent(world, viewer, entry));
  const rows = await database.asUser(viewer, async (tx) => ({
    entries: await tx.selectFrom("journal_entries").select("id").execute(),
    contents: await tx.selectFrom("journal_entry_contents").select("entry_id as id").execute(),
  }));
  expect(idsAlone(visible), "entries").toEqual(expect.arrayContaining(rows.entries));
  expect(idsAlone(readable), "contents").toEqual(expect.arrayContaining(rows.contents));
  const response = await send(viewer, "GET", "/api/journal");
  const listed = ShownList.parse(JSON.parse(response.text)).entries;
  expect(idsAlone(visible), "the list").toEqual(expect.arrayContaining(listed.map(({ id }) => ({ id }))));
  const own = visible.filter(({ author }) => author === viewer);
  expect(byId(listed.filter(({ id }) => own.some((entry) => entry.id === id)))).toEqual(
    byId(own.map((entry) => expectedEntry(world, viewer, entry))),
  );
}
