import * as z from "zod";
import { ENUMS } from "../enums.generated.ts";

/** Who may see something: only its owner, a team, an organization, or all signed-in users. */
export const Visibility = z.enum(ENUMS.visibility).meta({
  id: "Visibility",
  description:
    "user: only the owner. team or org: the members of one team or organization. public: all signed-in users.",
});
export type Visibility = z.infer<typeof Visibility>;

/** The query field for which entries, notebooks or goals a list returns. */
export const Scope = z.enum(["all", "own", "shared", "public"]).default("all").meta({
  description:
    "own: yours. shared: shared with you through a team or organization, without those that all signed-in users may see. public: those that all signed-in users may see, yours included. all: everything that you may see.",
});

/** The visibility settings that entries, notebooks and goals have in common. */
export interface Sharing {
  readonly metadata_visibility: Visibility;
  readonly content_visibility: Visibility;
  readonly team_id: string | null;
  readonly org_id: string | null;
}

/** Missing ids of teams and organizations, with their errors and messages. */
export const SHARING_PROBLEMS = [
  {
    level: "team",
    field: "team_id",
    code: "visibility.missing_team",
    message: "is required when a visibility is 'team'",
  },
  {
    level: "org",
    field: "org_id",
    code: "visibility.missing_organization",
    message: "is required when a visibility is 'org'",
  },
] as const;

/** Checks that a team or organization is set if something is shared with one. */
export function sharingProblems(sharing: Sharing) {
  const levels = [sharing.metadata_visibility, sharing.content_visibility];
  return SHARING_PROBLEMS.filter(({ level, field }) => levels.includes(level) && sharing[field] === null);
}
