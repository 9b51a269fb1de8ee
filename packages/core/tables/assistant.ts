import { type Card, LEFT } from "./card.ts";

const ANALYSES = { what: "What a model made of recent entries, and which entries it read", seenBy: "the person" };

/** Tables of what models made of entries, and what it cost. */
export const ASSISTANT_TABLES = {
  "nectar.note_analyses": {
    about: ANALYSES,
    users: { select: "owner", delete: "owner" },
    exported: {
      note_analyses:
        "id user_id analysis_date summary mood_trends topics patterns recommendations insights entry_count created_at updated_at",
    },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.note_analysis_sources": {
    about: ANALYSES,
    users: { select: "owner" },
    exported: { "note_analyses.sources": "entry_id>id" },
    left: { [LEFT.derived]: "analysis_id user_id" },
    erased: "by cascade",
    grows: "with time",
  },
  "private.assistant_turns": {
    about: ANALYSES,
    users: { select: "owner" },
    left: {
      [LEFT.internal]:
        "user_id job day analyses attempts claim claimed_until finished_at notes_fingerprint notes_since notes_version",
    },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.token_usage": {
    about: {
      what: "Calls of models, without texts: when, which model, what it cost",
      seenBy: "the person; admins see sums",
    },
    users: { select: "owner", insert: "signed in" },
    chosen: {
      insert:
        "cost_usd has_reply image_count image_quality input_tokens model output_tokens reference_id reference_type usage_type",
    },
    service: {
      select: "*",
      insert:
        "cost_usd has_reply image_count image_quality input_tokens model output_tokens reference_id reference_type usage_type user_id",
    },
    exported: { ai_uses: "created_at>at usage_type model reference_id>entry_id" },
    left: {
      [LEFT.derived]: "user_id reference_type",
      [LEFT.cost]: "id cost_usd has_reply image_count image_quality input_tokens output_tokens",
    },
    erased: "by cascade",
    grows: "with time",
    sample: { usage_type: "tone_analysis", model: "small", cost_usd: 0 },
  },
} as const satisfies Readonly<Record<string, Card>>;
