import { normalizeText } from "./text.ts";

/**
 * Tags as they are stored: trimmed, without a leading `#`, and each only once regardless of case (the first spelling is
 * kept). Empty tags stay, so that validation can report them.
 */
export function cleanTags(tags: readonly string[]): string[] {
  const bySpelling = new Map<string, string>();
  for (const tag of tags) {
    const cleaned = normalizeText(tag).replace(/^#+\s*/, "");
    const key = cleaned.toLowerCase();
    if (!bySpelling.has(key)) bySpelling.set(key, cleaned);
  }
  return [...bySpelling.values()];
}
