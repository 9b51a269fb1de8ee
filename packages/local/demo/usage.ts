import { imageCostUsd, textCostUsd } from "@nectar/core/pricing";
import type pg from "pg";
import { entryRows } from "./journal.ts";
import { writeRows } from "./rows.ts";
import { tonePackId, tonePackRows } from "./tone-packs.ts";

/** The text model that the demo data was made with. */
export const TEXT_MODEL = "gpt-4o-mini";
const IMAGE_MODEL = "gpt-image-2.5-flare";
/** Tokens of the instructions and of the reply of a tone analysis. */
const INSTRUCTION_TOKENS = 190;
const REPLY_TOKENS = 58;

/** Writes the use of models: the moods that they found, the images of tone packs, some backgrounds. */
export async function writeUsage(client: pg.Client): Promise<void> {
  await writeRows(
    client,
    `usage_type nectar.token_usage_type, model text, input_tokens int, output_tokens int, image_count int,
     image_quality text, cost_usd numeric, reference_type text, reference_id uuid`,
    [...toneAnalyses(), ...backgrounds(), ...packImages()],
    `insert into nectar.token_usage
       (user_id, usage_type, model, input_tokens, output_tokens, image_count, image_quality, cost_usd, reference_type,
        reference_id, created_at)
     select r.person_id, r.usage_type, r.model, coalesce(r.input_tokens, 0), coalesce(r.output_tokens, 0),
       coalesce(r.image_count, 0), r.image_quality, r.cost_usd, r.reference_type, r.reference_id, r.moment
     from r`,
  );
}

function toneAnalyses() {
  return entryRows()
    .filter(({ found_mood }) => found_mood !== null)
    .map(({ id, person, title, content, days_ago, at }) => {
      // Four letters of English are about one token.
      const inputTokens = INSTRUCTION_TOKENS + Math.ceil((title.length + content.length) / 4);
      return {
        person,
        usage_type: "tone_analysis",
        model: TEXT_MODEL,
        input_tokens: inputTokens,
        output_tokens: REPLY_TOKENS,
        cost_usd: textCostUsd(inputTokens, REPLY_TOKENS),
        reference_type: "journal_entry",
        reference_id: id,
        days_ago,
        at,
      };
    });
}

/** Every fifth entry once had a background; the images themselves are gone. */
function backgrounds() {
  return entryRows()
    .filter((_, index) => index % 5 === 0)
    .map((entry) => oneImage("background_generation", "standard", "journal_entry", entry));
}

function packImages() {
  return tonePackRows().flatMap((row) => {
    const quality = row.id === tonePackId("harbor-light") ? "hd" : "standard";
    return row.pack.tones.map(() => oneImage("tone_pack_image", quality, "tone_pack", row));
  });
}

function oneImage(
  usageType: "background_generation" | "tone_pack_image",
  quality: "standard" | "hd",
  referenceType: string,
  { id, person, days_ago, at }: { id: string; person: string; days_ago: number; at: string },
) {
  return {
    person,
    usage_type: usageType,
    model: IMAGE_MODEL,
    image_count: 1,
    image_quality: quality,
    cost_usd: imageCostUsd(quality),
    reference_type: referenceType,
    reference_id: id,
    days_ago,
    at,
  };
}
