import type { NoteAnalysis } from "@nectar/core/note-analysis";
import type { PersonKey } from "./people.ts";

/** What people let the assistant do; nothing when left out. */
export const assistantFriends: Partial<Record<PersonKey, { mayWrite: boolean }>> = {
  demo: { mayWrite: true },
  leila: { mayWrite: true },
  hana: { mayWrite: true },
  oskar: { mayWrite: false },
};

/** What the assistant made of the notes of somebody's week. */
export interface DemoAnalysis extends NoteAnalysis {
  person: PersonKey;
  daysAgo: number;
}

/** Analyses of the last days. That of today is left to the job. */
export const analyses: readonly DemoAnalysis[] = [
  {
    person: "demo",
    daysAgo: 3,
    summary: "A long run in good company and a decision that had been waiting: you will see your father.",
    mood_trends: {
      overall: "hopeful",
      direction: "improving",
      moods: [
        { mood: "joyful", entries: 1 },
        { mood: "excited", entries: 1 },
      ],
    },
    topics: ["running", "family", "travel"],
    patterns: ["You do hard things more easily when somebody comes along, even from eight hours away."],
    recommendations: "Think of one question that you want to ask at the kitchen table, and take it with you.",
    insights: {
      gratitude: ["Company on a long run, by voice message"],
      challenges: ["A calf that has to be listened to"],
      goals: ["A half marathon at the pace of a conversation"],
      achievements: ["The longest run so far", "The tickets are bought"],
    },
  },
  {
    person: "demo",
    daysAgo: 1,
    summary:
      "You looked at your work from the side of those who use it, and at your week from the side of those you love. The run, the tickets and the thought about the numbers have one thing in common: you want to arrive, not to hurry.",
    mood_trends: {
      overall: "calm and curious",
      direction: "steady",
      moods: [
        { mood: "joyful", entries: 1 },
        { mood: "excited", entries: 1 },
        { mood: "contemplative", entries: 1 },
      ],
    },
    topics: ["running", "family", "travel", "work", "metrics"],
    patterns: [
      "What is measured and what matters keep coming up as two different things.",
      "You keep good news to yourself until you can see the other person's face.",
    ],
    recommendations:
      "Write down what a good visit to the app would feel like, before anybody counts it. Rest the calf once more.",
    insights: {
      gratitude: ["Somebody who asked for company on a run"],
      challenges: ["A chart that looks like a failure"],
      goals: ["A number for people who put their phone away"],
      achievements: ["Eleven kilometres, talking"],
    },
  },
  {
    person: "leila",
    daysAgo: 1,
    summary: "Voices went from river to river, and the first of forty comments is answered: the title is a new one.",
    mood_trends: {
      overall: "lighter",
      direction: "improving",
      moods: [
        { mood: "grateful", entries: 1 },
        { mood: "optimistic", entries: 1 },
      ],
    },
    topics: ["thesis", "trail running", "friends"],
    patterns: ["Moving first and thinking afterwards works for you."],
    recommendations: "Take one comment with you on the next loop, and only one.",
    insights: {
      gratitude: ["A voice from another river"],
      challenges: ["The number of comments"],
      goals: ["One comment a day"],
      achievements: ["Comment number one"],
    },
  },
  {
    person: "hana",
    daysAgo: 2,
    summary: "Three songs are there, and a concert to play them at.",
    mood_trends: { overall: "tender", direction: "improving", moods: [{ mood: "joyful", entries: 1 }] },
    topics: ["music", "family"],
    patterns: ["You practise longer when you know who will listen."],
    recommendations: "Play the song with the pause first tomorrow, and let the pause be long.",
    insights: {
      gratitude: [],
      challenges: [],
      goals: ["Playing for somebody"],
      achievements: ["Three songs in a row"],
    },
  },
  {
    person: "oskar",
    daysAgo: 3,
    summary: "You wrote down what you are afraid of, and in the same breath a tower that had to be built ten times.",
    mood_trends: { overall: "worried and warm", direction: "mixed", moods: [{ mood: "worried", entries: 1 }] },
    topics: ["family", "work"],
    patterns: ["The hard thoughts come in the small hours, the good ones at the end of a tower."],
    recommendations: "Close the books at six once more this week.",
    insights: {
      gratitude: [],
      challenges: ["Evenings behind the laptop"],
      goals: [],
      achievements: ["Closed the books two hours early"],
    },
  },
];

/** A drop that the assistant gave. */
export interface DemoAssistantDrop {
  person: PersonKey;
  daysAgo: number;
  words: string;
}

/** Drops of the last days; those of today are left to the job. */
export const assistantDrops: readonly DemoAssistantDrop[] = [
  {
    person: "demo",
    daysAgo: 3,
    words: "The tickets are in the drawer. That was the hard part; the train does the rest.",
  },
  {
    person: "demo",
    daysAgo: 2,
    words: "A quiet day is part of the plan, also for calves. What did the window sound like today?",
  },
  {
    person: "demo",
    daysAgo: 1,
    words: "You wondered how to count people who put their phone away. Perhaps begin with yourself, for an hour.",
  },
  { person: "leila", daysAgo: 1, words: "One comment is answered. The trail knows the way to the second." },
  {
    person: "hana",
    daysAgo: 2,
    words: "Three songs, and a hall full of drawings. The difficult bar may take its pause.",
  },
];
