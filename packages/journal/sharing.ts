import { AppError } from "@nectar/core/errors";
import { Uuid } from "@nectar/core/uuid";
import { type Sharing, sharingProblems, Visibility } from "@nectar/core/visibility";
import type { Tx } from "@nectar/database/database";
import { organizationStanding, teamStanding } from "@nectar/database/standing";

/** The visibility fields of a request about an entry or a notebook. */
export const sharingFields = {
  metadata_visibility: Visibility.nullish(),
  content_visibility: Visibility.nullish(),
  team_id: Uuid.nullish(),
  org_id: Uuid.nullish(),
};

/** What a request says about sharing; null clears, absent leaves as it is. */
export type SharingInput = { readonly [Field in keyof Sharing]?: Sharing[Field] | null | undefined };

const PRIVATE: Sharing = { metadata_visibility: "user", content_visibility: "user", team_id: null, org_id: null };

/**
 * Works out the resulting settings and checks that the author may share so.
 * @param before the settings as they are; null for something new
 * @throws AppError 400 when a team or organization is not named, 404 when it does not exist, 403 when the author is no member
 */
export async function applySharing(tx: Tx, before: Sharing | null, input: SharingInput): Promise<Sharing> {
  const base = before ?? PRIVATE;
  const after: Sharing = {
    metadata_visibility: chosen(input.metadata_visibility, base.metadata_visibility) ?? "user",
    content_visibility: chosen(input.content_visibility, base.content_visibility) ?? "user",
    team_id: chosen(input.team_id, base.team_id),
    org_id: chosen(input.org_id, base.org_id),
  };
  for (const problem of sharingProblems(after)) throw incomplete(problem);
  // Checked when something about it changes: an unrelated edit must not fail because the author has left since.
  if (after.team_id !== null && changed("team", before, after)) await requireTeamMember(tx, after.team_id);
  if (after.org_id !== null && changed("org", before, after)) await requireOrganizationMember(tx, after.org_id);
  return after;
}

function chosen<Value>(wanted: Value | null | undefined, present: Value | null): Value | null {
  return wanted === undefined ? present : wanted;
}

function changed(level: "team" | "org", before: Sharing | null, after: Sharing): boolean {
  if (before === null) return true;
  const id = level === "team" ? "team_id" : "org_id";
  if (before[id] !== after[id]) return true;
  const startsSharing = (axis: "metadata_visibility" | "content_visibility") =>
    after[axis] === level && before[axis] !== level;
  return startsSharing("metadata_visibility") || startsSharing("content_visibility");
}

function incomplete(problem: "missing_team" | "missing_organization"): AppError {
  return problem === "missing_team"
    ? new AppError("visibility.missing_team", "Name the team to share with.", {
        issues: [{ path: "team_id", message: "is required when a visibility is 'team'" }],
      })
    : new AppError("visibility.missing_organization", "Name the organization to share with.", {
        issues: [{ path: "org_id", message: "is required when a visibility is 'org'" }],
      });
}

async function requireTeamMember(tx: Tx, teamId: string): Promise<void> {
  const { standing } = await teamStanding(tx, teamId);
  if (standing === null) throw new AppError("team.not_found", "There is no such team.");
  if (standing !== "admin" && standing !== "member") throw notAMember();
}

async function requireOrganizationMember(tx: Tx, organizationId: string): Promise<void> {
  const { standing } = await organizationStanding(tx, organizationId);
  if (standing === null) throw new AppError("organization.not_found", "There is no such organization.");
  if (standing === "stranger") throw notAMember();
}

function notAMember(): AppError {
  return new AppError("visibility.not_a_member", "You can only share with teams and organizations you are in.");
}
