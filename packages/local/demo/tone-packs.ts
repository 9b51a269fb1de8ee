import type { PersonKey } from "./people.ts";

/** A tone pack of the demo data. */
export interface DemoTonePack {
  owner: PersonKey;
  name: string;
  description: string;
  /** One of the themes that the database knows. */
  theme: string;
  createdDaysAgo: number;
  /** Whether everybody sees it. */
  isPublic: boolean;
  /** 0 is free. */
  priceDrops: number;
  /** Tones that have an image, in lower case. */
  tones: readonly string[];
  sharedWith: readonly PersonKey[];
  /** Who shows its images on their entries; everybody here may use it. */
  activeFor: readonly PersonKey[];
}

/** The tone packs, by the short name that the other files call them. */
export const tonePacks = {
  // Free for everybody.
  "paper-weather": {
    owner: "aiko",
    name: "Paper Weather",
    description: "Folded skies for the usual days. Free to use.",
    theme: "origami",
    createdDaysAgo: 34,
    isPublic: true,
    priceDrops: 0,
    tones: ["joyful", "calm", "hopeful", "grateful"],
    sharedWith: [],
    activeFor: ["oskar", "sam"],
  },
  // For sale; Robin has bought it and uses it.
  "harbor-light": {
    owner: "aiko",
    name: "Harbor Light",
    description: "Wet paint and low sun, from a month of drawing at the pier.",
    theme: "watercolor",
    createdDaysAgo: 30,
    isPublic: true,
    priceDrops: 40,
    tones: ["joyful", "contemplative", "peaceful", "excited"],
    sharedWith: [],
    activeFor: ["demo"],
  },
  // For sale; Robin has given it back.
  "four-strings": {
    owner: "hana",
    name: "Four Strings",
    description: "One line each, like a bow that does not leave the string.",
    theme: "line-art",
    createdDaysAgo: 26,
    isPublic: true,
    priceDrops: 25,
    tones: ["content", "melancholic"],
    sharedWith: [],
    activeFor: ["hana"],
  },
  // For the club only.
  "trail-animals": {
    owner: "grace",
    name: "Trail Animals",
    description: "Whoever we met before breakfast. For the club, not for sale.",
    theme: "animals",
    createdDaysAgo: 19,
    isPublic: false,
    priceDrops: 0,
    tones: ["energetic", "tired"],
    sharedWith: ["demo", "leila", "priya"],
    activeFor: ["grace", "leila"],
  },
} as const satisfies Record<string, DemoTonePack>;

/** The short name of a tone pack of the demo data. */
export type TonePackKey = keyof typeof tonePacks;
