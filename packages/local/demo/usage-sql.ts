import { imageCostUsd, textCostUsd } from "@nectar/core/pricing";
import type pg from "pg";
import { momentOf } from "./moment-sql.ts";
import { entryRows, tonePackId, tonePackRows, tonePackToneRows } from "./rows.ts";

const textModel = "gpt-4o-mini";
const imageModel = "gpt-image-2.5-flare";
/** What the instructions and the answer of a tone analysis come to, in tokens. */
const instructionTokens = 190;
const answerTokens = 58;

/** Writes what the models were asked for: the moods that they found, the images of tone packs, some backgrounds. */
export async function writeUsage(client: pg.Client): Promise<void> {
  const rows = [...toneAnalyses(), ...backgrounds(), ...packImages()];
  await client.query(
    `insert into nectar.token_usage
       (user_id, usage_type, model, input_tokens, output_tokens, image_count, image_quality, cost_usd, reference_type,
        reference_id, created_at)
     select p.id, r.usage_type, r.model, coalesce(r.input_tokens, 0), coalesce(r.output_tokens, 0),
       coalesce(r.image_count, 0), r.image_quality, r.cost_usd, r.reference_type, r.reference_id, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (person text, usage_type nectar.token_usage_type, model text, input_tokens int, output_tokens int,
             image_count int, image_quality text, cost_usd numeric, reference_type text, reference_id uuid, days_ago int,
             at time)
     join demo_people p using (person)`,
    [JSON.stringify(rows)],
  );
}

function toneAnalyses() {
  return entryRows()
    .filter(({ found_mood }) => found_mood !== null)
    .map(({ id, person, title, content, days_ago, at }) => {
      // Four letters of English are about one token.
      const inputTokens = instructionTokens + Math.ceil((title.length + content.length) / 4);
      return {
        person,
        usage_type: "tone_analysis",
        model: textModel,
        input_tokens: inputTokens,
        output_tokens: answerTokens,
        cost_usd: textCostUsd(inputTokens, answerTokens),
        reference_type: "journal_entry",
        reference_id: id,
        days_ago,
        at,
      };
    });
}

/** Every fifth entry was given a background once; the pictures themselves are gone. */
function backgrounds() {
  return entryRows()
    .filter((_, place) => place % 5 === 0)
    .map(({ id, person, days_ago, at }) => ({
      ...oneImage("background_generation", "standard"),
      person,
      reference_type: "journal_entry",
      reference_id: id,
      days_ago,
      at,
    }));
}

function packImages() {
  const packs = new Map(tonePackRows().map((pack) => [pack.id, pack]));
  return tonePackToneRows().flatMap(({ pack_id }) => {
    const pack = packs.get(pack_id);
    if (pack === undefined) return [];
    const quality = pack.id === tonePackId("harbor-light") ? "hd" : "standard";
    return {
      ...oneImage("tone_pack_image", quality),
      person: pack.person,
      reference_type: "tone_pack",
      reference_id: pack_id,
      days_ago: pack.days_ago,
      at: pack.at,
    };
  });
}

function oneImage(usageType: "background_generation" | "tone_pack_image", quality: "standard" | "hd") {
  return {
    usage_type: usageType,
    model: imageModel,
    image_count: 1,
    image_quality: quality,
    cost_usd: imageCostUsd(quality),
  };
}
