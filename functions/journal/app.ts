import { MOODS } from "#core/assistant/moods";
import { DEFAULT_STATS_DAYS, MAX_ENTRIES_ON_THIS_DAY, MAX_STATS_DAYS } from "#core/limits";
import { KEPT_DAYS } from "#core/retention";
import { grouped } from "#core/text/numbers";
import { textOrNull } from "#core/text/text";
import type { Tx } from "#database/database";
import { hasQuotaLeft } from "#database/quota";
import { userOrProgram } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { createOnce } from "#http/request/chosen-id";
import { MessageResponse } from "#http/response/message";
import { MAX_PAGE_BYTES, PageQuery } from "#http/response/paging";
import { SvgResponse } from "#http/response/text-body";
import type { Services } from "#http/services/services";
import {
  AudienceResponse,
  previewAudience,
  previewProblems,
  ReaderId,
  readAudience,
  readAudienceMember,
  SeesResponse,
} from "#journal/audience";
import { presentPictures } from "#journal/picture";
import { SHARING_ERRORS, updateProblems } from "#journal/sharing";
import { commentEndpoints } from "#messages/comments";
import {
  countTags,
  createEntry,
  deleteEntry,
  listEntries,
  listEntriesOnThisDay,
  MAX_COUNTED_TAGS,
  readEntry,
  readEntryWithPictures,
  updateEntry,
} from "./entries.ts";
import { requestMood, storeMood } from "./mood.ts";
import {
  AudiencePreview,
  EntriesResponse,
  EntryId,
  EntryQuery,
  EntryResponse,
  EntryUpdate,
  EntryWithPicturesResponse,
  MoodCalendarQuery,
  MoodsResponse,
  NewEntry,
  OnThisDayQuery,
  OnThisDayResponse,
  StatsQuery,
  StatsResponse,
  TagsResponse,
  TrashResponse,
} from "./schema.ts";
import { drawYear, readStats } from "./stats.ts";
import { deleteTrashedEntry, listTrash, restoreEntry } from "./trash.ts";

/** Errors of the notebook and the sharing of an entry. */
const AUDIENCE_ERRORS = ["notebook.not_found", ...SHARING_ERRORS] as const;

/** Errors of the date, the notebook and the sharing of an entry. */
const FIELD_ERRORS = ["journal.date_out_of_range", ...AUDIENCE_ERRORS] as const;

/** How long a writer waits for a mood to be found, in milliseconds. */
const TONE_BUDGET_MS = 8_000;

/**
 * The journal: entries whose metadata and content are visible separately.
 * @param options.toneBudgetMs how long finding a mood may take
 */
