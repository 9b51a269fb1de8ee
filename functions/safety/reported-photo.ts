import { type RawBuilder, sql } from "kysely";
import * as z from "zod";
import { PHOTO_URL_SECONDS } from "#core/limits";
import { inWords } from "#core/text/numbers";
import { photoUrl } from "#http/response/photo-url";
import type { Services } from "#http/services/services";

/** Fields with which admins see the check-in that was reported or decided about. */
export const REPORTED_PHOTO = {
  photo_url: z
    .string()
    .nullable()
    .meta({
      description: `The photo of a check-in, also a hidden one, as a link that works for ${inWords(PHOTO_URL_SECONDS)}; null for other targets and without a photo.`,
    }),
  date: z.iso.date().nullable().meta({ description: "The date of a check-in; null for other targets." }),
};

/** The check-in that a row is about, with the path of its photo. */
export interface ReportedCheckIn {
  readonly checkin: { readonly photo_key: string | null; readonly date: string } | null;
}

/**
 * The check-in that a row with these columns is about; null for other targets.
 * @param keptPhoto the photo that was decided about, if another one has replaced it
 */
export function reportedCheckIn(
  targetType: string,
  targetId: string,
  keptPhoto: RawBuilder<string | null> = sql`null`,
): RawBuilder<ReportedCheckIn["checkin"]> {
  return sql`(
    select json_build_object('photo_key', coalesce(${keptPhoto}, f.photo_key), 'date', k.date)
    from workout_checkins k
    left join workout_checkin_photos f on f.checkin_id = k.id
    where ${sql.ref(targetType)} = 'checkin' and k.id = ${sql.ref(targetId)}
  )`;
}

/** A row as it is sent, with a signed URL of the photo. */
export async function withPhoto<Row extends ReportedCheckIn>(services: Services, { checkin, ...row }: Row) {
  return { ...row, photo_url: await photoUrl(services, checkin?.photo_key ?? null), date: checkin?.date ?? null };
}
