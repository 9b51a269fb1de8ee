import * as z from "zod";

/** Who may see something: only its owner, a team, an organization, or all signed-in users. */
export const Visibility = z.enum(["user", "team", "org", "public"]).meta({
  id: "Visibility",
  description:
    "user: only the owner. team or org: the members of one team or organization. public: all signed-in users.",
});
export type Visibility = z.infer<typeof Visibility>;

/** The query field for which entries or notebooks a list returns. */
export const Scope = z.enum(["all", "own", "shared", "public"]).default("all").meta({
  description:
    "own: yours. shared: shared with you through a team or organization. public: those that all signed-in users may see, yours included. all: everything that you may see.",
});

/** The visibility settings that entries and notebooks have in common. */
export interface Sharing {
  readonly metadata_visibility: Visibility;
  readonly content_visibility: Visibility;
  readonly team_id: string | null;
  readonly org_id: string | null;
}

/** What visibility settings can lack. */
export const SHARING_PROBLEMS = ["missing_team", "missing_organization"] as const;
export type SharingProblem = (typeof SHARING_PROBLEMS)[number];

/** Checks that a team or organization is set if something is shared with one. */
export function sharingProblems(sharing: Sharing): SharingProblem[] {
  const levels = [sharing.metadata_visibility, sharing.content_visibility];
  const problems: SharingProblem[] = [];
  if (levels.includes("team") && sharing.team_id === null) problems.push("missing_team");
  if (levels.includes("org") && sharing.org_id === null) problems.push("missing_organization");
  return problems;
}
