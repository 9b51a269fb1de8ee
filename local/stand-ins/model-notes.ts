import * as z from "zod";
import { MOODS, type MoodCategory } from "#core/models/moods";
import { parsedJson } from "./json.ts";
import { toneOf } from "./lexicon.ts";

/** Subjects of journals, and the beginnings of words that indicate them. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  work: ["work", "office", "meeting", "deadline", "project", "boss", "colleague", "client"],
  family: ["family", "mother", "father", "mum", "dad", "sister", "brother", "kids", "daughter", "son"],
  friends: ["friend", "party", "dinner together", "visit"],
  sleep: ["sleep", "slept", "tired", "insomnia", "nap", "bed"],
  movement: ["run", "walk", "workout", "training", "yoga", "bike", "swim", "hike", "gym"],
  nature: ["garden", "forest", "meadow", "sea", "mountain", "rain", "sun", "bird"],
  learning: ["learn", "read", "book", "study", "course", "exam"],
  health: ["health", "doctor", "pain", "headache", "meditat", "breath"],
  creativity: ["paint", "draw", "music", "guitar", "writing", "photo"],
  food: ["cook", "breakfast", "lunch", "dinner", "coffee", "tea", "bread"],
};

/** The kinds of insights, and the words that indicate them in a sentence. */
const INSIGHTS = {
  gratitude: /\b(?:grateful|thank|appreciat|blessed|lucky)/i,
  challenges: /\b(?:hard|difficult|stress|worr|anxi|tired|stuck|struggl|afraid|overwhelm)/i,
  goals: /\b(?:want to|plan|goal|will try|hope to|going to)/i,
  achievements: /\b(?:finished|managed|achieved|done|finally|proud|completed|first time)/i,
};

const Note = z.object({ title: z.string(), content: z.string() });
type Note = z.infer<typeof Note>;
/** The data of the two prompts, as far as they are used. */
const Notes = z.object({ notes: z.array(Note) });
const Analysis = z.object({
  analysis: z.object({ topics: z.array(z.string()), mood_trends: z.object({ direction: z.string() }) }),
});

/** The reply of a model that analyzes a week of notes, by a small lexicon. */
export function notesReply(data: string): string {
  const { notes } = Notes.safeParse(parsedJson(data)).data ?? { notes: [] };
  const text = notes.map(({ title, content }) => `${title}. ${content}`).join("\n");
  const written = notes.map(({ content }) => content).join("\n");
  const tones = countBy(notes.map((note) => toneOf(note).primaryTone)).slice(0, 10);
  const topics = Object.entries(SUBJECTS)
    .map(([topic, words]) => [topic, occurrences(text, words)] as const)
    .filter(([, count]) => count > 0)
    .sort(([, left], [, right]) => right - left)
    .map(([topic]) => topic)
    .slice(0, 6);
  const [mood = "calm"] = tones.map(([tone]) => tone);
  const subject = topics[0] ?? "everyday life";
  const insights = Object.fromEntries(
    Object.entries(INSIGHTS).map(([kind, pattern]) => [kind, sentencesWith(written, pattern)]),
  );
  return JSON.stringify({
    summary: `You wrote ${notes.length === 1 ? "one note" : `${notes.length} notes`} this week, most of all about ${subject}. Your words sound ${mood}.`,
    mood_trends: {
      overall: mood,
      direction: directionOf(notes),
      moods: tones.map(([tone, entries]) => ({ mood: tone, entries })),
    },
    topics,
    patterns: topics.slice(0, 3).map((topic) => `${capitalized(topic)} comes back in what you write.`),
    recommendations: `Keep a quiet quarter of an hour for ${subject} this week, and write down how it felt.`,
    insights,
  });
}

/** The reply of a model that encourages a person, based on the analysis of their week. */
export function messageReply(data: string): string {
  const analysis = Analysis.safeParse(parsedJson(data)).data?.analysis;
  const subject = analysis?.topics[0] ?? "what matters to you";
  const rising = analysis?.mood_trends.direction === "improving";
  return JSON.stringify({
    message: `${capitalized(subject)} has been on your mind lately, and you kept at it. ${
      rising ? "Things are looking up, and that is your doing." : "Be patient with yourself; that is strength as well."
    } What is one small thing you could do for it today?`,
  });
}

/** How the mood changes from the older half of the notes to the newer one. @param notes newest first */
function directionOf(notes: readonly Note[]): string {
  const middle = Math.ceil(notes.length / 2);
  const change = brightness(notes.slice(0, middle)) - brightness(notes.slice(middle));
  if (notes.length < 2 || Math.abs(change) < 0.2) return "steady";
  return change > 0 ? "improving" : "declining";
}

function brightness(notes: readonly Note[]): number {
  const worth: Readonly<Record<MoodCategory, number>> = { positive: 1, neutral: 0, negative: -1 };
  const sum = notes.reduce((total, note) => {
    const category = MOODS.find(({ name }) => name === toneOf(note).primaryTone)?.category ?? "neutral";
    return total + worth[category];
  }, 0);
  return notes.length === 0 ? 0 : sum / notes.length;
}

function sentencesWith(text: string, pattern: RegExp): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "" && pattern.test(sentence))
    .map((sentence) => sentence.slice(0, 160))
    .slice(0, 3);
}

function occurrences(text: string, beginnings: readonly string[]): number {
  return [...text.matchAll(new RegExp(`\\b(?:${beginnings.join("|")})`, "gi"))].length;
}

function countBy(words: readonly string[]): [string, number][] {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, all]): [string, number] => [word, all.length]);
  return counts.sort(([, left], [, right]) => right - left);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
