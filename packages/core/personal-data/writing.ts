import { LEFT, type PersonalTable } from "./kinds.ts";

/** What people write for themselves, and what models make of it. */
export const WRITING_TABLES = {
  "nectar.notebooks": {
    exported: {
      notebooks:
        "id user_id name description metadata_visibility content_visibility team_id org_id ai_excluded_default hidden_at>moderation created_at updated_at",
    },
    left: { [LEFT.derived]: "metadata_audience_id content_audience_id" },
    erased: "by cascade",
  },
  "nectar.notebook_contents": {
    exported: { notebooks: "notebook_id>id user_id template" },
    left: { [LEFT.derived]: "metadata_audience_id content_audience_id" },
    erased: "by cascade",
  },
  "nectar.journal_entries": {
    exported: {
      entries:
        "id user_id title mood tags notebook_id entry_date ai_excluded metadata_visibility content_visibility inherit_visibility team_id org_id effective_metadata_visibility effective_content_visibility hidden_at>moderation created_at updated_at",
    },
    left: { [LEFT.derived]: "metadata_audience_id content_audience_id tag_keys", [LEFT.internal]: "is_imported" },
    erased: "by cascade",
  },
  "nectar.journal_imports": {
    left: {
      [LEFT.derived]: "id user_id source created_at status dry_run found created skipped failed",
      [LEFT.internal]: "size path version is_checked next_file next_item starts",
      "It names files of the person's own archive, for 30 days.": "problems",
    },
    erased: "by cascade",
  },
  "private.imported_entries": {
    left: { "It is a hash of the id that an imported entry had elsewhere.": "user_id source external_id" },
    erased: "by cascade",
  },
  "nectar.journal_entry_contents": {
    exported: { entries: "entry_id>id user_id content found_mood>mood" },
    left: { [LEFT.derived]: "words metadata_audience_id content_audience_id" },
    erased: "by cascade",
  },
  "nectar.entry_backgrounds": {
    exported: { backgrounds: "id entry_id quality created_at" },
    left: { [LEFT.derived]: "user_id", "The file is in the export itself.": "file_key" },
    erased: "by cascade",
  },
  "private.entry_reads": {
    exported: { accesses: "created_at>at reader_id>by entry_id" },
    left: { [LEFT.derived]: "id user_id date" },
    stays: "The id of a super admin who read an entry of someone else.",
    erased: "by cascade",
  },
  "nectar.trashed_entries": {
    exported: {
      trash:
        "id user_id title content mood found_mood tags notebook_id entry_date ai_excluded metadata_visibility content_visibility inherit_visibility team_id org_id created_at updated_at deleted_at expires_at background_id background_quality background_created_at",
    },
    left: {
      [LEFT.internal]: "drop_ids is_imported",
      "The file is in the export itself.": "background_file",
    },
    erased: "by cascade",
  },
  "nectar.note_analyses": {
    exported: {
      note_analyses:
        "id user_id analysis_date summary mood_trends topics patterns recommendations insights entry_count created_at updated_at",
    },
    erased: "by cascade",
  },
  "nectar.note_analysis_sources": {
    exported: { "note_analyses.sources": "entry_id>id" },
    left: { [LEFT.derived]: "analysis_id user_id" },
    erased: "by cascade",
  },
  "private.assistant_turns": {
    left: {
      [LEFT.internal]:
        "user_id job day analyses attempts claim claimed_until finished_at notes_fingerprint notes_since notes_version",
    },
    erased: "by cascade",
  },
  "nectar.goals": {
    exported: { goals: "id user_id title description target_date status created_at updated_at" },
    erased: "by cascade",
  },
  "nectar.goal_check_ins": {
    exported: { "goals.check_ins": "id goal_id user_id status notes check_in_date created_at" },
    erased: "by cascade",
  },
  "nectar.wellness_entries": {
    exported: { wellness_entries: "id user_id type rating content hours quality notes created_at" },
    erased: "by cascade",
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
