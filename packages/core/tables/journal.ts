import { KEPT_DAYS } from "../retention.ts";
import { type Card, LEFT } from "./card.ts";

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
    chosen: {
      insert: "ai_excluded_default content_visibility description metadata_visibility name org_id team_id",
      update: "ai_excluded_default content_visibility description metadata_visibility name org_id team_id",
    },
    exported: {
      notebooks:
        "id user_id name description metadata_visibility content_visibility team_id org_id ai_excluded_default hidden_at>moderation created_at updated_at",
    },
    left: { [LEFT.derived]: "metadata_audience_id content_audience_id" },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.notebook_contents": {
    about: ENTRIES,
    users: { select: "owner", update: "owner" },
    chosen: { update: "template" },
    exported: { notebooks: "notebook_id>id user_id template" },
    left: { [LEFT.derived]: "metadata_audience_id content_audience_id" },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.journal_entries": {
    about: ENTRIES,
    users: { select: "readers", insert: "signed in", update: "owner" },
    chosen: {
      insert:
        "ai_excluded comments_enabled content_visibility entry_date inherit_visibility metadata_visibility mood mood_source notebook_id org_id tags team_id title",
      update:
        "ai_excluded comments_enabled content_visibility entry_date inherit_visibility metadata_visibility mood mood_source notebook_id org_id tags team_id title updated_at",
    },
    exported: {
      entries:
        "id user_id title mood mood_source tags notebook_id entry_date ai_excluded comments_enabled metadata_visibility content_visibility inherit_visibility team_id org_id effective_metadata_visibility effective_content_visibility hidden_at>moderation created_at updated_at",
    },
    left: { [LEFT.derived]: "metadata_audience_id content_audience_id tag_keys", [LEFT.internal]: "is_imported" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.journal_entry_contents": {
    about: ENTRIES,
    users: { select: "readers", insert: "owner", update: "owner" },
    chosen: { insert: "content entry_id", update: "content" },
    exported: { entries: "entry_id>id user_id content comment_count" },
    left: { [LEFT.derived]: "words picture_count metadata_audience_id content_audience_id" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.entry_backgrounds": {
    about: ENTRIES,
    users: { select: "readers", insert: "owner", delete: "owner" },
    chosen: { insert: "entry_id id quality" },
    exported: { backgrounds: "id entry_id quality created_at" },
    left: { [LEFT.derived]: "user_id", "The file is in the export itself.": "file_key" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.entry_pictures": {
    about: ENTRIES,
    users: { select: "readers", insert: "owner", update: "owner", delete: "owner" },
    chosen: {
      insert: "caption entry_id height id position size_bytes thumbnail_id width",
      update: "caption position",
    },
    exported: { pictures: "id entry_id trashed_entry_id position caption width height size_bytes created_at" },
    exportedAs: "rows",
    left: {
      [LEFT.derived]: "user_id",
      "The file is in the export itself.": "file_key",
      "It names a smaller copy of the file.": "thumbnail_id thumbnail_key",
    },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.trashed_entries": {
    about: { what: "Deleted entries", seenBy: "the author alone" },
    users: { select: "owner", delete: "owner" },
    service: { select: "expires_at id", delete: "*" },
    exported: {
      trash:
        "id user_id title content mood mood_source tags notebook_id entry_date ai_excluded comments_enabled metadata_visibility content_visibility inherit_visibility team_id org_id created_at updated_at deleted_at expires_at background_id background_quality background_created_at",
    },
    exportedAs: "rows",
    left: { [LEFT.internal]: "drop_ids is_imported", "The file is in the export itself.": "background_file" },
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
  "private.unsettled_shares": {
    about: {
      what: "Which notebooks and memberships changed, until all their entries have followed (seconds to minutes)",
      seenBy: "no one",
    },
    service: { select: "*", update: "after_id after_time settled_at", delete: "*" },
    left: {
      [LEFT.internal]:
        "id notebook_id group_id user_id withdrawn_from after_time after_id settled_at team_ids author_ids",
    },
    erased: "by cascade",
    kept: "until done",
    grows: "few rows",
  },
  "private.logged_reads": {
    about: { what: "Which super admin read an entry or a goal that was not shared with them", seenBy: "its author" },
    users: { select: "owner" },
    service: { select: "created_at id", delete: "*" },
    exported: { accesses: "created_at>at reader_id>by entry_id goal_id" },
    left: { [LEFT.derived]: "id user_id date" },
    erased: "by cascade",
    stays: "The id of a super admin in the log of an author whose entries or goals they read",
    kept: [{ what: "Which super admin read an entry or a goal", days: 365, since: "created_at" }],
    grows: "with time",
  },
  "nectar.journal_imports": {
    about: IMPORTS,
    users: { select: "owner" },
    service: { select: "created_at id status", delete: "*" },
    left: {
      [LEFT.derived]: "id user_id source created_at status dry_run found created skipped failed",
      [LEFT.internal]: "size path version is_checked starts",
      [`It names files of the person's own archive, for ${KEPT_DAYS.imports} days.`]: "problems",
    },
    erased: "by cascade",
    kept: [
      { what: "Imports, with the names of files that had problems", days: KEPT_DAYS.imports, since: "created_at" },
    ],
    grows: "with time",
  },
  "private.imported_entries": {
    about: IMPORTS,
    left: { "It is a hash of the id that an imported entry had elsewhere.": "user_id source external_id" },
    erased: "by cascade",
    grows: "with time",
  },
} as const satisfies Readonly<Record<string, Card>>;
