import type { Visibility } from "@nectar/core/visibility";
import type { OrganizationKey, TeamKey } from "./groups.ts";
import type { PersonKey } from "./people.ts";

/** Who may see something of the demo data; what is left out is for its author alone. */
export interface DemoSharing {
  metadata?: Visibility;
  content?: Visibility;
  /** The team that a level 'team' means. */
  team?: TeamKey;
  /** The organization that a level 'org' means. */
  org?: OrganizationKey;
}

/** A notebook of the demo data. */
export interface DemoNotebook {
  owner: PersonKey;
  name: string;
  description: string | null;
  createdDaysAgo: number;
  sharing?: DemoSharing;
}

/** The notebooks, by the short name that the entries call them. */
export const notebooks = {
  "robin-evenings": { owner: "demo", name: "Evening pages", description: null, createdDaysAgo: 40 },
  "robin-studio": {
    owner: "demo",
    name: "Studio notes",
    description: "What I learn while we build the ferry app. The studio sees that I write, the crew reads it.",
    createdDaysAgo: 39,
    sharing: { metadata: "org", content: "team", org: "harbor-street", team: "product-crew" },
  },
  "robin-running": {
    owner: "demo",
    name: "Running log",
    description: "Road to a first half marathon, for the people on the same road.",
    createdDaysAgo: 38,
    sharing: { metadata: "team", content: "team", team: "half-marathon" },
  },
  "robin-postcards": {
    owner: "demo",
    name: "Postcards from Lisbon",
    description: "Short, for anyone.",
    createdDaysAgo: 36,
    sharing: { metadata: "public", content: "public" },
  },
  "ines-logbook": {
    owner: "admin",
    name: "Logbook",
    description: "What I did to this server, so that I know it next time.",
    createdDaysAgo: 55,
  },
  "maya-studio": {
    owner: "maya",
    name: "Running a studio",
    description: "Decisions, and how they turned out.",
    createdDaysAgo: 48,
    sharing: { metadata: "org", content: "org", org: "harbor-street" },
  },
  "tomas-build": {
    owner: "tomas",
    name: "Build diary",
    description: null,
    createdDaysAgo: 45,
    sharing: { metadata: "team", content: "team", team: "product-crew" },
  },
  "aiko-margins": {
    owner: "aiko",
    name: "Sketchbook margins",
    description: "The titles are for everybody. The pages are for those who write with me.",
    createdDaysAgo: 44,
    sharing: { metadata: "public", content: "team", team: "morning-pages" },
  },
  "jonas-hundred": {
    owner: "jonas",
    name: "First hundred days",
    description: "Being new is a skill. I am writing down what it is like before I forget.",
    createdDaysAgo: 23,
    sharing: { metadata: "org", content: "org", org: "harbor-street" },
  },
  "oskar-small-hours": { owner: "oskar", name: "Small hours", description: null, createdDaysAgo: 43 },
  "priya-letters": {
    owner: "priya",
    name: "Training letters",
    description: "One letter for each step of the plan.",
    createdDaysAgo: 42,
    sharing: { metadata: "org", content: "team", org: "slow-miles", team: "half-marathon" },
  },
  "sam-shift": {
    owner: "sam",
    name: "After the night shift",
    description: "The club may know that I ran. The rest is mine.",
    createdDaysAgo: 35,
    sharing: { metadata: "org", content: "user", org: "slow-miles" },
  },
  "leila-trails": {
    owner: "leila",
    name: "Trail notes",
    description: "Paths, water, and what I thought about on the way.",
    createdDaysAgo: 42,
    sharing: { metadata: "public", content: "public" },
  },
  "grace-before-school": {
    owner: "grace",
    name: "Before school",
    description: null,
    createdDaysAgo: 41,
    sharing: { metadata: "team", content: "team", team: "half-marathon" },
  },
  "daniel-knee": {
    owner: "daniel",
    name: "Knee diary",
    description: "Left knee, torn meniscus, eleven months ago. Read along if you are mending too.",
    createdDaysAgo: 39,
    sharing: { metadata: "org", content: "team", org: "slow-miles", team: "back-on-track" },
  },
  "hana-cello": {
    owner: "hana",
    name: "Cello at sixty-seven",
    description: "I drove trains for thirty-eight years. Now I practise.",
    createdDaysAgo: 38,
    sharing: { metadata: "public", content: "public" },
  },
} as const satisfies Record<string, DemoNotebook>;

/** The short name of a notebook of the demo data. */
export type NotebookKey = keyof typeof notebooks;
