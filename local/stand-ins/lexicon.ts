import { MOODS, type MoodCategory } from "#core/models/moods";

/** A tone analysis in the shape that our prompt requests. */
export interface ToneReply {
  readonly primaryTone: string;
  readonly tones: readonly { readonly tone: string; readonly score: number }[];
  readonly sentiment: "positive" | "negative" | "neutral" | "mixed";
  readonly confidence: number;
}

/** Beginnings of words that indicate a tone: `thank` matches thanks, thankful and thanked as well. */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  joyful: ["joy", "happ", "laugh", "delight", "smil", "cheer", "celebrat", "wonderful", "fun"],
  grateful: ["grateful", "gratitude", "thank", "appreciat", "blessed", "kindness"],
  excited: ["excit", "thrill", "can't wait", "amazing", "eager"],
  hopeful: ["hope", "hoping", "looking forward", "promising", "believe"],
  content: ["content", "satisf", "enough", "cosy", "comfortable", "pleased"],
  peaceful: ["peace", "quiet", "still", "serene", "tranquil", "gentle", "meadow"],
  optimistic: ["optimis", "confident", "improv", "better", "progress", "proud"],
  sad: ["sad", "cried", "cry", "tears", "grief", "lonely", "miss", "lost", "heartbr"],
  anxious: ["anxi", "nervous", "panic", "uneasy", "restless", "overwhelm", "dread"],
  frustrated: ["frustrat", "stuck", "annoy", "irritat", "again and again", "pointless"],
  angry: ["angry", "anger", "furious", "rage", "hate", "unfair", "yell"],
  worried: ["worr", "afraid", "fear", "concern", "scared", "doubt"],
  disappointed: ["disappoint", "let down", "failed", "failure", "regret", "rejected"],
  melancholic: ["melanchol", "nostalg", "wistful", "bittersweet", "memories", "autumn"],
  pessimistic: ["pessimis", "hopeless", "never work", "no use", "doomed", "worse"],
  calm: ["calm", "relax", "breath", "meditat", "slow", "walk"],
  contemplative: ["wonder", "thinking", "thought", "reflect", "consider", "ponder", "meaning"],
  tired: ["tired", "exhaust", "sleepy", "weary", "drained", "worn out", "fatigue"],
  energetic: ["energ", "run", "workout", "training", "sprint", "motivated", "strong"],
};

/** The weight of a word in the title; in the text it is 1. */
const TITLE_WEIGHT = 1.5;
const NEGATION = /\b(?:not|no|never|hardly|isn't|wasn't|don't|didn't|without)\s+(?:\w+\s+){0,2}$/;

const CATEGORY_OF: ReadonlyMap<string, MoodCategory> = new Map(MOODS.map(({ name, category }) => [name, category]));
const PATTERNS = Object.entries(BEGINNINGS).map(([tone, beginnings]) => ({
  tone,
  pattern: new RegExp(`\\b(?:${beginnings.map((beginning) => beginning.replaceAll(" ", "\\s+")).join("|")})`, "g"),
}));

/**
 * Finds the tones of a text by its words. Text without any such word is neutral with a confidence below one half, as a
 * model says it of a shopping list.
 */
export function toneOf(text: { title: string; content: string }): ToneReply {
  const weights = PATTERNS.map(({ tone, pattern }) => ({
    tone,
    weight: occurrences(text.content, pattern) + TITLE_WEIGHT * occurrences(text.title, pattern),
  }))
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .slice(0, 5);
  const [first] = weights;
  if (first === undefined) {
    return {
      primaryTone: "neutral",
      tones: [{ tone: "neutral", score: 0.4 }],
      sentiment: "neutral",
      confidence: 0.4,
    };
  }
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  return {
    primaryTone: first.tone,
    tones: weights.map(({ tone, weight }) => ({ tone, score: hundredths(0.4 + (0.55 * weight) / total) })),
    sentiment: sentimentOf(weights),
    confidence: hundredths(Math.min(0.97, 0.5 + 0.12 * Math.min(first.weight, 3) + (0.12 * first.weight) / total)),
  };
}

function occurrences(text: string, pattern: RegExp): number {
  const lowered = text.toLowerCase().replaceAll("’", "'");
  const found = [...lowered.matchAll(pattern)];
  return found.filter(({ index }) => !NEGATION.test(lowered.slice(Math.max(0, index - 40), index))).length;
}

function sentimentOf(weights: readonly { tone: string; weight: number }[]): ToneReply["sentiment"] {
  const sum = (category: MoodCategory) =>
    weights.filter(({ tone }) => CATEGORY_OF.get(tone) === category).reduce((total, { weight }) => total + weight, 0);
  const positive = sum("positive");
  const negative = sum("negative");
  if (positive === 0 && negative === 0) return "neutral";
  if (Math.min(positive, negative) * 2 >= Math.max(positive, negative)) return "mixed";
  return positive > negative ? "positive" : "negative";
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
