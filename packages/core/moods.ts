/** What kind of feeling a mood is. */
export type MoodCategory = "positive" | "negative" | "neutral";

/** A mood that the service suggests; an entry may carry any other word as well. */
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

/** The suggested moods, in the order in which they are offered. */
export const MOODS: readonly Mood[] = CATEGORIES.flatMap((category) =>
  NAMES[category].map((name) => ({ name, category })),
);

/** Where the mood of an entry comes from: its author, tone analysis, or nowhere (no mood). */
export type MoodSource = "user" | "ai" | null;

/** The mood of an entry together with where it comes from. */
export interface MoodState {
  readonly mood: string | null;
  readonly mood_source: MoodSource;
}

/** The mood that an author gives: their word as it is, or none. */
export function moodGivenByAuthor(mood: string | null | undefined): MoodState {
  return mood === null || mood === undefined || mood === ""
    ? { mood: null, mood_source: null }
    : { mood, mood_source: "user" };
}
