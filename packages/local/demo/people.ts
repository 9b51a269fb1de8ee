/** A person of the demo data. */
export interface DemoPerson {
  email: string;
  fullName: string;
  /** Nobody fetches it: the domain is one that never exists. null: no picture. */
  avatarUrl: string | null;
  /** IANA time zone; the person's entries are written at its hours. */
  timeZone: string;
  /** Days before today on which the person signed up. */
  joinedDaysAgo: number;
}

/** Everybody in the demo data, by the short name that the other files call them. */
export const people = {
  // Designs at the studio, runs with the club, and sits in the middle of it all.
  demo: {
    email: "demo@nectar.local",
    fullName: "Robin Vale",
    avatarUrl: "https://avatars.example/robin-vale.png",
    timeZone: "Europe/Lisbon",
    joinedDaysAgo: 160,
  },
  // Looks after this Nectar; belongs to no organization.
  admin: {
    email: "admin@nectar.local",
    fullName: "Ines Okafor",
    avatarUrl: null,
    timeZone: "Europe/London",
    joinedDaysAgo: 230,
  },
  // Founded the studio.
  maya: {
    email: "maya@nectar.local",
    fullName: "Maya Lindqvist",
    avatarUrl: "https://avatars.example/maya-lindqvist.png",
    timeZone: "Europe/Stockholm",
    joinedDaysAgo: 171,
  },
  // The studio's engineer.
  tomas: {
    email: "tomas@nectar.local",
    fullName: "Tomás Herrera",
    avatarUrl: "https://avatars.example/tomas-herrera.png",
    timeZone: "America/Mexico_City",
    joinedDaysAgo: 140,
  },
  // The studio's illustrator.
  aiko: {
    email: "aiko@nectar.local",
    fullName: "Aiko Tanabe",
    avatarUrl: "https://avatars.example/aiko-tanabe.png",
    timeZone: "Asia/Tokyo",
    joinedDaysAgo: 125,
  },
  // New at the studio.
  jonas: {
    email: "jonas@nectar.local",
    fullName: "Jonas Weber",
    avatarUrl: null,
    timeZone: "Europe/Berlin",
    joinedDaysAgo: 24,
  },
  // Does the studio's accounts, has a small daughter, runs when she sleeps.
  oskar: {
    email: "oskar@nectar.local",
    fullName: "Oskar Nowak",
    avatarUrl: "https://avatars.example/oskar-nowak.png",
    timeZone: "Europe/Warsaw",
    joinedDaysAgo: 97,
  },
  // Physiotherapist; founded the running club.
  priya: {
    email: "priya@nectar.local",
    fullName: "Priya Raman",
    avatarUrl: "https://avatars.example/priya-raman.png",
    timeZone: "Asia/Kolkata",
    joinedDaysAgo: 165,
  },
  // Nurse on night shifts, learning to run.
  sam: {
    email: "sam@nectar.local",
    fullName: "Sam Whitaker",
    avatarUrl: null,
    timeZone: "America/New_York",
    joinedDaysAgo: 37,
  },
  // Writes a thesis, runs on trails.
  leila: {
    email: "leila@nectar.local",
    fullName: "Leila Farahani",
    avatarUrl: "https://avatars.example/leila-farahani.png",
    timeZone: "America/Los_Angeles",
    joinedDaysAgo: 112,
  },
  // Teaches physics, runs before school.
  grace: {
    email: "grace@nectar.local",
    fullName: "Grace Wanjiru",
    avatarUrl: "https://avatars.example/grace-wanjiru.png",
    timeZone: "Africa/Nairobi",
    joinedDaysAgo: 90,
  },
  // Comes back from a knee injury.
  daniel: {
    email: "daniel@nectar.local",
    fullName: "Daniel Kim",
    avatarUrl: null,
    timeZone: "Australia/Sydney",
    joinedDaysAgo: 40,
  },
  // Retired from the railway, learns the cello; belongs to no organization.
  hana: {
    email: "hana@nectar.local",
    fullName: "Hana Novotná",
    avatarUrl: "https://avatars.example/hana-novotna.png",
    timeZone: "Europe/Prague",
    joinedDaysAgo: 101,
  },
} as const satisfies Record<string, DemoPerson>;

/** The short name of a person of the demo data. */
export type PersonKey = keyof typeof people;
