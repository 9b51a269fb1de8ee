import { sql } from "kysely";
import { markdownOf, markdownPath, picturePath } from "#core/export/markdown";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { unversioned } from "#database/unversioned";
import type { PageQuery } from "#http/response/paging";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { listBackgrounds } from "../../assistant/tones/backgrounds.ts";
import { listTransactions } from "../../drops/drops.ts";
import { listMilestones, readBadge } from "../../encouragement-drops/badges/badges.ts";
import { listReceived, listSent } from "../../encouragement-drops/drops/drops.ts";
import { readWeeklyStats } from "../../game/days/weekly-stats.ts";
import { readWindowAndLocation } from "../../game/windows/windows.ts";
import { listCheckIns as listGoalCheckIns } from "../../goals/check-ins.ts";
import { listGoals } from "../../goals/goals.ts";
import { GoalQuery } from "../../goals/schema.ts";
import { listEntries } from "../../journal/entries.ts";
import { EntryQuery } from "../../journal/schema.ts";
import { listMessages } from "../../mail/messages.ts";
import { listNotebooks } from "../../notebooks/notebooks.ts";
import { NotebookQuery } from "../../notebooks/schema.ts";
import { listNotifications } from "../../notifications/notifications.ts";
import { readSettings } from "../../notifications/settings.ts";
import { listSentInvitations } from "../../organizations/invitations/invitations.ts";
import { listDecisions } from "../../safety/appeals/appeals.ts";
import { listBlocks } from "../../safety/blocks/blocks.ts";
import { listReports } from "../../safety/reports/reports.ts";
import { listOwnPacks } from "../../tone-packs/packs.ts";
import { listAccesses } from "../../user/access-log.ts";
import { readProfile } from "../../user/profile.ts";
import { listTokens } from "../../user/tokens/tokens.ts";
import { listUses } from "../../user/usage.ts";
import { listWellnessEntries } from "../../wellness/wellness-entries.ts";
import { type Content, document, files, list, type ReadRows } from "./content.ts";
import * as own from "./own-rows.ts";

/** Largest file that is loaded into memory. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** Rows of a list of the API. @param read reads a page; the rows are those of the field */
function listed<Field extends string>(
  field: Field,
  read: (
    tx: Tx,
    userId: string,
    query: PageQuery,
    services: Services,
  ) => Promise<Readonly<Record<Field, readonly object[]>> & { readonly next_cursor: string | null }>,
): ReadRows {
  return async (tx, { userId, services }, cursor) => {
    const page = await read(tx, userId, own.pageAfter(cursor), services);
    return { rows: page[field], next: page.next_cursor };
  };
}

/** The person's entries as the API lists them. */
const entries = async (tx: Tx, cursor: string | undefined) =>
  listEntries(tx, EntryQuery.parse({ scope: "own", cursor }));

const notebooks = listed("notebooks", (tx, _, { cursor, limit }) =>
  listNotebooks(tx, { ...NotebookQuery.parse({ scope: "own" }), cursor, limit }),
);

/** Goals with all of their check-ins, a few at a time. */
const goals: ReadRows = async (tx, { userId, services }, cursor) => {
  const now = services.clock.now();
  const page = await listGoals(tx, GoalQuery.parse({ cursor, limit: "10" }), now);
  const rows = [];
  for (const goal of page.goals) {
    const checkIns: object[] = [];
    for (let next: string | null | undefined; next !== null; ) {
      const found = await listGoalCheckIns(tx, goal.id, own.pageAfter(next, "500"), now);
      checkIns.push(...found.check_ins);
      next = found.next_cursor;
    }
    rows.push({ ...goal, check_ins: checkIns });
  }
  return { rows: await own.withComments(tx, userId, rows), next: page.next_cursor };
};

/** Check-ins, with the path of the photo in the archive instead of its address. */
const checkIns: ReadRows = async (tx, { userId }, cursor) => {
  const page = await own.listCheckIns(tx, userId, own.pageAfter(cursor));
  const rows = page.rows.map(({ photo_key, ...row }) => ({
    ...row,
    photo_url: photo_key === null ? null : photoPath(row.id),
  }));
  return { rows, next: page.next_cursor };
};

const backgrounds: ReadRows = async (tx, { userId }, cursor) => {
  const page = await listBackgrounds(tx, userId, own.pageAfter(cursor));
  const rows = page.rows.map(({ file_key, ...row }) => ({ ...row, image_url: backgroundPath(row.id) }));
  return { rows, next: page.next_cursor };
};

const tonePacks: ReadRows = async (tx, { userId, services }, cursor) => {
  const page = await listOwnPacks(tx, services.publicImages, userId, own.pageAfter(cursor));
  const rows = page.tone_packs.map((pack) => ({
    ...pack,
    images: pack.images.map((image) => ({ ...image, image_url: toneImagePath(pack.id, image.tone) })),
  }));
  return { rows, next: page.next_cursor };
};

const photoPath = (checkInId: string) => `files/photos/${checkInId}.jpg`;
const backgroundPath = (id: string) => `files/backgrounds/${id}.png`;
const toneImagePath = (packId: string, tone: string) => `files/tone-images/${packId}/${tone}.png`;

