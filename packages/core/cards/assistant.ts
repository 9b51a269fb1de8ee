import { type Cards, LEFT } from "./card.ts";

const ANALYSES = { what: "What a model made of recent entries, and which entries it read", seenBy: "the person" };

/** Tables of what models made of entries, and what it cost. */
export const ASSISTANT_TABLES = {
  "nectar.note_analyses": {
    about: ANALYSES,
    users: { select: "owner", delete: "owner" },
    exported: { note_analyses: "all" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.note_analysis_sources": {
    about: ANALYSES,
    users: { select: "owner" },
    exported: { "note_analyses.sources": { as: { entry_id: "id" } } },
    left: { [LEFT.derived]: ["analysis_id", "user_id"] },
    erased: "by cascade",
    grows: "with time",
  },
  "private.assistant_turns": {
    about: ANALYSES,
    users: { select: "owner" },
    left: LEFT.internal,
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.token_usage": {
    about: {
      what: "Calls of models, without texts: when, which model, what it cost",
      seenBy: "the person; admins see sums",
    },
    users: { select: "owner", insert: "signed in" },
    exported: { ai_uses: { as: { created_at: "at", reference_id: "entry_id" } } },
    left: {
      [LEFT.derived]: ["user_id", "reference_type"],
      [LEFT.cost]: ["id", "cost_usd", "has_reply", "image_count", "image_quality", "input_tokens", "output_tokens"],
    },
    erased: "by cascade",
    grows: "with time",
    sample: { usage_type: "tone_analysis", model: "small", cost_usd: 0 },
  },
} as const satisfies Cards;
