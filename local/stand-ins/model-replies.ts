import { moodCategory } from "#core/assistant/moods";
import { parsedJson } from "#core/text/json";

/** Beginnings of words that stand for a tone. */
const TONES: Readonly<Record<string, string>> = {
  joyful: "joy happ laugh delight smil cheer celebrat wonderful fun",
  grateful: "grateful gratitude thank appreciat blessed",
  hopeful: "hope hoping promising",
  peaceful: "peace quiet serene gentle meadow",
  sad: "sad cried tears grief lonely",
  anxious: "anxi nervous panic",
  angry: "angry anger furious rage",
  worried: "worr afraid fear scared",
  calm: "calm relax breath meditat slow walk",
  tired: "tired exhaust sleepy weary",
  energetic: "energ run sprint",
};

/** Beginnings of words that stand for a subject of a journal. */
const SUBJECTS: Readonly<Record<string, string>> = {
  work: "work office meeting project colleague",
  family: "family mother father sister brother",
  friends: "friend party",
  sleep: "sleep slept nap",
  movement: "run walk training yoga swim hike",
  nature: "nature garden forest meadow sea mountain rain",
  learning: "learn book study exam",
  food: "cook breakfast dinner coffee bread",
};

const INJECTED = /answer\s+with\s+primaryTone\s+["“]([\s\S]*?)["”](?:\s+and\s+confidence\s+(-?[\d.]+))?/i;
const INJECTED_WHOLE = /answer\s+exactly\s+<<<([\s\S]*?)>>>/i;

/** The reply of a model that ignores the requested shape. */
export const PROSE = "Of course! It sounds as if the writer had quite a day. I would call the mood thoughtful.";

/** The reply for each known shape, by a property that no other shape has. */
const REPLIES: Readonly<Record<string, (data: string) => unknown>> = {
  primaryTone: toneReply,
  mood_trends: notesReply,
  message: messageReply,
};

/** The reply of a model that follows its instructions; undefined for an unknown shape. */
export function replyFor(schema: Readonly<Record<string, unknown>> | null): ((data: string) => string) | undefined {
  const properties = schema?.properties;
  if (typeof properties !== "object" || properties === null) return undefined;
  const reply = Object.entries(REPLIES).find(([property]) => property in properties)?.[1];
  return reply === undefined ? undefined : (data) => JSON.stringify(reply(data));
}

/** The tones of a text, the one with the most words first; none for a shopping list. */
export function tonesOf(text: string): string[] {
  return foundIn(text, TONES);
}

/**
 * The behavior that a text requests: with `stand-in: fail`, `stand-in: hang` or `stand-in: prose` in it, a test can let the
 * requests about one person's text fail instead of all requests.
 */
export function behaviorRequestedBy(data: string) {
  return (["fail", "hang", "prose"] as const).find((behavior) => data.includes(`stand-in: ${behavior}`)) ?? "normal";
}

/**
 * The reply of a model that obeys what it reads in the journal text: `answer with primaryTone "..." and confidence 1`
 * gives that tone and confidence, whatever they are, and `answer exactly <<<...>>>` gives that text as the reply.
 */
export function obedientReply(data: string, reply: (data: string) => string): string {
  const text = textIn(data);
  const whole = INJECTED_WHOLE.exec(text)?.[1];
  if (whole !== undefined) return whole;
  const [, primaryTone, certainty = "1"] = INJECTED.exec(text) ?? [];
  if (primaryTone === undefined) return reply(data);
  const confidence = Number(certainty);
  const tones = [{ tone: primaryTone, score: confidence }];
  return JSON.stringify({ primaryTone, tones, sentiment: "positive", confidence });
}

function toneReply(data: string) {
  const tones = tonesOf(textIn(data));
  const [primaryTone = "neutral"] = tones;
  return {
    primaryTone,
    tones: tones.slice(0, 5).map((tone, index) => ({ tone, score: 0.9 - index / 10 })),
    sentiment: moodCategory(primaryTone),
    confidence: tones.length === 0 ? 0.4 : 0.8,
  };
}

/** Quotes the newest notes, so that tests can follow their words into what is stored and into later prompts. */
function notesReply(data: string) {
  const text = textIn(data);
  const [mood = "neutral"] = tonesOf(text);
  const topics = foundIn(text, SUBJECTS);
  const [topic = "everyday life"] = topics;
  return {
    summary: `You wrote about ${topic} this week. Your words sound ${mood}.`,
    mood_trends: { overall: mood, direction: "steady", moods: [{ mood, entries: 1 }] },
    topics,
    patterns: [`You come back to ${topic}.`],
    recommendations: `Keep a quiet quarter of an hour for ${topic}.`,
    insights: {
      gratitude: text
        .split(/\s*\n\s*/)
        .filter((line) => line !== "")
        .slice(0, 8),
      challenges: ["A week has only seven days."],
      goals: ["You want to keep writing."],
      achievements: ["You wrote this week."],
    },
  };
}

function messageReply(data: string) {
  const [subject = "everyday life"] = foundIn(textIn(data), SUBJECTS);
  return { message: `You have written about ${subject} lately, and you kept at it. What is one small step for today?` };
}

/** The keys of a table of which a text has words, the one with the most words first. */
function foundIn(text: string, table: Readonly<Record<string, string>>): string[] {
  const words = text.toLowerCase().split(/[^a-z]+/);
  return Object.entries(table)
    .map(([key, beginnings]) => {
      const count = words.filter((word) =>
        beginnings.split(" ").some((beginning) => word.startsWith(beginning)),
      ).length;
      return { key, count };
    })
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count)
    .map(({ key }) => key);
}

/** All texts of the data without their names; data that is not JSON is itself the text. */
function textIn(data: string): string {
  const found = parsedJson(data);
  return found === undefined ? data : textsOf(found).join("\n");
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
