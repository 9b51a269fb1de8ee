import { sql } from "kysely";
import * as z from "zod";
import { AppError, type Issue } from "#core/errors";
import { SHARING_PROBLEMS, type Sharing, sharingProblems, Visibility } from "#core/people/visibility";
import { Uuid } from "#core/text/uuid";
import type { Tx } from "#database/database";
import { readOrganizationRole, readTeamRole } from "#database/group-roles";
import { isOwn, notYours } from "#database/not-yours";

const RequestedVisibility = z
  .enum([...Visibility.options, ""])
  .transform((level) => (level === "" ? "user" : level))
  .nullish();
const PRIVATE_BY_DEFAULT = "Empty or null means `user`, only you.";

/** The visibility fields of a request about an entry, a notebook or a goal. */
export const SHARING_FIELDS = {
  metadata_visibility: RequestedVisibility.meta({
    description: `Who may see everything but the content. ${PRIVATE_BY_DEFAULT}`,
  }),
  content_visibility: RequestedVisibility.meta({ description: `Who may see the content. ${PRIVATE_BY_DEFAULT}` }),
  team_id: Uuid.nullish().meta({ description: "Required if a visibility is `team`." }),
  org_id: Uuid.nullish().meta({ description: "Required if a visibility is `org`." }),
};

/** The sharing in a body, even if other parts of the body are invalid. */
const Stated = z.object({
  metadata_visibility: RequestedVisibility.catch("user"),
  content_visibility: RequestedVisibility.catch("user"),
  // An invalid id has a problem of its own: it is not missing as well.
  team_id: z.string().nullish().catch("invalid"),
  org_id: z.string().nullish().catch("invalid"),
});

/** Errors of writing the sharing of a thing. Its group may also be deleted during the request. */
export const SHARING_ERRORS = [
  "visibility.missing_team",
  "visibility.missing_organization",
  "visibility.not_a_member",
  "organization.not_found",
  "team.not_found",
] as const;

/** The tables of what people share, and the errors for a thing that the caller cannot change. */
const SHARED = {
  journal_entries: { unseen: "journal.not_found", foreign: "journal.not_yours" },
  notebooks: { unseen: "notebook.not_found", foreign: "notebook.not_yours" },
  goals: { unseen: "goal.not_found", foreign: "goal.not_yours" },
} as const;
export type SharedTable = keyof typeof SHARED;

/** The sharing of a thing, if it is the caller's. */
export function ownSharing(tx: Tx, table: SharedTable, id: string) {
  return tx
    .selectFrom(table)
    .select(["metadata_visibility", "content_visibility", "team_id", "org_id"])
    .where("id", "=", id)
    .where("user_id", "=", sql<string>`private.actor_id()`);
}

/** Locks a thing of the caller, and reads its sharing. @throws AppError 404 if it is not visible, 403 if it belongs to someone else */
export async function lockOwn(tx: Tx, table: SharedTable, id: string): Promise<Sharing> {
  const sharing = await ownSharing(tx, table, id).forUpdate().executeTakeFirst();
  if (sharing === undefined) throw await refusal(tx, table, id);
  return sharing;
}

/** Requires that the caller sees a thing. @throws AppError 404 */
export async function requireVisible(tx: Tx, table: SharedTable, id: string): Promise<void> {
  const visible = await tx.selectFrom(table).select("id").where("id", "=", id).executeTakeFirst();
  if (visible === undefined) throw new AppError(SHARED[table].unseen);
}

/** The error of a command that found no such thing of the caller. */
export async function refusal(tx: Tx, table: SharedTable, id: string): Promise<AppError> {
  const seen = await tx.selectFrom(table).select(isOwn("user_id")).where("id", "=", id).executeTakeFirst();
  return notYours(seen, SHARED[table]);
}

/** The sharing problems of a body about an update of a thing, if it is the caller's. */
export async function updateProblems(tx: Tx, table: SharedTable, body: unknown, id: string): Promise<Issue[]> {
  const present = await ownSharing(tx, table, id).executeTakeFirst();
  return present === undefined ? [] : sharingIssues(present, body);
}

