import type { PersonKey } from "./people.ts";

/** When somebody joined a group, in days before today, and as what. */
export interface DemoMembership {
  joinedDaysAgo: number;
  role?: "admin" | "member";
}

/** An organization of the demo data. */
export interface DemoOrganization {
  name: string;
  description: string;
  owner: PersonKey;
  createdDaysAgo: number;
  /** Everybody in it, the owner included. */
  members: Partial<Record<PersonKey, DemoMembership>>;
}

/** The organizations, by the short name that the other files call them. */
export const organizations = {
  "harbor-street": {
    name: "Harbor Street Studio",
    description: "Six people in six cities who design and build small, careful software.",
    owner: "maya",
    createdDaysAgo: 51,
    members: {
      maya: { joinedDaysAgo: 51, role: "admin" },
      tomas: { joinedDaysAgo: 47, role: "admin" },
      aiko: { joinedDaysAgo: 46 },
      oskar: { joinedDaysAgo: 44 },
      demo: { joinedDaysAgo: 41 },
      jonas: { joinedDaysAgo: 23 },
    },
  },
  "slow-miles": {
    name: "Slow Miles Club",
    description:
      "A running club without a town: we run where we live, at the pace of a conversation, and write about it.",
    owner: "priya",
    createdDaysAgo: 49,
    members: {
      priya: { joinedDaysAgo: 49, role: "admin" },
      grace: { joinedDaysAgo: 45, role: "admin" },
      leila: { joinedDaysAgo: 43 },
      demo: { joinedDaysAgo: 40 },
      daniel: { joinedDaysAgo: 40 },
      oskar: { joinedDaysAgo: 39 },
      sam: { joinedDaysAgo: 36 },
    },
  },
} as const satisfies Record<string, DemoOrganization>;

/** The short name of an organization of the demo data. */
export type OrganizationKey = keyof typeof organizations;

/** A team of the demo data. */
export interface DemoTeam {
  organization: OrganizationKey;
  name: string;
  description: string;
  /** The primary admin. */
  admin: PersonKey;
  createdDaysAgo: number;
  /** Everybody in it, the primary admin included. */
  members: Partial<Record<PersonKey, DemoMembership>>;
}

/** The teams, by the short name that the other files call them. */
export const teams = {
  "product-crew": {
    organization: "harbor-street",
    name: "Product Crew",
    description: "Whoever works on the ferry app this month.",
    admin: "maya",
    createdDaysAgo: 46,
    members: {
      maya: { joinedDaysAgo: 46, role: "admin" },
      tomas: { joinedDaysAgo: 46 },
      aiko: { joinedDaysAgo: 45 },
      demo: { joinedDaysAgo: 41 },
      jonas: { joinedDaysAgo: 22 },
    },
  },
  "morning-pages": {
    organization: "harbor-street",
    name: "Morning Pages",
    description: "Half an hour of writing before the first message. What is read here stays here.",
    admin: "demo",
    createdDaysAgo: 38,
    members: {
      demo: { joinedDaysAgo: 38, role: "admin" },
      aiko: { joinedDaysAgo: 37, role: "admin" },
      maya: { joinedDaysAgo: 37 },
      oskar: { joinedDaysAgo: 33 },
    },
  },
  "half-marathon": {
    organization: "slow-miles",
    name: "First Half Marathon",
    description: "Twelve weeks, one plan, five cities. Nobody is first, nobody is alone.",
    admin: "priya",
    createdDaysAgo: 42,
    members: {
      priya: { joinedDaysAgo: 42, role: "admin" },
      grace: { joinedDaysAgo: 42 },
      leila: { joinedDaysAgo: 41 },
      demo: { joinedDaysAgo: 40 },
      oskar: { joinedDaysAgo: 38 },
    },
  },
  "back-on-track": {
    organization: "slow-miles",
    name: "Back on Track",
    description: "Coming back after an injury, a baby, a long winter or never having started.",
    admin: "daniel",
    createdDaysAgo: 40,
    members: {
      daniel: { joinedDaysAgo: 40, role: "admin" },
      priya: { joinedDaysAgo: 39, role: "admin" },
      sam: { joinedDaysAgo: 35 },
    },
  },
} as const satisfies Record<string, DemoTeam>;

/** The short name of a team of the demo data. */
export type TeamKey = keyof typeof teams;
