import { KEPT_DAYS } from "../retention.ts";
import { type Cards, LEFT } from "./card.ts";

const ENTRIES = {
  what: "Notebooks and their templates, entries, their texts, pictures and backgrounds",
  seenBy:
    "the author, and those they share it with; super admins, and what they read of entries that are not shared with them is logged; templates of notebooks only if they are shared with them",
};
const IMPORTS = {
  what: "Imports: counts, and names of files with problems; hashes of the ids that imported entries had elsewhere",
  seenBy: "the person; the hashes no one",
};

/** Notebooks and entries, with what is shared, imported, deleted or read of them. */
export const JOURNAL_TABLES = {
  "nectar.notebooks": {
    about: ENTRIES,
    users: { select: "readers", insert: "signed in", update: "owner", delete: "owner" },
    exported: { notebooks: { as: { hidden_at: "moderation" } } },
    left: { [LEFT.derived]: ["metadata_audience_id", "content_audience_id"], [LEFT.internal]: ["version"] },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.notebook_contents": {
    about: ENTRIES,
    users: { select: "owner", update: "owner" },
    exported: { notebooks: { as: { notebook_id: "id" } } },
    left: { [LEFT.derived]: ["metadata_audience_id", "content_audience_id"] },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.journal_entries": {
    about: ENTRIES,
    users: { select: "readers", insert: "signed in", update: "owner" },
    exported: { entries: { as: { hidden_at: "moderation" } } },
    left: {
      [LEFT.derived]: ["metadata_audience_id", "content_audience_id", "tag_keys"],
      [LEFT.internal]: ["is_imported", "version"],
    },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.journal_entry_contents": {
    about: ENTRIES,
    users: { select: "readers", insert: "owner", update: "owner" },
    exported: { entries: { as: { entry_id: "id" } } },
    left: { [LEFT.derived]: ["words", "picture_count", "metadata_audience_id", "content_audience_id"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.entry_backgrounds": {
    about: ENTRIES,
    users: { select: "readers", insert: "owner", delete: "owner" },
    exported: { backgrounds: "all" },
    left: { [LEFT.derived]: ["user_id"], "The file is in the export itself.": ["file_key"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.entry_pictures": {
    about: ENTRIES,
    users: { select: "readers", insert: "owner", update: "owner", delete: "owner" },
    exported: { pictures: "all" },
    exportedAs: "rows",
    left: {
      [LEFT.derived]: ["user_id"],
      [LEFT.internal]: ["version"],
      "The file is in the export itself.": ["file_key"],
      "It names a smaller copy of the file.": ["thumbnail_id", "thumbnail_key"],
    },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.trashed_entries": {
    about: { what: "Deleted entries", seenBy: "the author alone" },
    users: { select: "owner", delete: "owner" },
    exported: { trash: "all" },
    exportedAs: "rows",
    left: { [LEFT.internal]: ["drop_ids", "is_imported"], "The file is in the export itself.": ["background_file"] },
    erased: "by cascade",
    kept: [
      {
        what: "Entries in the trash, with their pictures and backgrounds",
        days: KEPT_DAYS.trash,
        until: "expires_at",
        in: "trash_expires_at",
      },
    ],
    grows: "with time",
  },
  "private.removed_things": {
    about: { what: "The ids of what was deleted, for the devices of the person", seenBy: "the person" },
    left: "It is the id of something that no longer exists.",
    erased: "by cascade",
    kept: [
      {
        what: "The ids of deleted entries, notebooks, goals, check-ins, wellness entries and pictures",
        days: KEPT_DAYS.removedThings,
        since: "removed_at",
        key: ["user_id", "type", "id"],
      },
    ],
    grows: "with time",
    sample: { type: "entry" },
  },
  "private.unsettled_shares": {
    about: {
      what: "Which notebooks and memberships changed, until all their entries have followed (seconds to minutes)",
      seenBy: "no one",
    },
    left: LEFT.internal,
    erased: "by cascade",
    kept: "until done",
    grows: "few rows",
  },
  "private.logged_reads": {
    about: { what: "Which super admin read an entry or a goal that was not shared with them", seenBy: "its author" },
    users: { select: "owner" },
    exported: { accesses: { as: { created_at: "at", reader_id: "by" } } },
    left: { [LEFT.derived]: ["id", "user_id", "date"] },
    erased: "by cascade",
    stays: "The id of a super admin in the log of an author whose entries or goals they read",
    kept: [{ what: "Which super admin read an entry or a goal", days: 365, since: "created_at" }],
    grows: "with time",
  },
  "nectar.journal_imports": {
    about: IMPORTS,
    users: { select: "owner" },
    left: {
      [LEFT.internal]: ["size", "path", "version", "is_checked"],
      [`It names files of the person's own archive, for ${KEPT_DAYS.imports} days.`]: ["problems"],
      [LEFT.derived]: "the rest",
    },
    erased: "by cascade",
    kept: [
      { what: "Imports, with the names of files that had problems", days: KEPT_DAYS.imports, since: "created_at" },
    ],
    grows: "with time",
  },
  "private.imported_entries": {
    about: IMPORTS,
    left: "It is a hash of the id that an imported entry had elsewhere.",
    erased: "by cascade",
    grows: "with time",
  },
} as const satisfies Cards;
