import type { DemoEntry } from "./entry.ts";

/** What the people outside both organizations have written. */
export const hanaEntries: readonly DemoEntry[] = [
  {
    daysAgo: 33,
    at: "15:10",
    title: "The open strings",
    text: "My teacher is twenty-six and very patient. For an hour I played four notes, and for perhaps two seconds one of them sounded like a cello. The cat has moved to the bathroom. I drove trains for thirty-eight years and was never as tired in the arms.",
    mood: "hopeful",
    tags: ["cello", "beginnings"],
    notebook: "hana-cello",
  },
  {
    daysAgo: 25,
    at: "16:20",
    title: "The neighbour knocks",
    text: "I opened the door with my apology ready. He wanted to say that he recognised the tune. It was the first evening on which there had been a tune to recognise.",
    mood: "surprised",
    tags: ["cello", "neighbours"],
    notebook: "hana-cello",
  },
  {
    daysAgo: 17,
    at: "21:00",
    title: "Line 171, from the passenger's side",
    text: "I took my old line today and sat in the third carriage like anybody. The young driver brakes a little late before the bridge, as I did in my first years. Nobody on board knew that I knew every sleeper by its sound.",
    mood: "nostalgic",
    tags: ["trains"],
    sharing: { metadata: "public", content: "public" },
  },
  {
    daysAgo: 10,
    at: "22:05",
    title: "Letter to Pavel",
    text: "You would have laughed at the cello and then carried it up the stairs for me. I still buy the bread that only you liked. I write this here because the house is quiet and because I do not want to say it to the children.",
    mood: "sad",
    isMoodDetected: true,
    tags: ["pavel"],
    notebook: "hana-cello",
    inherit: false,
  },
  {
    daysAgo: 3,
    at: "15:45",
    title: "Three songs",
    text: "I can play three songs now, if you count the one with the difficult bar as a song with a pause. My granddaughter has ordered a concert for her birthday. Entry is one drawing per person.",
    mood: "joyful",
    tags: ["cello", "family", "milestone"],
    notebook: "hana-cello",
  },
];

export const adminEntries: readonly DemoEntry[] = [
  {
    daysAgo: 35,
    at: "10:00",
    title: "Welcome to Nectar",
    text: "This is a place to write a few lines a day and to decide, line by line, who may read them. Start with something only you can see. Share the next one with a team. If something looks wrong or unkind, write to me: I answer every message.",
    mood: "content",
    tags: ["welcome"],
    sharing: { metadata: "public", content: "public" },
  },
  {
    daysAgo: 22,
    at: "18:40",
    title: "Backups: restored one for real",
    text: "A backup that nobody has restored is a wish, so I restored last night's on the spare machine. It took twenty-six minutes, and one of the steps in my notes was missing. It is written down now.",
    mood: "calm",
    tags: ["operations", "backup"],
    notebook: "ines-logbook",
  },
  {
    daysAgo: 6,
    at: "17:30",
    title: "Somebody locked out",
    text: "A lady from Prague could not sign in and apologised four times for disturbing me. It was our fault: the form did not like the accent in her name. Fixed it, told her so, and received a recording of a cello in return.",
    mood: "grateful",
    isMoodDetected: true,
    tags: ["support"],
    notebook: "ines-logbook",
    sharing: { metadata: "public" },
  },
];