export function journalApp(services: Services, { toneBudgetMs = TONE_BUDGET_MS } = {}) {
  return groupApp(services, "journal", [
    endpoint(
      "GET /api/journal",
      {
        id: "listJournalEntries",
        summary: "List the entries that you may see",
        guard: userOrProgram("journal:read"),
        access: "read once, logged",
        replica: "shared",
        query: EntryQuery,
        response: EntriesResponse,
      },
      ({ tx, query }) => listEntries(tx, query),
    ),
    endpoint(
      "GET /api/journal/tags",
      {
        id: "listJournalTags",
        summary: "Count the tags of your entries",
        description: `Most used tags first, at most ${grouped(MAX_COUNTED_TAGS)}.`,
        guard: userOrProgram("journal:read"),
        replica: "shared",
        response: TagsResponse,
      },
      async ({ tx, actor }) => ({ tags: await countTags(tx, actor.userId) }),
    ),
    endpoint(
      "GET /api/journal/trash",
      {
        id: "listTrash",
        summary: "List the entries in your trash",
        description: "The last deleted ones first. No one else sees them.",
        guard: userOrProgram("journal:read"),
        replica: "own",
        query: PageQuery,
        response: TrashResponse,
      },
      ({ tx, actor, query }) => listTrash(tx, actor.userId, query),
    ),
    endpoint(
      "GET /api/journal/on-this-day",
      {
        id: "listJournalEntriesOnThisDay",
        summary: "List what you wrote about this day in earlier years",
        description: `Your own entries about the same day and month, latest first: at most ${MAX_ENTRIES_ON_THIS_DAY}, and fewer if their contents together are larger than ${MAX_PAGE_BYTES / 1e6} MB. Entries about 29 February are also shown on 28 February of years without one.`,
        guard: userOrProgram("journal:read"),
        replica: "shared",
        query: OnThisDayQuery,
        response: OnThisDayResponse,
      },
      async ({ tx, query, now }) => ({ entries: await listEntriesOnThisDay(tx, query.date, now) }),
    ),
    endpoint(
      "GET /api/journal/stats",
      {
        id: "readJournalStats",
        summary: "Count your entries, words, moods and tags",
        description: `About your own entries, by the day that they are about. By default of the last ${DEFAULT_STATS_DAYS} days; a range has at most ${MAX_STATS_DAYS} days.`,
        guard: userOrProgram("journal:read"),
        replica: "shared",
        query: StatsQuery,
        response: StatsResponse,
      },
      async ({ tx, query, now }) => ({ stats: await readStats(tx, query, now) }),
    ),
    endpoint(
      "GET /api/journal/mood-calendar.svg",
      {
        id: "drawMoodCalendar",
        summary: "Draw the moods of a year",
        description:
          "An image with a square for each day, colored and marked by the category of its most frequent mood. It has a legend and a description in words, follows the color scheme of the reader, and contains no script.",
        guard: userOrProgram("journal:read"),
        replica: "shared",
        query: MoodCalendarQuery,
        response: SvgResponse,
      },
      async ({ tx, query, now }) => drawYear(tx, query.year, now),
    ),
    endpointInSteps(
      "GET /api/journal/:id",
      {
        id: "readJournalEntry",
        summary: "Read an entry",
        guard: userOrProgram("journal:read"),
        access: "read once, logged",
        replica: "shared",
        params: { id: EntryId },
        versioned: "entry",
        response: EntryWithPicturesResponse,
        errors: ["journal.not_found", "provider.failed", "provider.not_configured"],
      },
      async ({ read, tagged, params }) => {
        const { pictures, ...entry } = await read((tx) => readEntryWithPictures(tx, params.id));
        return { entry: { ...tagged(entry), pictures: await presentPictures(services.privateFiles, pictures) } };
      },
    ),
    endpointInSteps(
      "POST /api/journal",
      {
        id: "createJournalEntry",
        summary: "Write an entry",
        description: "If you send no mood, the server looks for one in the text, provided that it can use a model.",
        guard: userOrProgram("journal:write"),
        body: NewEntry,
        maxBodyKb: 1024,
        quota: { name: "entry_mood", counted: "by the handler" },
        status: "201 or 200",
        versioned: "entry",
        response: EntryResponse,
        errors: ["sync.id_taken", ...FIELD_ERRORS],
      },
      async ({ commit, respond, existed, tagged, body, requestId }) => {
        let isNew = true;
        const create = (tx: Tx) =>
          createOnce(tx, { type: "entry", id: body.id }, existed, {
            read: (id) => {
              isNew = false;
              return readEntry(tx, id);
            },
            create: () => createEntry(tx, body),
          });
        if (services.ai === null || textOrNull(body.mood) !== null) {
          return respond(async (tx) => ({ entry: tagged(await create(tx)) }));
        }
        const { entry, wantsMood } = await commit(
          async (tx) => {
            const created = await create(tx);
            const mayAsk = isNew && !created.ai_excluded;
            return { entry: created, wantsMood: mayAsk && (await hasQuotaLeft(tx, "entry_mood")) };
          },
          (saved) => ({ entry: tagged(saved.entry) }),
        );
        const reply = wantsMood
          ? await requestMood(services, commit, entry, { requestId, timeoutMs: toneBudgetMs })
          : null;
        if (reply === null) return { entry: tagged(entry) };
        return respond(async (tx) => ({ entry: tagged(await storeMood(tx, entry, reply)) }));
      },
    ),
    endpointInSteps(
      "PUT /api/journal/:id",
      {
        id: "updateJournalEntry",
        summary: "Update an entry",
        description:
          "If you change the content and choose no mood, the server looks for one as for a new entry. A mood that it found before, sent back unchanged, is not chosen.",
        guard: userOrProgram("journal:write"),
        params: { id: EntryId },
        body: EntryUpdate,
        maxBodyKb: 1024,
        storedProblems: (tx, body, { id }) => updateProblems(tx, "journal_entries", body, id),
        versioned: "entry",
        response: EntryResponse,
        errors: ["journal.not_found", "journal.not_yours", ...FIELD_ERRORS],
      },
      async ({ commit, respond, tagged, params, body, requestId }) => {
        const { entry, wantsMood } = await commit(
          async (tx) => {
            const updated = await updateEntry(tx, params.id, body, services.ai !== null);
            return { ...updated, wantsMood: updated.wantsMood && (await hasQuotaLeft(tx, "entry_mood")) };
          },
          (saved) => ({ entry: tagged(saved.entry) }),
        );
        const reply = wantsMood
          ? await requestMood(services, commit, entry, { requestId, timeoutMs: toneBudgetMs })
          : null;
        if (reply === null) return { entry: tagged(entry) };
        return respond(async (tx) => ({ entry: tagged(await storeMood(tx, entry, reply)) }));
      },
    ),
    endpoint(
      "DELETE /api/journal/:id",
      {
        id: "deleteJournalEntry",
        summary: "Move an entry to the trash",
        description: `From now on no one sees it, in no list and no count. You can restore it for ${KEPT_DAYS.trash} days; then it is deleted for good.`,
        guard: userOrProgram("journal:write"),
        params: { id: EntryId },
        versioned: "entry",
        response: MessageResponse,
        errors: ["journal.not_yours", "journal.not_found"],
      },
      async ({ tx, params }) => {
        await deleteEntry(tx, params.id);
        return { message: "The entry was moved to the trash." };
      },
    ),
    endpoint(
      "POST /api/journal/:id/restore",
      {
        id: "restoreJournalEntry",
        summary: "Restore an entry from the trash",
        description:
          "It returns with its pictures and its background, to its notebook if that still exists. Who sees it is computed again: what it shared with a team or organization that is gone, or that you left, is private, and so is what it inherited from a notebook that is gone.",
        guard: userOrProgram("journal:write"),
        params: { id: EntryId },
        versioned: "entry",
        response: EntryResponse,
        // If its day is after tomorrow, because its author is in another time zone now.
        errors: ["journal.not_found", "journal.date_out_of_range"],
      },
      async ({ tx, tagged, params }) => ({ entry: tagged(await restoreEntry(tx, params.id)) }),
    ),
    endpoint(
      "DELETE /api/journal/trash/:id",
      {
        id: "deleteTrashedEntry",
        summary: "Delete an entry in your trash for good",
        guard: userOrProgram("journal:write"),
        params: { id: EntryId },
        response: MessageResponse,
        errors: ["journal.not_found"],
      },
      async ({ tx, params }) => {
        await deleteTrashedEntry(tx, params.id);
        return { message: "The entry was deleted for good." };
      },
    ),
    endpoint(
      "GET /api/journal/:id/audience",
      {
        id: "readJournalEntryAudience",
        summary: "See who can see an entry of yours",
        description: "For its metadata and its content: how many people can see it, and why.",
        guard: userOrProgram("journal:read"),
        access: "read, logged",
        replica: "shared",
        params: { id: EntryId },
        response: AudienceResponse,
        errors: ["journal.not_found", "journal.not_yours"],
      },
      async ({ tx, params }) => ({ audience: await readAudience(tx, "journal_entries", params.id) }),
    ),
    endpoint(
      "GET /api/journal/:id/audience/:userId",
      {
        id: "readJournalEntryAudienceMember",
        summary: "See what someone can see of an entry of yours",
        description: "404 for everyone who shares no organization with you.",
        guard: userOrProgram("journal:read"),
        access: "read, logged",
        replica: "shared",
        params: { id: EntryId, userId: ReaderId },
        response: SeesResponse,
        errors: ["journal.not_found", "journal.not_yours", "user.not_found"],
      },
      async ({ tx, params }) => ({ sees: await readAudienceMember(tx, "journal_entries", params.id, params.userId) }),
    ),
    endpoint(
      "POST /api/journal/audience-preview",
      {
        id: "previewJournalEntryAudience",
        summary: "Preview who could see an entry",
        description:
          "Shows the audience of an entry before you create it or, with `entry_id`, update it. Fails with the errors of writing it. Changes nothing.",
        guard: userOrProgram("journal:read"),
        access: "read, logged",
        body: AudiencePreview,
        storedProblems: (tx, body) => previewProblems(tx, "journal_entries", body),
        response: AudienceResponse,
        errors: ["journal.not_found", "journal.not_yours", ...AUDIENCE_ERRORS],
      },
      async ({ tx, body: { entry_id = null, ...input } }) => ({
        audience: await previewAudience(tx, "journal_entries", entry_id, input),
      }),
    ),
    ...commentEndpoints(services, {
      path: "/api/journal/:id",
      noun: "an entry",
      name: "Journal",
      scope: "journal",
      idParam: EntryId,
      room: "entryId",
      canSee: "can_see_entry",
      unseen: "journal.not_found",
    }),
    endpointInSteps(
      "GET /api/moods",
      {
        id: "listMoods",
        summary: "List the suggested moods",
        description: "An entry may have any other mood as well.",
        guard: userOrProgram("journal:read"),
        response: MoodsResponse,
      },
      async () => ({ moods: MOODS }),
    ),
  ]);
}
