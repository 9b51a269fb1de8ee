import { imageCostUsd, textCostUsd } from "#core/money/pricing";
import { type Entry, entries, tonePacks } from "./data.ts";
import { entryId, entryMoment } from "./journal.ts";
import { idOf, type Past } from "./past.ts";
import { insertRows } from "./rows.ts";
import { tonePackId, tonePackMoment } from "./tone-packs.ts";

const PRICES = { textInput: 150_000, textOutput: 600_000, image: 40_000, hdImage: 80_000 };
/** Tokens of the instructions and of the reply of a tone analysis. */
const INSTRUCTION_TOKENS = 190;
const REPLY_TOKENS = 58;

/** Writes the use of models: the moods that they found, some backgrounds, the images of tone packs. */
export async function writeUsage(past: Past): Promise<void> {
  const analyses = entries.filter(({ isMoodDetected }) => isMoodDetected);
  await insertRows(past.client, "nectar.token_usage", analyses, (entry) => {
    // Four letters of English are about one token.
    const input = INSTRUCTION_TOKENS + Math.ceil((entry.title.length + entry.text.length) / 4);
    return { usage_type: "tone_analysis", ...ofEntry(past, entry), ...textUsage(input, REPLY_TOKENS) };
  });
  // Every fifth entry once had a background; the images themselves are gone.
  const backgrounds = entries.filter((_, index) => index % 5 === 0);
  await insertRows(past.client, "nectar.token_usage", backgrounds, (entry) => ({
    usage_type: "background_generation",
    ...ofEntry(past, entry),
    ...imageUsage("standard"),
  }));
  await insertRows(past.client, "nectar.token_usage", Object.entries(tonePacks), ([key, pack]) =>
    pack.tones.map(() => ({
      usage_type: "tone_pack_image",
      user_id: idOf(past, pack.owner),
      reference_type: "tone_pack",
      reference_id: tonePackId(key),
      created_at: tonePackMoment(past, key, pack),
      ...imageUsage(key === "harbor-light" ? "hd" : "standard"),
    })),
  );
}

/** The columns of a call of the text model. */
export function textUsage(inputTokens: number, outputTokens: number) {
  return {
    model: "gpt-6-luna",
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cost_usd: textCostUsd(PRICES, inputTokens, outputTokens),
  };
}

function imageUsage(quality: "standard" | "hd") {
  return {
    model: "gpt-image-2.5-flare",
    image_count: 1,
    image_quality: quality,
    cost_usd: imageCostUsd(PRICES, quality),
  };
}

function ofEntry(past: Past, entry: Entry) {
  return {
    user_id: idOf(past, entry.person),
    reference_type: "journal_entry",
    reference_id: entryId(entry.person, entry.title),
    created_at: entryMoment(past, entry),
  };
}
