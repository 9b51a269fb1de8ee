/**
 * Tags as they are stored: without leading `#` and white space around them, each spelling once regardless of case; the
 * first spelling is kept. Empty tags remain, so that validation can name them.
 */
export function cleanTags(tags: readonly string[]): string[] {
  const bySpelling = new Map<string, string>();
  for (const tag of tags) {
    const cleaned = tag
      .normalize("NFC")
      .trim()
      .replace(/^#+\s*/, "");
    const key = tagKey(cleaned);
    if (!bySpelling.has(key)) bySpelling.set(key, cleaned);
  }
  return [...bySpelling.values()];
}

/** A tag as it is compared: without regard to case. */
export function tagKey(tag: string): string {
  return tag.toLowerCase();
}
