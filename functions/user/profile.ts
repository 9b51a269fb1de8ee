import { sql } from "kysely";
import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { Profile, type ProfileUpdate, type VersionedProfile } from "./schema.ts";

/** Reads the caller's own profile. @throws AppError 401 if the account was deleted */
export async function readProfile(tx: Tx, userId: string): Promise<VersionedProfile> {
  const profile = await tx
    .selectFrom("own_profiles")
    .selectAll()
    .where("id", "=", userId)
    .executeTakeFirstOrThrow(() => new AppError("auth.unknown_account"));
  return { ...profile, preferences: Profile.shape.preferences.parse(profile.preferences) };
}

/** Updates the caller's own profile. */
export async function updateProfile(tx: Tx, userId: string, change: ProfileUpdate): Promise<VersionedProfile> {
  if (change.full_name !== undefined || change.avatar_url !== undefined) {
    await tx
      .updateTable("profiles")
      .set({ full_name: change.full_name, avatar_url: change.avatar_url, updated_at: sql`now()` })
      .where("id", "=", userId)
      .execute();
  }
  const { active_tone_pack_id, ...preferences } = change.preferences ?? {};
  if (active_tone_pack_id === null) await call(tx, "activate_tone_pack", { packId: null });
  else if (active_tone_pack_id !== undefined) await requireActive(tx, userId, active_tone_pack_id);
  const settings = {
    read_notes_enabled: change.read_notes_enabled,
    check_in_enabled: change.check_in_enabled,
    timezone: change.timezone,
    leaderboard_visible: change.leaderboard_visible,
    ...(Object.keys(preferences).length === 0 ? {} : { preferences: mergedPreferences(preferences) }),
  };
  if (Object.values(settings).some((value) => value !== undefined)) {
    await tx.updateTable("accounts").set(settings).where("user_id", "=", userId).execute();
  }
  return readProfile(tx, userId);
}

/** Clients send the whole profile back, so the active pack may be named. @throws AppError 400 for another one */
async function requireActive(tx: Tx, userId: string, packId: string): Promise<void> {
  const { active_tone_pack_id } = await tx
    .selectFrom("accounts")
    .select("active_tone_pack_id")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  if (active_tone_pack_id === packId) return;
  const message = "must be null or the active tone pack; POST /api/tone-packs/:id/activate activates another one";
  throw new AppError("request.invalid", { issues: [{ path: "preferences.active_tone_pack_id", message }] });
}

/** Merged in the database: two devices that change different settings at once must not undo each other. */
function mergedPreferences(change: Omit<NonNullable<ProfileUpdate["preferences"]>, "active_tone_pack_id">) {
  const removed = Object.entries(change)
    .filter(([, value]) => value === null)
    .map(([name]) => name);
  return sql<string>`(preferences || ${JSON.stringify(change)}::jsonb) - ${removed}::text[]`;
}
