import { normalizeText, problemAsSent } from "./text.ts";

export const MAX_TAG_LENGTH = 50;

/**
 * Tags as they are stored: trimmed, without a leading `#`, and each only once regardless of case (the first spelling is
 * kept). Empty tags, and those that cannot be normalized to a tag, stay, so that validation can report them.
 */
export function cleanTags(tags: readonly string[]): string[] {
  const bySpelling = new Map<string, string>();
  for (const tag of tags) {
    const sent = tag.trim().replace(/^#+\s*/, "");
    const cleaned = problemAsSent(sent, MAX_TAG_LENGTH) === null ? normalizeText(sent) : sent;
    const key = cleaned.toLowerCase();
    if (!bySpelling.has(key)) bySpelling.set(key, cleaned);
  }
  return [...bySpelling.values()];
}