/** A Markdown file for each entry. */
const markdownFiles = files(
  async (tx, _, cursor) => {
    const page = await entries(tx, cursor);
    const ids = page.entries.map(({ notebook_id }) => notebook_id);
    const found = await tx
      .selectFrom("notebooks")
      .select(["id", "name"])
      .where("id", "=", sql<string>`any (${ids}::uuid[])`)
      .execute();
    const names = new Map(found.map(({ id, name }) => [id, name]));
    const pictures = await call(tx, "list_pictures", { entryIds: page.entries.map(({ id }) => id) });
    const picturesOf = Map.groupBy(pictures, ({ entry_id }) => entry_id);
    const rows = page.entries.map((entry) => ({
      ...entry,
      content: entry.content ?? "",
      notebook: names.get(entry.notebook_id ?? "") ?? null,
      pictures: picturesOf.get(entry.id) ?? [],
    }));
    return { rows, next: page.next_cursor };
  },
  "deflated",
  async (entry) => ({ path: markdownPath(entry), content: Buffer.from(markdownOf(entry)) }),
);

/** Loads a file of the private store; null if there is none. */
async function loaded({ privateFiles }: Services, key: string | null, path: string) {
  const content = key === null ? null : await configured(privateFiles).download(key, MAX_FILE_BYTES);
  return content === null || content === "too_large" ? null : { path, content };
}

const photos = files(
  async (tx, { userId }, cursor) => {
    const page = await own.listCheckIns(tx, userId, own.pageAfter(cursor, own.FILES_AT_ONCE));
    return { rows: page.rows, next: page.next_cursor };
  },
  "stored",
  ({ id, photo_key }, services) => loaded(services, photo_key, photoPath(id)),
);

const pictures = files(own.pictureFiles, "stored", ({ id, file_key }, services) =>
  loaded(services, file_key, picturePath(id)),
);

const backgroundImages = files(own.backgroundFiles, "stored", ({ id, file_key }, services) =>
  loaded(services, file_key, backgroundPath(id)),
);

const toneImages = files(own.toneImages, "stored", async ({ pack_id, tone, file_path }, { publicImages }) => {
  const content = (await publicImages?.download(file_path)) ?? null;
  return content === null ? null : { path: toneImagePath(pack_id, tone), content };
});

/** Everything that an export has, in the order in which it is written. */
export const CONTENTS: readonly Content[] = [
  document("profile", async (tx, { userId }) => unversioned(await readProfile(tx, userId))),
  document("notification_settings", (tx, { userId }) => readSettings(tx, userId)),
  document("badge", (tx, { userId, services }) => readBadge(tx, userId, services.clock.now())),
  document("workout_window", (tx, { userId, services }) => readWindowAndLocation(tx, userId, services.clock.now())),
  list("notebooks", notebooks),
  list("entries", async (tx, { userId }, cursor) => {
    const page = await entries(tx, cursor);
    return { rows: await own.withComments(tx, userId, page.entries), next: page.next_cursor };
  }),
  list("goals", goals),
  list(
    "wellness_entries",
    listed("wellness_entries", (tx, userId, query) => listWellnessEntries(tx, userId, { ...query, type: undefined })),
  ),
  list("drops_sent", listed("drops", listSent)),
  list(
    "drops_received",
    listed("drops", (tx, userId, query, { config }) =>
      listReceived(tx, userId, { ...query, unread: false }, config.assistantName),
    ),
  ),
  list(
    "drop_transactions",
    listed("transactions", (tx, userId, query) => listTransactions(tx, userId, { ...query, type: undefined })),
  ),
  list("badge_milestones", listed("milestones", listMilestones)),
  list("tone_packs", tonePacks),
  list(
    "notifications",
    listed("notifications", (tx, userId, query) => listNotifications(tx, userId, { ...query, unread: false })),
  ),
  list("workout_checkins", checkIns),
  list("weekly_stats", async (tx, { userId }, cursor) => {
    const page = await readWeeklyStats(tx, userId, own.pageAfter(cursor));
    return { rows: page.weeks, next: page.nextCursor };
  }),
  list("note_analyses", own.noteAnalyses),
  list("ai_uses", listed("uses", listUses)),
  list("email_messages", listed("messages", listMessages)),
  list(
    "blocks",
    listed("blocks", (tx, _, query) => listBlocks(tx, query)),
  ),
  list(
    "reports",
    listed("reports", (tx, userId, query) => listReports(tx, userId, { ...query, status: undefined })),
  ),
  list("moderation_decisions", listed("decisions", listDecisions)),
  list("invitations", listed("invitations", listSentInvitations)),
  list("personal_tokens", listed("tokens", listTokens)),
  list("organizations", own.organizations),
  list("teams", own.teams),
  list("messages", own.messages),
  list("backgrounds", backgrounds),
  list("accesses", listed("reads", listAccesses)),
  ...own.STORED_ROWS.map(([name, read]) => list(name, read)),
  markdownFiles,
  photos,
  pictures,
  backgroundImages,
  toneImages,
];
