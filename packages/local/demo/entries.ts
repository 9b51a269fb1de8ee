import { danielEntries, graceEntries, leilaEntries, priyaEntries, samEntries } from "./entries-club.ts";
import { demoEntries } from "./entries-demo.ts";
import { adminEntries, hanaEntries } from "./entries-others.ts";
import { aikoEntries, jonasEntries, mayaEntries, oskarEntries, tomasEntries } from "./entries-studio.ts";
import type { DemoEntry } from "./entry.ts";
import type { PersonKey } from "./people.ts";

/** All entries of the demo data, by their author. */
export const entries: Readonly<Record<PersonKey, readonly DemoEntry[]>> = {
  demo: demoEntries,
  admin: adminEntries,
  maya: mayaEntries,
  tomas: tomasEntries,
  aiko: aikoEntries,
  jonas: jonasEntries,
  oskar: oskarEntries,
  priya: priyaEntries,
  sam: samEntries,
  leila: leilaEntries,
  grace: graceEntries,
  daniel: danielEntries,
  hana: hanaEntries,
};
