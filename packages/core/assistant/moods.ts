export type MoodCategory = "positive" | "negative" | "neutral";

/** A mood that the service suggests; an entry may have any other word as well. */
export interface Mood {
  readonly name: string;
  readonly category: MoodCategory;
}

const NAMES: Readonly<Record<MoodCategory, readonly string[]>> = {
  positive: ["joyful", "grateful", "excited", "hopeful", "content", "peaceful", "optimistic"],
  negative: ["sad", "anxious", "frustrated", "angry", "worried", "disappointed", "melancholic", "pessimistic"],
  neutral: ["calm", "contemplative", "neutral", "tired", "energetic"],
};

const CATEGORIES: readonly MoodCategory[] = ["positive", "negative", "neutral"];

/** The suggested moods, in the order in which clients show them. */
export const MOODS: readonly Mood[] = CATEGORIES.flatMap((category) =>
  NAMES[category].map((name) => ({ name, category })),
);

const CATEGORY_BY_NAME = new Map<string, MoodCategory>(MOODS.map(({ name, category }) => [name, category]));

/** The category of a mood in upper or lower case; null for one that is not suggested. */
export function moodCategory(mood: string): MoodCategory | null {
  return CATEGORY_BY_NAME.get(mood.toLowerCase()) ?? null;
}