/** Adds a check to the body of a new entry, notebook or goal: it must name the team or organization that it is shared with. */
export function newSharing<Schema extends z.ZodObject>(schema: Schema): Schema {
  return SHARING_PROBLEMS.reduce(
    (checked, problem) =>
      checked.refine((body) => !problemsStated(null, body).includes(problem), {
        path: [problem.field],
        message: problem.message,
        params: { error: problem.code },
        // Also when other fields have problems: all are reported at once.
        when: () => true,
      }),
    schema,
  );
}

/**
 * The problems that an update would leave in the sharing of a thing, of a body with other problems.
 * `applySharing` finds them in a valid body.
 * @param present the sharing so far; null for a new thing
 */
export function sharingIssues(present: Sharing | null, body: unknown): Issue[] {
  return problemsStated(present, body).map(toIssue);
}

function problemsStated(present: Sharing | null, body: unknown): ReturnType<typeof sharingProblems> {
  const { data } = Stated.safeParse(body);
  return data === undefined ? [] : sharingProblems(updatedSharing(present, data));
}

function toIssue({ field, message }: (typeof SHARING_PROBLEMS)[number]): Issue {
  return { path: field, message };
}

/** The sharing in a request: null clears a field, a missing field is unchanged. */
export type SharingInput = { readonly [Field in keyof Sharing]?: Sharing[Field] | null | undefined };

const PRIVATE: Sharing = { metadata_visibility: "user", content_visibility: "user", team_id: null, org_id: null };

/**
 * Applies a request to the sharing of a thing, and checks that the author may share like that.
 * @param present the sharing so far; null for a new thing
 * @throws AppError 400 if a team or organization is not named, 404 if it does not exist, 403 if the author is no member
 */
export async function applySharing(tx: Tx, present: Sharing | null, input: SharingInput): Promise<Sharing> {
  const before = present ?? PRIVATE;
  const after = updatedSharing(before, input);
  requireComplete(after);
  // Only if the share changes: an unrelated update must not fail because the author has left meanwhile.
  if (after.team_id !== null && changed("team", before, after)) await requireTeamMember(tx, after.team_id);
  if (after.org_id !== null && changed("org", before, after)) await requireOrganizationMember(tx, after.org_id);
  return after;
}

function updatedSharing(present: Sharing | null, input: SharingInput): Sharing {
  const before = present ?? PRIVATE;
  return {
    metadata_visibility: updated(before.metadata_visibility, input.metadata_visibility) ?? "user",
    content_visibility: updated(before.content_visibility, input.content_visibility) ?? "user",
    team_id: updated(before.team_id, input.team_id),
    org_id: updated(before.org_id, input.org_id),
  };
}

function updated<Value>(before: Value | null, input: Value | null | undefined): Value | null {
  return input === undefined ? before : input;
}

/** Whether an update shares with another team or organization, or starts to share with it. */
function changed(level: "team" | "org", before: Sharing, after: Sharing): boolean {
  const id = level === "team" ? "team_id" : "org_id";
  if (before[id] !== after[id]) return true;
  const startsSharing = (axis: "metadata_visibility" | "content_visibility") =>
    after[axis] === level && before[axis] !== level;
  return startsSharing("metadata_visibility") || startsSharing("content_visibility");
}

function requireComplete(sharing: Sharing): void {
  const problems = sharingProblems(sharing);
  const [first] = problems;
  if (first === undefined) return;
  throw new AppError(first.code, { issues: problems.map(toIssue) });
}

async function requireTeamMember(tx: Tx, teamId: string): Promise<void> {
  const { role } = await readTeamRole(tx, teamId);
  if (role === null) throw new AppError("team.not_found");
  if (role !== "admin" && role !== "member") throw new AppError("visibility.not_a_member");
}

async function requireOrganizationMember(tx: Tx, organizationId: string): Promise<void> {
  const { role } = await readOrganizationRole(tx, organizationId);
  if (role === null) throw new AppError("organization.not_found");
  if (role === "none") throw new AppError("visibility.not_a_member");
}
