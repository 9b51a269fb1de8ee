import { type RawBuilder, sql } from "kysely";
import type { Enum } from "#core/enums.generated";
import type { Services } from "#http/services/services";

export type DayState = Enum<"day_state">;

/** When the state of a day is asked for. */
export interface DayMoment {
  readonly now: Date;
  readonly graceMinutes: number;
}

/** The moment of a request or a job, with the configured grace. */
export function dayMoment({ now, services }: { readonly now: Date; readonly services: Services }): DayMoment {
  return { now, graceMinutes: services.config.checkinGraceMinutes };
}

/** The state of a day by `private.day_state`, for a chain row `c` and its check-in `k`, which may be missing. */
export function dayState({ now, graceMinutes }: DayMoment): RawBuilder<DayState> {
  return sql`private.day_state(
    k.status, c.window_starts_at, c.window_ends_at, c.day_ends_at, ${now.toISOString()}::timestamptz,
    ${graceMinutes}::integer
  )`;
}
